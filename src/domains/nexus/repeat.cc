#include "domains/nexus/repeat.h"

#include <algorithm>
#include <chrono>

#include "base/aside.h"
#include "calendar/recurrence.h"
#include "calendar/zone.h"
#include "domains/nexus/following.h"
#include "domains/nexus/settings.h"

namespace cairn::nexus {
namespace {

using calendar::LocalTime;

constexpr size_t kExdatesMax = 1'000;  // as the model has it
constexpr size_t kSkippedMax = 1'000;  // as the model has it; more are not counted
constexpr int64_t kFirstVersion = 1;   // of an item that was created and not touched since
// A task is due at a moment; the model of a series has an end as well.
constexpr std::chrono::seconds kDueLasts{1};

// ---- days of a series: "2026-11-16", or "2026-11-16T180000" for a further one of the same day

std::string DayOf(LocalTime time) { return calendar::FormatLocal(time).substr(0, 10); }

// The occurrence that a copy stands for.
Result<LocalTime> OccurrenceOf(const calendar::Series& series, std::string_view date) {
  const std::string day(date.substr(0, 10));
  if (date.size() > day.size()) {
    const std::string_view clock = date.substr(day.size() + 1);
    std::string text = day + "T";
    text.append(clock.substr(0, 2))
        .append(":")
        .append(clock.substr(2, 2))
        .append(":")
        .append(clock.substr(4));
    return calendar::ParseLocal(text);
  }
  ASSIGN_OR_RETURN(const LocalTime midnight, calendar::ParseLocal(day + "T00:00:00"));
  if (midnight <= calendar::kLocalMin) return midnight;
  ASSIGN_OR_RETURN(const auto first, calendar::NextOccurrence(series, midnight - std::chrono::seconds(1)));
  return first && DayOf(*first) == day ? *first : midnight;
}

// The date of a copy that follows another one. It has a time unless it is the first of its day, whether that
// had a copy or was skipped.
Result<std::string> DateOf(const calendar::Series& series, LocalTime time, std::string_view date_before) {
  std::string text = DayOf(time);
  if (!date_before.starts_with(text)) {
    ASSIGN_OR_RETURN(const LocalTime first, OccurrenceOf(series, text));
    if (first == time) return text;
  }
  std::string clock = calendar::FormatLocal(time).substr(10);
  std::erase(clock, ':');
  return text + clock;
}

// ---- masters

Result<calendar::Series> SeriesOf(const data::Master& master) {
  const std::string zone = master.start_tzid.value_or("");
  LocalTime start;
  if (master.start_local) {
    ASSIGN_OR_RETURN(start, calendar::ParseLocal(*master.start_local));
  } else {
    ASSIGN_OR_RETURN(start, calendar::ToLocal(TimeOf(master.start_utc), zone.empty() ? "UTC" : zone));
  }
  ASSIGN_OR_RETURN(calendar::Rule rule, calendar::Rule::Parse(master.rrule, start, zone));
  calendar::Series series{.rule = std::move(rule), .start = start, .exdates = {}, .rdates = {}};
  for (const auto& [texts, times] :
       {std::pair(&master.exdates, &series.exdates), {&master.rdates, &series.rdates}}) {
    if (!*texts) continue;
    for (const std::string& text : **texts) {
      ASSIGN_OR_RETURN(const LocalTime time, calendar::ParseLocal(text));
      times->push_back(time);
    }
  }
  return series;
}

std::string AsIfUtc(LocalTime time) { return calendar::FormatLocal(time) + "Z"; }

Task<Decision<std::string>> ZoneOfUser(Work& work) {
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  co_return settings->timezone.value_or("UTC");
}

Task<Decision<std::optional<data::Master>>> MasterOf(Work& work, const data::Task& copy) {
  const data::MasterKey key{.master_id = *copy.master_id};
  co_return co_await work.Find<data::Master>(key);
}

// ---- copies

using Copies = std::vector<data::Task>;

Task<Decision<Copies>> CopiesBetween(Work& work, const data::Task& copy, std::string from, std::string to,
                                     int64_t limit) {
  const data::SeriesInstancesParameters parameters{
      .master_id = *copy.master_id, .from = std::move(from), .to = std::move(to)};
  const model::typed::PageOptions options{.limit = limit, .cursor = {}, .bytes_max = SIZE_MAX};
  auto page = co_await data::ReadSeriesInstances(work.session(), parameters, options);
  if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
  Copies copies;
  for (data::SeriesInstancesItem& item : page->items) {
    auto* task = std::get_if<data::Task>(&item);
    if (task != nullptr && task->task_id != copy.task_id) copies.push_back(std::move(*task));
  }
  co_return copies;
}
Task<Decision<Copies>> CopiesAfter(Work& work, const data::Task& copy) {
  return CopiesBetween(work, copy, *copy.date, "9999-12-31T235959", 100);
}
Task<Decision<Copies>> CopiesBefore(Work& work, const data::Task& copy) {
  return CopiesBetween(work, copy, "0001-01-01", *copy.date, 2);
}

// The occurrence after `current` that is not over yet, and how many are skipped on the way to it.
struct NextDue {
  std::optional<LocalTime> time;
  int64_t skipped = 0;
};
Result<NextDue> NextDueAfter(const calendar::Series& series, LocalTime current, LocalTime now) {
  NextDue next;
  ASSIGN_OR_RETURN(next.time, calendar::NextOccurrence(series, std::max(current, now)));
  if (now <= current) return next;
  const std::chrono::seconds tick(1);
  const auto over = calendar::Occurrences(series, current + tick, now + tick, kSkippedMax);
  if (!over && over.error().code != Code::kLimitExceeded) return std::unexpected(over.error());
  next.skipped = static_cast<int64_t>(over ? over->size() : kSkippedMax);
  return next;
}

// The copy that follows; nothing when the series has come to its end. The id is made of its day, so that
// there cannot be two.
Task<Decision<std::optional<data::Task>>> NextCopy(Work& work, const data::Master& master,
                                                   const data::Task& copy) {
  const auto series = SeriesOf(master);
  if (!series) co_return std::unexpected(Refusal(series.error()));
  const auto current = OccurrenceOf(*series, *copy.date);
  if (!current) co_return std::unexpected(Refusal(current.error()));
  std::string zone = master.start_tzid.value_or("");
  if (zone.empty()) {
    auto own = co_await ZoneOfUser(work);
    if (!own) co_return std::unexpected(std::move(own).error());
    zone = *std::move(own);
  }
  const auto now = calendar::ToLocal(work.nexus().Now(), zone);
  if (!now) co_return std::unexpected(Refusal(now.error()));
  auto find = [&] { return NextDueAfter(*series, *current, *now); };
  const auto next = co_await Aside(find);
  if (!next) co_return std::unexpected(Refusal(next.error()));
  if (!next->time) co_return std::nullopt;
  const auto due = calendar::ToInstant(*next->time, zone);
  if (!due) co_return std::unexpected(Refusal(due.error()));
  data::Task made;
  auto date = DateOf(*series, *next->time, *copy.date);
  if (!date) co_return std::unexpected(Refusal(date.error()));
  made.date = *std::move(date);
  if (next->skipped > 0) made.skipped_before = next->skipped;
  made.task_id = PrefixedId("task_", *master.master_id + "/" + *made.date, "copy");
  made.title = master.title;
  made.description = master.description;
  made.tags = master.tags;
  made.status = TaskStatus::kTodo;
  made.priority = master.priority.value_or(3);
  made.due_utc = TextOf(*due);
  made.master_id = master.master_id;
  co_return made;
}

Task<Decision<void>> StageCopy(Work& work, data::Task copy) {
  auto placed = co_await PlaceCard(work, copy, {});
  if (!placed) co_return placed;
  auto created = work.StageNew(copy);
  if (!created) co_return std::unexpected(std::move(created).error());
  co_return Decision<void>();
}

Task<Decision<void>> StageNext(Work& work, const data::Task& copy) {
  auto master = co_await MasterOf(work, copy);
  if (!master) co_return std::unexpected(std::move(master).error());
  if (!*master) co_return Decision<void>();
  auto next = co_await NextCopy(work, **master, copy);
  if (!next) co_return std::unexpected(std::move(next).error());
  if (!*next) co_return Decision<void>();
  // A series that ends meanwhile leaves no copy behind.
  auto checked =
      model::typed::Check(work.session(), data::kModelIdentity, data::Master::kEntity,
                          data::KeyOf(**master).ToItem(), model::typed::Expected((*master)->version));
  if (!checked) co_return std::unexpected(Refusal(std::move(checked).error()));
  co_return co_await StageCopy(work, **std::move(next));
}

// Skips an open copy: its occurrence does not take place, and the next one does.
Task<Decision<void>> StageSkip(Work& work, data::Master master, const data::Task& copy) {
  auto next = co_await NextCopy(work, master, copy);
  if (!next) co_return std::unexpected(std::move(next).error());
  if (!*next) {
    auto earlier = co_await CopiesBefore(work, copy);
    if (!earlier) co_return std::unexpected(std::move(earlier).error());
    if (earlier->empty()) co_return work.StageDelete(master);
    co_return Decision<void>();
  }
  const auto series = SeriesOf(master);
  if (!series) co_return std::unexpected(Refusal(series.error()));
  const auto skipped = OccurrenceOf(*series, *copy.date);
  if (!skipped) co_return std::unexpected(Refusal(skipped.error()));
  auto& exdates = master.exdates ? *master.exdates : master.exdates.emplace();
  // The oldest ones lie before every copy that is left, and mean nothing any more.
  if (exdates.size() >= kExdatesMax) exdates.erase(exdates.begin());
  exdates.push_back(calendar::FormatLocal(*skipped));
  auto changed = work.StageChange(std::move(master));
  if (!changed) co_return std::unexpected(std::move(changed).error());
  co_return co_await StageCopy(work, **std::move(next));
}

bool IsCopy(const data::Task& task) { return task.master_id && task.date; }

}  // namespace

Task<Decision<void>> BeginSeries(Work& work, const NewTask& request, data::Task& task) {
  if (!IsOpen(*task.status)) co_return RefuseField("status", "of a recurring task must be an open one");
  if (!request.due_utc) co_return RefuseField("dueUtc", "is required with rrule: when is the first one due?");
  auto zone = co_await ZoneOfUser(work);
  if (!zone) co_return std::unexpected(std::move(zone).error());
  const bool floats = request.start_tzid && !*request.start_tzid;
  if (request.start_tzid && *request.start_tzid) zone = **request.start_tzid;
  const auto start = calendar::ToLocal(TimeOf(*request.due_utc), *zone);
  if (!start) co_return RefuseField("dueUtc", start.error().message);
  const auto rule = calendar::Rule::Parse(*request.rrule, *start, floats ? "" : *zone);
  if (!rule) co_return RefuseField("rrule", rule.error().message);
  const calendar::Series series{.rule = *rule, .start = *start, .exdates = {}, .rdates = {}};
  const auto first = calendar::NextOccurrence(series, *start - std::chrono::seconds(1));
  if (!first) co_return RefuseField("rrule", first.error().message);
  if (!*first) co_return RefuseField("rrule", "has no occurrence from dueUtc on");
  const auto due = calendar::ToInstant(**first, *zone);
  if (!due) co_return RefuseField("rrule", due.error().message);

  data::Master master;
  master.title = request.title;
  master.description = request.description;
  master.tags = request.tags;
  master.priority = task.priority;
  master.target_type = data::SeriesTarget::kTask;
  master.rrule = rule->text();
  if (!floats) master.start_tzid = *zone;
  master.start_local = calendar::FormatLocal(*start);
  master.start_utc = floats ? AsIfUtc(*start) : *request.due_utc;
  master.end_utc = TextOf(TimeOf(master.start_utc) + kDueLasts);
  if (const auto until = rule->until()) {
    const auto moment = calendar::ToInstantNotAfter(*until, floats ? "UTC" : *zone);
    if (!moment) co_return RefuseField("rrule", moment.error().message);
    master.rrule_until = TextOf(*moment);
  }
  auto created = work.StageNew(master);
  if (!created) co_return std::unexpected(std::move(created).error());
  task.master_id = created->master_id;
  task.date = DayOf(**first);
  task.due_utc = TextOf(*due);
  co_return Decision<void>();
}

Task<Decision<void>> ChangeSeries(Work& work, const data::Task& before,
                                  const std::optional<std::string>& rrule, data::Task& after) {
  if (!IsOpen(*before.status) || !IsOpen(*after.status))
    co_return RefuseField("rrule", "can be changed of an open task only");
  NewTask request{.title = after.title,
                  .description = after.description,
                  .status = {},
                  .priority = {},
                  .due_utc = after.due_utc,
                  .tags = after.tags,
                  .rrule = rrule,
                  .start_tzid = {}};
  if (IsCopy(before)) {
    auto master = co_await MasterOf(work, before);
    if (!master) co_return std::unexpected(std::move(master).error());
    if (*master) request.start_tzid.emplace((*master)->start_tzid);
    auto ended = co_await FollowDelete(work, before, DeleteScope::kAll);
    if (!ended) co_return ended;
    after.master_id.reset();
    after.date.reset();
  }
  if (!rrule) co_return Decision<void>();
  co_return co_await BeginSeries(work, request, after);
}

Task<Decision<void>> FollowStatus(Work& work, const data::Task& before, const data::Task& after) {
  if (!IsCopy(before)) co_return Decision<void>();
  const bool is_done_now = after.status == TaskStatus::kDone && before.status != TaskStatus::kDone;
  const bool is_open_again = IsOpen(*after.status) && !IsOpen(*before.status);
  if (!is_done_now && !is_open_again) co_return Decision<void>();
  auto later = co_await CopiesAfter(work, before);
  if (!later) co_return std::unexpected(std::move(later).error());
  if (is_done_now) {
    if (!later->empty()) co_return Decision<void>();  // it had made its next one before
    co_return co_await StageNext(work, before);
  }
  if (later->empty()) co_return Decision<void>();
  const data::Task& next = later->front();
  if (later->size() > 1 || next.version != kFirstVersion) {
    co_return RefuseConflict(
        "next-copy-changed",
        "The next copy of this recurring task was changed already: delete that one first, or "
        "leave this one as it is");
  }
  co_return work.StageDelete(next);
}

Task<Decision<void>> FollowDelete(Work& work, const data::Task& task, DeleteScope scope) {
  if (!IsCopy(task)) co_return Decision<void>();
  auto master = co_await MasterOf(work, task);
  if (!master) co_return std::unexpected(std::move(master).error());
  if (!*master) co_return Decision<void>();
  auto later = co_await CopiesAfter(work, task);
  if (!later) co_return std::unexpected(std::move(later).error());
  if (scope == DeleteScope::kAll) {
    for (const data::Task& copy : *later) {
      if (!IsOpen(*copy.status)) continue;
      auto forgotten = co_await StageForgetting(work, copy);
      if (!forgotten) co_return forgotten;
      auto staged = work.StageDelete(copy);
      if (!staged) co_return staged;
    }
    co_return work.StageDelete(**master);
  }
  if (!later->empty()) co_return Decision<void>();
  co_return co_await StageSkip(work, **std::move(master), task);
}

}  // namespace cairn::nexus
