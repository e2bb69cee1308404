// What an edit makes of a series: of its master, of its exceptions, and of both halves of one that is split.
// Pure.
//
// When a series moves, its rule, its end, its excluded and extra dates and what its exceptions stand for move
// along (calendar/series_move.h). An exception keeps what was changed on it: its day, its time of the day or
// its length, if they are its own; what it has in common with the series goes along.
#pragma once

#include <string>
#include <vector>

#include "calendar/series_move.h"
#include "domains/nexus/event_patch.h"
#include "domains/nexus/instance_plan.h"

namespace cairn::nexus {

struct SeriesPatch : EventPatch {
  std::optional<std::optional<std::string>> rrule;  // null: it does not repeat any more
  std::optional<std::optional<std::vector<std::string>>> exdates, rdates;
};

// What an edit of one occurrence's times means for its series.
struct TimesChange {
  std::chrono::seconds shift{0};
  std::optional<std::string> tzid;  // of the series, then
  bool all_day = false;
  std::optional<Times> lasts_like = {};  // none: as long as it did
};
// The occurrence was at `before` and is wanted at `wanted`. Only what is different is a change: an exception
// may have another zone and length than its series.
TimesChange ChangeOf(const Times& series, const Times& before, const Times& wanted);

struct SeriesEdit {
  data::Master before, after;
  calendar::SeriesMove move;

  bool has_moved() const { return TimesOf(before) != TimesOf(after) || before.rrule != after.rrule; }
};
// The whole series, edited through its occurrence `at`. Refuses with "rule-cannot-move", or the field.
Decision<SeriesEdit> EditSeries(const data::Master& master, LocalTime at,
                                const std::optional<TimesChange>& change, const SeriesPatch& patch);

// An exception, or the record of an excluded date, of a series that was edited.
Decision<data::Instance> FollowEdit(data::Instance instance, const SeriesEdit& edit);

// Whether nothing takes place before `at`.
Decision<bool> IsFirst(const data::Master& master, LocalTime at);

// The same series, with nothing from `at` on.
Decision<data::Master> EndBefore(data::Master master, LocalTime at);

// The series from an occurrence on, as a series of its own; the old one ends before it.
struct Split {
  data::Master ended;
  SeriesEdit continued;  // of what began there
};
Decision<Split> SplitAt(const data::Master& master, LocalTime at, const std::optional<TimesChange>& change,
                        const SeriesPatch& patch);

// The rule in its one form, and where it ends: a dedicated attribute says it (REQ-001-18).
Decision<void> SettleRule(data::Master& master);

}  // namespace cairn::nexus
