#include "domains/nexus/series_window.h"

#include <algorithm>

#include "base/aside.h"
#include "base/temporal_text.h"
#include "domains/nexus/instance_plan.h"
#include "domains/nexus/series_store.h"
#include "model/cursor.h"

namespace cairn::nexus {
namespace {

using std::chrono::days;
using std::chrono::seconds;

// The window in wall time of the series, and what of it is kept.
struct Stretch {
  LocalTime from, to;
  LocalTime kept_from, kept_to;
};

Decision<LocalTime> DayGiven(const std::string& text, const char* field) {
  const auto local = calendar::ParseLocal(text + "T00:00:00");
  if (!local) return RefuseField(field, "must be a day such as 2026-11-16");
  return *local;
}

Decision<LocalTime> WallOf(const data::Master& master, const std::string& moment) {
  const auto local = calendar::ToLocal(TimeOf(moment), master.start_tzid.value_or("UTC"));
  if (!local) return std::unexpected(Refusal(local.error()));
  return std::chrono::floor<days>(*local);
}

Decision<Stretch> StretchOf(const data::Master& master, const SeriesWindow& window) {
  Stretch stretch;
  ASSIGN_OR_RETURN(stretch.kept_from, WallOf(master, *master.materialized_from));
  ASSIGN_OR_RETURN(stretch.kept_to, WallOf(master, *master.materialized_until));
  // An exception may stand for a day that is not kept.
  stretch.from = calendar::kLocalMin;
  stretch.to = calendar::kLocalMax;
  if (window.from) {
    ASSIGN_OR_RETURN(stretch.from, DayGiven(*window.from, "from"));
  }
  if (window.to) {
    ASSIGN_OR_RETURN(stretch.to, DayGiven(*window.to, "to"));
  }
  if (stretch.to <= stretch.from) return RefuseField("to", "must be after from");
  return stretch;
}

Time MomentOf(const data::Master& master, LocalTime wall) {
  const auto moment = calendar::ToInstant(wall, master.start_tzid.value_or("UTC"));
  return moment ? *moment : wall > LocalTime() ? kTimeMax : kTimeMin;
}

std::string BoundTo(const Work& work, const SeriesWindow& window) {
  return "series " + work.user_id() + " " + window.master_id + " " + window.from.value_or("") + " " +
         window.to.value_or("");
}

// Appends occurrences after `after` and before `to` until the page is full; the last one then.
Decision<std::optional<LocalTime>> AppendVirtual(const data::Master& master, LocalTime after, LocalTime to,
                                                 const SeriesWindow& window, SeriesPage& page) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  for (;;) {
    const auto next = calendar::NextOccurrence(series, after);
    if (!next) return std::unexpected(Refusal(next.error()));
    if (!*next || **next >= to) return std::optional<LocalTime>();
    if (std::ssize(page.items) == window.limit) return std::optional(after);
    after = **next;
    const LocalTime midnight = std::chrono::floor<days>(after);
    const auto of_day = calendar::Occurrences(series, midnight, after + seconds(1), kOccurrencesMax);
    if (!of_day) return std::unexpected(Refusal(of_day.error()));
    ASSIGN_OR_RETURN(data::Instance instance, InstanceAt(master, after, DatesOf(*of_day).back()));
    instance.instance_id = "virtual:" + *master.master_id + ":" + calendar::FormatLocal(after);
    instance.created_at = master.created_at;
    instance.updated_at = master.updated_at;
    page.items.push_back({.instance = std::move(instance), .is_virtual = true});
  }
}

// Where a page ended among what has no items: 'e' before what is kept, 'l' after it.
struct Place {
  char part = 'e';
  LocalTime after;
};
std::optional<Place> PlaceIn(Work& work, const SeriesWindow& window) {
  const auto text = work.nexus().database().cursors().Open(window.cursor, BoundTo(work, window));
  if (!text || text->size() < 2) return std::nullopt;
  const auto after = calendar::ParseLocal(text->substr(1));
  if (!after) return std::nullopt;
  return Place{.part = text->front(), .after = *after};
}
std::string CursorAt(Work& work, const SeriesWindow& window, const Place& place) {
  return work.nexus().database().cursors().Seal(place.part + calendar::FormatLocal(place.after),
                                                BoundTo(work, window));
}

// What is stored of the window.
Task<Decision<void>> AppendItems(Work& work, const SeriesWindow& window, const Stretch& stretch,
                                 std::string cursor, SeriesPage& page) {
  // A day's later occurrences have a time after the day.
  const data::SeriesInstancesParameters parameters{
      .master_id = window.master_id,
      .from = calendar::FormatLocal(stretch.from).substr(0, 10),
      .to = calendar::FormatLocal(stretch.to - seconds(1)).substr(0, 10) + "T235959"};
  const model::typed::PageOptions options{.limit = window.limit - std::ssize(page.items),
                                          .cursor = std::move(cursor)};
  auto read = co_await data::ReadSeriesInstances(work.session(), parameters, options);
  if (!read) co_return std::unexpected(Refusal(std::move(read).error()));
  for (auto& item : read->items) {
    if (auto* instance = std::get_if<data::Instance>(&item))
      page.items.push_back({.instance = std::move(*instance)});
  }
  page.next_cursor = read->next_cursor;
  co_return Decision<void>();
}

}  // namespace

Task<Decision<SeriesPage>> ReadSeriesWindow(Nexus& nexus, model::Caller caller, SeriesWindow window) {
  Work work(nexus, caller);
  const data::MasterKey key{.master_id = window.master_id};
  auto master = co_await work.Load<data::Master>(key);
  if (!master) co_return std::unexpected(std::move(master).error());
  SeriesPage page;
  if (master->target_type == data::SeriesTarget::kTask) co_return page;
  CO_ASSIGN_OR_RETURN(Stretch stretch, StretchOf(*master, window));
  const bool passes =
      (window.from && stretch.from < stretch.kept_from) || (window.to && stretch.to > stretch.kept_to);
  if (window.cursor.empty() && passes && nexus.CheckRoom(work.user_id())) {
    const Time low = MomentOf(*master, window.from ? stretch.from : stretch.kept_from);
    const Time high = MomentOf(*master, window.to ? stretch.to : stretch.kept_to);
    auto grown = co_await GrowSeries(nexus, caller, window.master_id, low, high);
    // Where it cannot be written, it is expanded without items.
    if (grown) {
      master = *std::move(grown);
      CO_ASSIGN_OR_RETURN(stretch, StretchOf(*master, window));
    }
  }
  std::optional<Place> place;
  if (!window.cursor.empty()) place = PlaceIn(work, window);
  const bool begins = window.cursor.empty() || (place && place->part == 'e');
  if (begins && window.from) {
    const LocalTime after = place ? place->after : stretch.from - seconds(1);
    auto expand = [&] {
      return AppendVirtual(*master, after, std::min(stretch.to, stretch.kept_from), window, page);
    };
    CO_ASSIGN_OR_RETURN(const auto full_at, co_await Aside(expand));
    if (full_at) {
      page.next_cursor = CursorAt(work, window, {.part = 'e', .after = *full_at});
      co_return page;
    }
  }
  const bool has_late = window.to && stretch.to > stretch.kept_to;
  const LocalTime late = std::max(stretch.from, stretch.kept_to) - seconds(1);
  if (!place || place->part == 'e') {
    // A page that is full ends where the items begin: the next one begins with them.
    if (std::ssize(page.items) == window.limit) {
      page.next_cursor = CursorAt(
          work, window, {.part = 'e', .after = std::min(stretch.to, stretch.kept_from) - seconds(1)});
      co_return page;
    }
    std::string cursor;
    if (!place) cursor = window.cursor;
    auto read = co_await AppendItems(work, window, stretch, std::move(cursor), page);
    if (!read) co_return std::unexpected(std::move(read).error());
    if (!page.next_cursor.empty() || !has_late) co_return page;
    if (std::ssize(page.items) == window.limit) {
      page.next_cursor = CursorAt(work, window, {.part = 'l', .after = late});
      co_return page;
    }
  }
  if (has_late) {
    const LocalTime after = place && place->part == 'l' ? place->after : late;
    auto expand = [&] { return AppendVirtual(*master, after, stretch.to, window, page); };
    CO_ASSIGN_OR_RETURN(const auto full_at, co_await Aside(expand));
    if (full_at) page.next_cursor = CursorAt(work, window, {.part = 'l', .after = *full_at});
  }
  co_return page;
}

}  // namespace cairn::nexus
