#include "domains/nexus/times.h"

#include "domains/nexus/nexus.h"
#include "domains/nexus/settings.h"
#include "model/value_type.h"

namespace cairn::nexus {
namespace {

using std::chrono::days;
using std::chrono::seconds;

// Years outside are slips of the pen, and near the end of what four digits tell zones would lead out of it.
const LocalTime kFirst = std::chrono::local_days(std::chrono::year(1900) / 1 / 1);
const LocalTime kLast = std::chrono::local_days(std::chrono::year(3000) / 1 / 1);

LocalTime WallOf(std::string_view text) {
  const auto local = calendar::ParseLocal(text.substr(0, 19));
  return local ? *local : LocalTime();
}

LocalTime FloorDay(LocalTime time) { return std::chrono::floor<days>(time); }
LocalTime CeilDay(LocalTime time) { return std::chrono::ceil<days>(time); }

// One end of an event: the wall time and the instant it stands for.
struct End {
  LocalTime local;
  std::string utc;
};

Decision<End> AtLocal(LocalTime local, const std::optional<std::string>& tzid, const std::string& field) {
  if (local < kFirst || local >= kLast) return RefuseField(field, "must be in the years 1900 to 2999");
  if (!tzid) return End{local, calendar::FormatLocal(local) + "Z"};
  const auto instant = calendar::ToInstant(local, *tzid);
  if (!instant) return RefuseField("startTzid", instant.error().message);
  return End{local, TextOf(*instant)};
}

Decision<End> AtUtc(const std::string& utc, const std::optional<std::string>& tzid,
                    const std::string& field) {
  LocalTime local = WallOf(utc);
  if (tzid) {
    const auto there = calendar::ToLocal(TimeOf(utc), *tzid);
    if (!there) return RefuseField("startTzid", there.error().message);
    local = *there;
  }
  if (local < kFirst || local >= kLast) return RefuseField(field, "must be in the years 1900 to 2999");
  return End{local, utc};
}

// A moment, as it is stored. With an offset it says where it is, and what floats is nowhere: to take the one
// for the other would move it by the offset.
Decision<std::string> UtcGiven(const std::string& text, bool floats, const std::string& field) {
  const auto moment = model::ParseTime(model::Kind::kInstant, item::AttributeValue(text));
  if (!moment) return RefuseField(field, "must be a moment such as 2026-11-16T09:00:00Z");
  const bool is_utc = text.ends_with('Z') || text.ends_with('z') || text.ends_with("+00:00");
  if (floats && !is_utc)
    return RefuseField(field, "has an offset, and there is no zone: say startTzid, or the wall time");
  return TextOf(std::chrono::floor<seconds>(*moment));
}

// Nothing when neither form is given.
Decision<std::optional<End>> EndGiven(const std::optional<std::string>& moment,
                                      const std::optional<std::string>& local,
                                      const std::optional<std::string>& tzid, const std::string& name) {
  if (!moment && !local) return std::optional<End>();
  std::optional<std::string> utc;
  if (moment) {
    ASSIGN_OR_RETURN(utc, UtcGiven(*moment, !tzid, name + "Utc"));
  }
  if (!local) {
    ASSIGN_OR_RETURN(End end, AtUtc(*utc, tzid, name + "Utc"));
    return std::optional(std::move(end));
  }
  const auto wall = calendar::ParseLocal(*local);
  if (!wall) return RefuseField(name + "Local", "must be a wall time such as 2026-11-16T09:00:00");
  ASSIGN_OR_RETURN(End end, AtLocal(*wall, tzid, name + "Local"));
  if (utc && *utc != end.utc)
    return RefuseField(name + "Utc", "is another moment than " + name + "Local: send one of them");
  return std::optional(std::move(end));
}

bool IsMultiDay(LocalTime start, LocalTime end) { return end > FloorDay(start) + days(1); }

// Where an event ends that begins at `start` and lasts as long as another.
Decision<End> EndLike(const End& start, const Times& like, const std::optional<std::string>& tzid) {
  const LocalTime old_start = WallOf(like.start_local), old_end = WallOf(like.end_local);
  if (!tzid || like.all_day || IsMultiDay(old_start, old_end))
    return AtLocal(start.local + (old_end - old_start), tzid, "endLocal");
  const auto exactly = TimeOf(like.end_utc) - TimeOf(like.start_utc);
  return AtUtc(TextOf(TimeOf(start.utc) + exactly), tzid, "endUtc");
}

Decision<Times> Checked(const End& start, const End& end, const std::optional<std::string>& tzid,
                        bool all_day) {
  if (all_day && tzid) return RefuseField("startTzid", "must be null for an event of whole days");
  if (all_day && (start.local != FloorDay(start.local) || end.local != FloorDay(end.local)))
    return RefuseField("allDay", "an event of whole days begins and ends at midnight");
  if (end.utc <= start.utc) return RefuseField("endUtc", "must be after the start");
  return Times{.start_utc = start.utc,
               .end_utc = end.utc,
               .start_local = calendar::FormatLocal(start.local),
               .end_local = calendar::FormatLocal(end.local),
               .tzid = tzid,
               .all_day = all_day};
}

Decision<void> CheckZone(const std::optional<std::string>& tzid) {
  if (tzid && !calendar::IsKnownZone(*tzid))
    return RefuseField("startTzid", "must be a zone such as Europe/Berlin, or null for a floating time");
  return {};
}

}  // namespace

Decision<Times> MakeTimes(const GivenTimes& given) {
  const std::optional<std::string> tzid = given.tzid.value_or(std::nullopt);
  RETURN_IF_ERROR(CheckZone(tzid));
  ASSIGN_OR_RETURN(const auto start, EndGiven(given.start_utc, given.start_local, tzid, "start"));
  ASSIGN_OR_RETURN(const auto end, EndGiven(given.end_utc, given.end_local, tzid, "end"));
  if (!start) return RefuseField("startUtc", "is required, or startLocal");
  if (!end) return RefuseField("endUtc", "is required, or endLocal");
  return Checked(*start, *end, tzid, given.all_day.value_or(false));
}

Decision<Times> ChangeTimes(const Times& now, const GivenTimes& given) {
  const bool all_day = given.all_day.value_or(now.all_day);
  const bool becomes_all_day = all_day && !now.all_day;
  // Whole days float, so they need not be told to.
  const auto kept_tzid = becomes_all_day ? std::optional<std::string>() : now.tzid;
  const std::optional<std::string> tzid = given.tzid ? *given.tzid : kept_tzid;
  RETURN_IF_ERROR(CheckZone(tzid));
  ASSIGN_OR_RETURN(std::optional<End> start, EndGiven(given.start_utc, given.start_local, tzid, "start"));
  ASSIGN_OR_RETURN(std::optional<End> end, EndGiven(given.end_utc, given.end_local, tzid, "end"));
  const bool moved = start.has_value();
  const bool same_zone = tzid == now.tzid;
  if (!start && same_zone && !becomes_all_day) start = End{WallOf(now.start_local), now.start_utc};
  if (!start) {
    const LocalTime wall = WallOf(now.start_local);
    ASSIGN_OR_RETURN(start, AtLocal(becomes_all_day ? FloorDay(wall) : wall, tzid, "startLocal"));
  }
  if (!end && becomes_all_day) {
    const LocalTime least = FloorDay(start->local) + days(1);
    const LocalTime wall = moved ? least : std::max(least, CeilDay(WallOf(now.end_local)));
    ASSIGN_OR_RETURN(end, AtLocal(wall, tzid, "endLocal"));
  }
  if (!end && moved) {
    ASSIGN_OR_RETURN(end, EndLike(*start, now, tzid));
  }
  if (!end && same_zone) end = End{WallOf(now.end_local), now.end_utc};
  if (!end) {
    ASSIGN_OR_RETURN(end, AtLocal(WallOf(now.end_local), tzid, "endLocal"));
  }
  return Checked(*start, *end, tzid, all_day);
}

Decision<Times> TimesAt(LocalTime start, const Times& like) {
  ASSIGN_OR_RETURN(const End begins, AtLocal(start, like.tzid, "startLocal"));
  ASSIGN_OR_RETURN(const End ends, EndLike(begins, like, like.tzid));
  return Checked(begins, ends, like.tzid, like.all_day);
}

seconds DurationOf(const Times& times) {
  return std::chrono::duration_cast<seconds>(TimeOf(times.end_utc) - TimeOf(times.start_utc));
}
LocalTime StartOf(const Times& times) { return WallOf(times.start_local); }
LocalTime EndOf(const Times& times) { return WallOf(times.end_local); }

Decision<Span> SpanIn(const Times& times, std::string_view viewer_zone) {
  if (times.tzid) return Span{TimeOf(times.start_utc), TimeOf(times.end_utc)};
  const auto start = calendar::ToInstant(WallOf(times.start_local), viewer_zone);
  const auto end = calendar::ToInstant(WallOf(times.end_local), viewer_zone);
  if (!start || !end) return RefuseField("tz", "must be a zone such as Europe/Berlin");
  return Span{*start, *end};
}

template <class T>
void SetTimes(T& entity, const Times& times) {
  entity.start_utc = times.start_utc;
  entity.end_utc = times.end_utc;
  entity.start_local = times.start_local;
  entity.end_local = times.end_local;
  entity.start_tzid = times.tzid;
  entity.all_day = times.all_day;
  if constexpr (requires { entity.is_long; }) {
    entity.is_long.reset();
    if (DurationOf(times) > kEventSpanMax) entity.is_long = true;
  }
}
template void SetTimes(data::Event&, const Times&);
template void SetTimes(data::Master&, const Times&);
template void SetTimes(data::Instance&, const Times&);

}  // namespace cairn::nexus
