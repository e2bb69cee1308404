// When an event is: what a client says, what is stored of it, and when the occurrences of a series are. Pure.
//
// Three kinds. Zoned: an instant, with the wall time where it was made. Floating (no zone): a wall time,
// which is another instant wherever one is; startUtc holds it as if the wall were in UTC. All day: floating,
// from midnight to midnight.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "calendar/zone.h"
#include "domains/nexus/refusal.h"

namespace cairn::nexus {

using calendar::LocalTime;

// As stored.
struct Times {
  std::string start_utc, end_utc;
  std::string start_local, end_local;
  std::optional<std::string> tzid;  // none: floating
  bool all_day = false;

  bool is_floating() const { return !tzid; }
  friend bool operator==(const Times&, const Times&) = default;
};

// As given: each end as an instant or as wall time. Absent: as it is, where there is something already.
struct GivenTimes {
  std::optional<std::string> start_utc, end_utc, start_local, end_local;
  std::optional<std::optional<std::string>> tzid;
  std::optional<bool> all_day;

  bool empty() const { return !start_utc && !end_utc && !start_local && !end_local && !tzid && !all_day; }
};

// Refusals name the field.
Decision<Times> MakeTimes(const GivenTimes& given);
// Moving the start alone keeps the duration; changing the zone alone keeps the wall time.
Decision<Times> ChangeTimes(const Times& now, const GivenTimes& given);
// The same, beginning at another wall time: of several days it lasts as long by the wall clock, of hours
// exactly as long.
Decision<Times> TimesAt(LocalTime start, const Times& like);

std::chrono::seconds DurationOf(const Times& times);
LocalTime StartOf(const Times& times);
LocalTime EndOf(const Times& times);

// The instants it has for someone in a zone: of what floats, where they are.
struct Span {
  Time start, end;
};
Decision<Span> SpanIn(const Times& times, std::string_view viewer_zone);

// ---- Events, instances and masters have the same attributes for it.
template <class T>
Times TimesOf(const T& entity) {
  return {.start_utc = entity.start_utc,
          .end_utc = entity.end_utc,
          .start_local = entity.start_local.value_or(entity.start_utc.substr(0, 19)),
          .end_local = entity.end_local.value_or(entity.end_utc.substr(0, 19)),
          .tzid = entity.start_tzid,
          .all_day = entity.all_day.value_or(false)};
}
template <class T>
void SetTimes(T& entity, const Times& times);

}  // namespace cairn::nexus
