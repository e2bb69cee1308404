#include "domains/nexus/agenda.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/aside.h"
#include "calendar/zone_changes.h"
#include "domains/nexus/instance_plan.h"
#include "domains/nexus/series_store.h"
#include "domains/nexus/settings.h"
#include "model/cursor.h"

namespace cairn::nexus {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::seconds;

constexpr hours kZoneReach{14};  // no zone is further from UTC
constexpr days kZoneLookedAtMax{400};
constexpr days kOverdueReach{90};
constexpr size_t kOverdueMax = 200;
constexpr int64_t kOverdueInspectedMax = 20'000;
constexpr size_t kSeriesLookedAtMax = 2'000;
constexpr size_t kVirtualMax = 10'000;       // of a series
constexpr size_t kVirtualTotalMax = 50'000;  // of all series together
constexpr size_t kSortedHereMax = 2'000;
constexpr int64_t kPageMax = 100;
constexpr int64_t kPageMargin = 20;

// The place of an entry in the list.
struct Position {
  int64_t start = 0;  // seconds
  std::string id;
  friend auto operator<=>(const Position&, const Position&) = default;
};
Position PositionOf(const AgendaEntry& entry) { return {EpochSeconds(entry.span.start), IdOf(*entry.item)}; }
bool ComesBefore(const AgendaEntry& a, const AgendaEntry& b) {
  if (a.span.start != b.span.start) return a.span.start < b.span.start;
  return IdOf(*a.item) < IdOf(*b.item);
}

// A floating time is stored as if its wall were in UTC: at most `before` earlier, or `behind` later, than it
// is where the viewer is.
struct Reach {
  seconds before, behind;
};
// What is shown may have begun so long before the window, when the clocks were otherwise.
Decision<Reach> ReachIn(const AgendaRequest& request, seconds longest) {
  if (request.to - request.from > kZoneLookedAtMax) return Reach{kZoneReach, kZoneReach};
  const auto first = std::chrono::floor<seconds>(request.from) - longest;
  const auto last = std::chrono::floor<seconds>(request.to);
  const auto zone = calendar::ZoneChanges(request.zone, first - days(3), last + days(3));
  if (!zone) return RefuseField("tz", "must be a zone such as Europe/Berlin");
  seconds least = zone->offset_at_start, most = least;
  for (const calendar::ZoneChange& change : zone->changes) {
    least = std::min(least, change.after);
    most = std::max(most, change.after);
  }
  return Reach{.before = std::max(-least, seconds(0)), .behind = std::max(most, seconds(0))};
}

}  // namespace

const std::string& IdOf(const AgendaItem& item) {
  return std::visit(
      [](const auto& entity) -> const std::string& {
        using T = std::decay_t<decltype(entity)>;
        if constexpr (std::same_as<T, data::Event>) return *entity.event_id;
        if constexpr (std::same_as<T, data::Instance>) return *entity.instance_id;
        if constexpr (std::same_as<T, data::Task>) return *entity.task_id;
        if constexpr (std::same_as<T, data::Reminder>) return *entity.reminder_id;
      },
      item);
}

namespace {

// What GSI1 sorts by.
const std::string& StoredMoment(const AgendaItem& item) {
  return std::visit(
      [](const auto& entity) -> const std::string& {
        using T = std::decay_t<decltype(entity)>;
        if constexpr (std::same_as<T, data::Task>) {
          return *entity.due_utc;
        } else if constexpr (std::same_as<T, data::Reminder>) {
          return *entity.trigger_utc;
        } else {
          return entity.start_utc;
        }
      },
      item);
}

// About what it takes in an answer.
size_t TextBytes(const AgendaItem& item) {
  constexpr size_t kOthers = 500;
  return kOthers + std::visit(
                       [](const auto& entity) {
                         if constexpr (requires { entity.description; }) {
                           return entity.description ? entity.description->size() : 0;
                         } else {
                           return entity.notes ? entity.notes->size() : 0;
                         }
                       },
                       item);
}

Decision<Span> SpanOf(const AgendaItem& item, const std::string& zone) {
  return std::visit(
      [&](const auto& entity) -> Decision<Span> {
        if constexpr (requires { entity.start_tzid; }) {
          if (!entity.start_tzid) return SpanIn(TimesOf(entity), zone);
          return Span{TimeOf(entity.start_utc), TimeOf(entity.end_utc)};
        } else {
          const Time moment = TimeOf(StoredMoment(item));
          return Span{moment, moment};
        }
      },
      item);
}

bool IsDone(const AgendaItem& item) {
  const auto* task = std::get_if<data::Task>(&item);
  return task != nullptr && task->status == data::TaskStatus::kDone;
}

// Collects what a window shows, behind a cursor, in order.
class Collector {
 public:
  Collector(const AgendaRequest& request, std::optional<Position> after)
      : request_(request), after_(std::move(after)) {
    entries_.reserve(static_cast<size_t>(request.limit) + kPageMax);
  }

  Decision<void> Add(std::vector<AgendaItem>&& items, bool are_virtual = false) {
    for (AgendaItem& item : items) RETURN_IF_ERROR(Consider(item, are_virtual));
    if (are_virtual) virtual_count_ += items.size();
    read_.push_back(std::move(items));
    return {};
  }
  // Come again when they begin in the window.
  Decision<void> AddLong(std::vector<AgendaItem>&& items) {
    RETURN_IF_ERROR(Add(std::move(items)));
    for (const AgendaItem& item : read_.back()) long_ones_.insert(IdOf(item));
    return {};
  }

  size_t virtual_count() const { return virtual_count_; }
  Length length() const { return entries_.size() > kSortedHereMax ? Length::kLong : Length::kShort; }
  // How many more fit a page.
  int64_t Room() const { return request_.limit - static_cast<int64_t>(entries_.size()); }

  // Whether more than a page begins before `moment`: then what comes later does not matter.
  bool IsFullBefore(Time moment) const {
    const auto before =
        std::ranges::count_if(entries_, [&](const AgendaEntry& entry) { return entry.span.start < moment; });
    return before > request_.limit;
  }

  // The page; true if there is more.
  bool TakeInto(Agenda& agenda) {
    // Read in the order of their start; only what floats, is long or has no item may lie elsewhere.
    if (!std::ranges::is_sorted(entries_, ComesBefore)) std::ranges::sort(entries_, ComesBefore);
    const size_t limit = PageEnd();
    const bool more = entries_.size() > limit;
    if (more) entries_.resize(limit);
    agenda.entries = std::move(entries_);
    agenda.read = std::move(read_);
    return more;
  }

 private:
  // How many of the entries, by number and by size, are a page.
  size_t PageEnd() const {
    const size_t limit = std::min(static_cast<size_t>(request_.limit), entries_.size());
    size_t end = 0;
    for (size_t bytes = 0; end < limit && bytes < model::kPageBytesMax; ++end)
      bytes += TextBytes(*entries_[end].item);
    return end;
  }

  Decision<void> Consider(AgendaItem& item, bool is_virtual) {
    const auto kind = static_cast<AgendaKind>(item.index());
    if (!request_.kinds.empty() && std::ranges::find(request_.kinds, kind) == request_.kinds.end()) return {};
    if (request_.hide_done && IsDone(item)) return {};
    ASSIGN_OR_RETURN(const Span span, SpanOf(item, request_.zone));
    const bool is_moment = span.start == span.end;
    const bool reaches_in = span.end > request_.from || (is_moment && span.start >= request_.from);
    if (!reaches_in || span.start >= request_.to) return {};
    if (after_ && Position{EpochSeconds(span.start), IdOf(item)} <= *after_) return {};
    if (!long_ones_.empty() && long_ones_.contains(IdOf(item))) return {};
    entries_.push_back({.span = span, .item = &item, .is_virtual = is_virtual});
    return {};
  }

  const AgendaRequest& request_;
  const std::optional<Position> after_;
  std::vector<std::vector<AgendaItem>> read_;  // what entries_ point into
  std::vector<AgendaEntry> entries_;
  std::set<std::string, std::less<>> long_ones_;
  size_t virtual_count_ = 0;
};

std::string BoundTo(const Work& work, const AgendaRequest& request) {
  std::string bound = "agenda " + work.user_id() + " " + TextOf(request.from) + " " + TextOf(request.to) +
                      " " + request.zone + (request.hide_done ? " open" : " all");
  for (const AgendaKind kind : request.kinds) bound += " " + std::to_string(static_cast<int>(kind));
  return bound;
}

Decision<std::optional<Position>> PositionIn(Work& work, const AgendaRequest& request) {
  if (request.cursor.empty()) return std::optional<Position>();
  const auto text = work.nexus().database().cursors().Open(request.cursor, BoundTo(work, request));
  if (!text) return Refuse("wrong-cursor", "The cursor is not of this list: begin anew");
  Position position;
  const size_t space = text->find(' ');
  std::from_chars(text->data(), text->data() + std::min(space, text->size()), position.start);
  position.id = text->substr(std::min(space, text->size() - 1) + 1);
  return std::optional(std::move(position));
}

// GSI1 from `low` on, page by page, until a page of the agenda is full.
Task<Decision<void>> ReadWindow(Work& work, Time low, Time high, Reach reach, Collector& collector) {
  const data::AgendaWindowParameters parameters{.from = TextOf(low), .to = TextOf(high)};
  model::typed::PageOptions options{.limit = kPageMax, .cursor = {}};
  do {
    auto page = co_await data::ReadAgendaWindow(work.session(), parameters, options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    std::optional<Time> reached;
    if (!page->items.empty()) reached = TimeOf(StoredMoment(page->items.back()));
    CO_RETURN_IF_ERROR(collector.Add(std::move(page->items)));
    // What is still to be read lies behind `reached`, and is shown at most so much earlier.
    if (reached && collector.IsFullBefore(*reached - reach.behind)) co_return Decision<void>();
    options.cursor = page->next_cursor;
    // Some more than there is room for, to get as far behind them as needed.
    options.limit = std::clamp(collector.Room() + kPageMargin, kPageMargin, kPageMax);
  } while (!options.cursor.empty());
  co_return Decision<void>();
}

Task<Decision<void>> ReadLongEvents(Work& work, Time ending_after, Collector& collector) {
  const data::LongEventsParameters parameters{.from = TextOf(ending_after)};
  model::typed::PageOptions options{.limit = kPageMax, .cursor = {}};
  do {
    auto page = co_await data::ReadLongEvents(work.session(), parameters, options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    std::vector<AgendaItem> items;
    for (auto& item : page->items) {
      std::visit([&](auto& event) { items.emplace_back(std::move(event)); }, item);
    }
    CO_RETURN_IF_ERROR(collector.AddLong(std::move(items)));
    options.cursor = page->next_cursor;
  } while (!options.cursor.empty());
  co_return Decision<void>();
}

using Originals = std::set<std::string, std::less<>>;

// What of a series has an item although it lies in a stretch that is not kept: edited occurrences of an
// import. They are items wherever they are.
Task<Decision<void>> FindItems(Work& work, const data::Master& master, Time from, Time to, Originals& found) {
  if (from >= to) co_return Decision<void>();
  const data::SeriesInstancesParameters parameters{.master_id = *master.master_id,
                                                   .from = TextOf(from - days(2)).substr(0, 10),
                                                   .to = TextOf(to + days(2)).substr(0, 10) + "T235959"};
  model::typed::PageOptions options{.limit = kPageMax, .cursor = {}};
  do {
    auto page = co_await data::ReadSeriesInstances(work.session(), parameters, options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (const auto& item : page->items) {
      const auto* instance = std::get_if<data::Instance>(&item);
      if (instance != nullptr && instance->is_exception.value_or(false) && instance->original_local)
        found.insert(*instance->original_local);
    }
    options.cursor = page->next_cursor;
  } while (!options.cursor.empty());
  co_return Decision<void>();
}

// The occurrences of a series in a stretch that is not kept, except those that have items.
Decision<void> AddVirtual(const data::Master& master, Time from, Time to, const Originals& items,
                          Collector& collector) {
  if (from >= to) return {};
  auto originals = OccurrencesBetween(master, from, to + days(1));
  if (!originals) return std::unexpected(std::move(originals).error());
  if (originals->size() > kVirtualMax)
    return Refuse("window-too-large", "A series happens too often in this window: ask for a smaller one");
  if (originals->size() + collector.virtual_count() > kVirtualTotalMax)
    return Refuse("window-too-large", "The series happen too often in this window: ask for a smaller one");
  const std::vector<std::string> dates = DatesOf(*originals);
  std::vector<AgendaItem> instances;
  for (size_t i = 0; i < originals->size(); ++i) {
    ASSIGN_OR_RETURN(data::Instance instance, InstanceAt(master, (*originals)[i], dates[i]));
    const Time start = TimeOf(instance.start_utc);
    if (start < from || start >= to || items.contains(*instance.original_local)) continue;
    instance.instance_id = "virtual:" + *master.master_id + ":" + calendar::FormatLocal((*originals)[i]);
    instances.emplace_back(std::move(instance));
  }
  return collector.Add(std::move(instances), true);
}

// Beyond what is kept of every series: takes those further that end before the window, and expands what is
// then still missing. Windows around now have no part in this, unless there are dense series.
Task<Decision<void>> CoverSeries(Nexus& nexus, Work& work, const AgendaRequest& request, Time low, Time high,
                                 bool has_dense_series, Collector& collector) {
  const Time now = nexus.Now();
  const bool is_near = low >= now - kKeptBack && high <= now + kKeptAhead;
  if (is_near && !has_dense_series) co_return Decision<void>();
  const bool has_room = nexus.CheckRoom(work.user_id()).has_value();
  std::vector<data::Master> masters;
  model::typed::PageOptions options{.limit = kPageMax, .cursor = {}};
  do {
    auto page = co_await data::ReadMasters(work.session(), options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (data::Master& master : page->items) {
      if (master.target_type != data::SeriesTarget::kTask) masters.push_back(std::move(master));
    }
    options.cursor = page->next_cursor;
  } while (!options.cursor.empty() && masters.size() < kSeriesLookedAtMax);
  for (data::Master& master : masters) {
    const bool began_before = TimeOf(master.start_utc) < high;
    const Time first = TimeOf(*master.materialized_from);
    const bool has_early = first <= low || TimeOf(master.start_utc) >= first;
    const bool has_all = has_early && TimeOf(*master.materialized_until) >= high;
    const bool is_over = master.rrule_until && TimeOf(*master.rrule_until) < low - days(1);
    if (!began_before || has_all || is_over) continue;
    // What a job has not taken so far yet is left to it, or is as much as is kept of a dense series.
    if (request.cursor.empty() && has_room && !is_near) {
      auto grown = co_await GrowSeries(nexus, work.session().caller(), *master.master_id, low, high);
      // Gone meanwhile: it shows nothing. Where it cannot be written, it is expanded without items.
      if (!grown && grown.error().code == Code::kResourceNotFound) continue;
      if (grown) master = *std::move(grown);
    }
    const Time kept_from = TimeOf(*master.materialized_from), kept_until = TimeOf(*master.materialized_until);
    const Time early = std::min(high, kept_from), late = std::max(low, kept_until);
    Originals items;
    auto found = co_await FindItems(work, master, low, early, items);
    if (found) found = co_await FindItems(work, master, late, high, items);
    if (!found) co_return found;
    auto expand = [&]() -> Decision<void> {
      RETURN_IF_ERROR(AddVirtual(master, low, early, items, collector));
      return AddVirtual(master, late, high, items, collector);
    };
    CO_RETURN_IF_ERROR(co_await Aside(expand));
  }
  co_return Decision<void>();
}

Task<Decision<void>> ReadOverdue(Work& work, const AgendaRequest& request, Agenda& agenda) {
  const Time before = std::min(request.from, work.nexus().Now());
  const data::AgendaWindowParameters parameters{.from = TextOf(before - kOverdueReach),
                                                .to = TextOf(before - seconds(1))};
  model::typed::PageOptions options{.limit = kPageMax, .cursor = {}};
  int64_t inspected = 0;
  do {
    auto page = co_await data::ReadAgendaWindow(work.session(), parameters, options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    inspected += static_cast<int64_t>(page->items.size());
    for (AgendaItem& item : page->items) {
      auto* task = std::get_if<data::Task>(&item);
      if (task != nullptr && !IsDone(item)) agenda.overdue.push_back(std::move(*task));
    }
    options.cursor = page->next_cursor;
    if (agenda.overdue.size() > kOverdueMax || inspected > kOverdueInspectedMax) {
      agenda.overdue_truncated = true;
      agenda.overdue.resize(std::min(agenda.overdue.size(), kOverdueMax));
      co_return Decision<void>();
    }
  } while (!options.cursor.empty());
  co_return Decision<void>();
}

}  // namespace

Task<Decision<Agenda>> ReadAgenda(Nexus& nexus, model::Caller caller, AgendaRequest request) {
  Work work(nexus, caller);
  CO_ASSIGN_OR_RETURN(const auto after, PositionIn(work, request));
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  Collector collector(request, after);
  const seconds longest(*settings->max_event_seconds);
  CO_ASSIGN_OR_RETURN(const Reach reach, ReachIn(request, longest));
  Time low = request.from - longest - reach.before;
  if (after) low = std::max(low, Time(seconds(after->start)) - reach.before);
  const Time high = request.to + reach.behind;
  const bool wants_events = request.kinds.empty() ||
                            std::ranges::find(request.kinds, AgendaKind::kEvent) != request.kinds.end() ||
                            std::ranges::find(request.kinds, AgendaKind::kInstance) != request.kinds.end();
  if (wants_events) {
    auto covered = co_await CoverSeries(nexus, work, request, low, high,
                                        settings->has_dense_series.value_or(false), collector);
    if (!covered) co_return std::unexpected(std::move(covered).error());
    auto longer = co_await ReadLongEvents(work, request.from - reach.before, collector);
    if (!longer) co_return std::unexpected(std::move(longer).error());
  }
  auto read = co_await ReadWindow(work, low, high, reach, collector);
  if (!read) co_return std::unexpected(std::move(read).error());
  Agenda agenda;
  auto take = [&] { return collector.TakeInto(agenda); };
  if (co_await Aside(take, collector.length())) {
    const Position last = PositionOf(agenda.entries.back());
    agenda.next_cursor =
        nexus.database().cursors().Seal(std::to_string(last.start) + " " + last.id, BoundTo(work, request));
  }
  if (request.with_overdue && request.cursor.empty()) {
    auto overdue = co_await ReadOverdue(work, request, agenda);
    if (!overdue) co_return std::unexpected(std::move(overdue).error());
  }
  co_return agenda;
}

}  // namespace cairn::nexus
