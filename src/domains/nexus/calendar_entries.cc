#include "domains/nexus/calendar_entries.h"

#include <algorithm>
#include <set>

#include "domains/nexus/ics/date_time.h"
#include "domains/nexus/instance_plan.h"
#include "domains/nexus/times.h"

namespace cairn::nexus {
namespace {

using data::TaskStatus;
using std::chrono::seconds;

constexpr std::string_view kOwnSuffix = "@cairn";
constexpr const char* kUntitled = "Untitled";
// Ours are four: 1 is the highest of both.
constexpr int64_t kPriorityOut[] = {1, 3, 5, 9};
constexpr int64_t kPriorityIn[] = {3, 1, 1, 2, 2, 3, 3, 4, 4, 4};

std::string UidOr(const std::optional<std::string>& uid, const std::string& id) {
  return uid ? *uid : id + std::string(kOwnSuffix);
}

LocalTime WallOf(const std::string& text) {
  const auto local = calendar::ParseLocal(text);
  return local ? *local : LocalTime();
}

// One end, by its zone's clock; in UTC where that shows the time twice and means the other one.
ics::When WhenOf(const std::string& local, const std::string& utc, const Times& times) {
  if (times.tzid) return ics::InZone(TimeOf(utc), *times.tzid);
  return {.wall = WallOf(local), .zone = {}, .is_date = times.all_day};
}

template <class T>
std::vector<T> SortedOf(const std::optional<model::typed::Set<T>>& set) {
  std::vector<T> values;
  if (set) values.assign(set->begin(), set->end());
  std::ranges::sort(values);
  return values;
}
template <class T>
std::optional<model::typed::Set<T>> SetOf(const std::vector<T>& values) {
  if (values.empty()) return std::nullopt;
  std::optional<model::typed::Set<T>> set;
  set.emplace(values.begin(), values.end());
  return set;
}
std::optional<std::string> IfAny(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

template <class T>
ics::Content ContentOf(const T& entity) {
  const Times times = TimesOf(entity);
  ics::Content content{.summary = {},
                       .description = entity.description.value_or(""),
                       .location = entity.location.value_or(""),
                       .categories = SortedOf(entity.tags),
                       .alarm_minutes = SortedOf(entity.reminder_minutes),
                       .start = WhenOf(times.start_local, times.start_utc, times),
                       .end = WhenOf(times.end_local, times.end_utc, times)};
  if constexpr (requires { entity.title.has_value(); }) {
    content.summary = entity.title.value_or("");
  } else {
    content.summary = entity.title;
  }
  return content;
}

std::optional<Time> MomentOf(const std::optional<std::string>& text) {
  return text ? std::optional(TimeOf(*text)) : std::nullopt;
}

std::vector<std::string> TextsOf(const std::vector<LocalTime>& locals) {
  std::vector<std::string> texts;
  for (const LocalTime local : locals) texts.push_back(calendar::FormatLocal(local));
  return texts;
}
std::optional<std::vector<std::string>> IfAny(std::vector<std::string> texts) {
  return texts.empty() ? std::nullopt : std::optional(std::move(texts));
}

// To others a series begins with its first occurrence.
Decision<Times> FirstTimes(const data::Master& master, const calendar::Series& series) {
  const calendar::Series rule_alone{.rule = series.rule, .start = series.start, .exdates = {}, .rdates = {}};
  const auto first = calendar::NextOccurrence(rule_alone, calendar::kLocalMin);
  if (!first) return std::unexpected(Refusal(first.error()));
  if (!*first || **first == series.start) return TimesOf(master);
  return TimesAt(**first, TimesOf(master));
}

Decision<bool> HasOccurrence(const calendar::Series& series, LocalTime local) {
  const auto found = calendar::Occurrences(series, local, local + seconds(1), 1);
  if (!found) return std::unexpected(Refusal(found.error()));
  return !found->empty();
}

// Where the rule ends and how often it happens says the rule; the attribute mirrors it (REQ-001-18).
Decision<void> SettleRule(data::Master& master) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  master.rrule = series.rule.text();
  master.rrule_until.reset();
  if (!series.rule.until()) return {};
  const auto instant = calendar::ToInstantNotAfter(*series.rule.until(), master.start_tzid.value_or("UTC"));
  if (!instant) return RefuseField("rrule", instant.error().message);
  master.rrule_until = TextOf(*instant);
  return {};
}

template <class T>
void SetTexts(T& entity, const ics::Content& content) {
  entity.title = content.summary.empty() ? kUntitled : content.summary;
  entity.location = IfAny(content.location);
  entity.tags = SetOf(content.categories);
}

TaskStatus StatusOf(const ics::Todo& todo) {
  const auto texts = data::TextsOf(TaskStatus());
  const auto own = std::ranges::find(texts, todo.own_status);
  const auto status = static_cast<TaskStatus>(own - texts.begin());
  const bool is_ours = own != texts.end();
  // Another program that changed the status did not know ours.
  switch (todo.status) {
    case ics::TodoStatus::kCompleted:
      return TaskStatus::kDone;
    case ics::TodoStatus::kCancelled:
      return TaskStatus::kArchived;
    case ics::TodoStatus::kInProcess:
      return TaskStatus::kInProgress;
    case ics::TodoStatus::kNeedsAction:
      break;
  }
  const bool is_open =
      status == TaskStatus::kBacklog || status == TaskStatus::kTodo || status == TaskStatus::kBlocked;
  return is_ours && is_open ? status : TaskStatus::kTodo;
}

}  // namespace

ics::Event EntryOf(const data::Event& event) {
  return {.uid = UidOf(event),
          .content = ContentOf(event),
          .rrule = {},
          .exdates = {},
          .rdates = {},
          .overrides = {},
          .created = MomentOf(event.created_at),
          .modified = MomentOf(event.updated_at)};
}

Decision<ics::Event> EntryOf(const data::Master& master, const std::vector<data::Instance>& exceptions) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  ASSIGN_OR_RETURN(const Times first, FirstTimes(master, series));
  data::Master shown = master;
  shown.start_local = first.start_local;
  shown.end_local = first.end_local;
  shown.start_utc = first.start_utc;
  shown.end_utc = first.end_utc;
  ics::Event entry{.uid = UidOf(master),
                   .content = ContentOf(shown),
                   .rrule = series.rule.text(),
                   .exdates = series.exdates,
                   .rdates = series.rdates,
                   .overrides = {},
                   .created = MomentOf(master.created_at),
                   .modified = MomentOf(master.updated_at)};
  // The rule runs by the clock on the wall: the start always has its zone.
  entry.content.start = {
      .wall = WallOf(first.start_local), .zone = first.tzid.value_or(""), .is_date = first.all_day};
  for (const data::Instance& exception : exceptions) {
    const LocalTime original = WallOf(exception.original_local.value_or(exception.start_utc.substr(0, 19)));
    ASSIGN_OR_RETURN(const bool is_in_rule, HasOccurrence(series, original));
    if (!is_in_rule) {
      std::erase(entry.exdates, original);
      entry.rdates.push_back(original);
    }
    data::Instance whole = exception;
    if (!whole.title) whole.title = master.title;
    if (!whole.description) whole.description = master.description;
    if (!whole.reminder_minutes) whole.reminder_minutes = master.reminder_minutes;
    entry.overrides.push_back(
        {.original = original, .content = ContentOf(whole), .modified = MomentOf(exception.updated_at)});
  }
  std::ranges::sort(entry.exdates);
  std::ranges::sort(entry.rdates);
  const auto repeated = std::ranges::unique(entry.rdates);
  entry.rdates.erase(repeated.begin(), repeated.end());
  std::ranges::sort(entry.overrides, {}, &ics::Override::original);
  return entry;
}

ics::Todo EntryOf(const data::Task& task) {
  const TaskStatus status = task.status.value_or(TaskStatus::kBacklog);
  ics::Todo todo{.uid = UidOf(task),
                 .summary = task.title,
                 .description = task.description.value_or(""),
                 .categories = SortedOf(task.tags),
                 .priority = kPriorityOut[std::clamp<int64_t>(task.priority.value_or(3), 1, 4) - 1],
                 .own_status = std::string(data::TextsOf(status)[static_cast<size_t>(status)]),
                 .completed = MomentOf(task.completed_at),
                 .created = MomentOf(task.created_at),
                 .modified = MomentOf(task.updated_at)};
  if (task.due_utc) todo.due = ics::InZone(TimeOf(*task.due_utc), "UTC");
  if (status == TaskStatus::kInProgress) todo.status = ics::TodoStatus::kInProcess;
  if (status == TaskStatus::kDone) todo.status = ics::TodoStatus::kCompleted;
  if (status == TaskStatus::kArchived) todo.status = ics::TodoStatus::kCancelled;
  return todo;
}

Decision<Times> TimesOf(const ics::Content& content) {
  GivenTimes given;
  given.all_day = content.start.is_date;
  given.tzid = IfAny(content.start.zone);
  given.start_local = calendar::FormatLocal(content.start.wall);
  if (content.end.zone == content.start.zone) {
    given.end_local = calendar::FormatLocal(content.end.wall);
  } else {
    const auto end = ics::InstantOf(content.end);
    if (!end) return RefuseField("endUtc", "is too far away");
    given.end_utc = TextOf(*end);
  }
  return MakeTimes(given);
}

Decision<void> SetContent(data::Event& event, const ics::Content& content) {
  ASSIGN_OR_RETURN(const Times times, TimesOf(content));
  SetTimes(event, times);
  SetTexts(event, content);
  event.description = IfAny(content.description);
  event.reminder_minutes = SetOf(content.alarm_minutes);
  return {};
}

Decision<void> SetContent(data::Master& master, const ics::Event& entry) {
  ASSIGN_OR_RETURN(const Times times, TimesOf(entry.content));
  SetTimes(master, times);
  SetTexts(master, entry.content);
  master.description = IfAny(entry.content.description);
  master.reminder_minutes = SetOf(entry.content.alarm_minutes);
  master.target_type = data::SeriesTarget::kEvent;
  master.rrule = entry.rrule;
  master.exdates = IfAny(TextsOf(entry.exdates));
  master.rdates = IfAny(TextsOf(entry.rdates));
  return SettleRule(master);
}

Decision<void> SetContent(data::Instance& instance, const ics::Content& content, const data::Master& master) {
  ASSIGN_OR_RETURN(const Times times, TimesOf(content));
  SetTimes(instance, times);
  SetTexts(instance, content);
  instance.description.reset();
  if (content.description != master.description.value_or("")) instance.description = content.description;
  instance.reminder_minutes.reset();
  if (content.alarm_minutes != SortedOf(master.reminder_minutes))
    instance.reminder_minutes = SetOf(content.alarm_minutes);
  instance.is_exception = true;
  instance.is_cancelled = false;
  return {};
}

Decision<void> SetContent(data::Task& task, const ics::Todo& todo, const std::string& zone,
                          const std::string& now) {
  task.title = todo.summary.empty() ? kUntitled : todo.summary;
  task.description = IfAny(todo.description);
  task.tags = SetOf(todo.categories);
  task.priority = kPriorityIn[std::clamp<int64_t>(todo.priority, 0, 9)];
  task.due_utc.reset();
  if (todo.due) {
    ics::When due = *todo.due;
    // Due on a day is due until it is over.
    if (due.is_date) due.wall += std::chrono::hours(24) - std::chrono::minutes(1);
    const auto moment = ics::InstantOf(due, zone);
    if (!moment) return RefuseField("dueUtc", "is too far away");
    task.due_utc = TextOf(*moment);
  }
  // The copies of a task that repeats are moved by its own rules.
  if (!task.master_id || !task.version) task.status = StatusOf(todo);
  if (task.status == TaskStatus::kDone) {
    if (todo.completed) task.completed_at = TextOf(*todo.completed);
    if (!task.completed_at) task.completed_at = now;
  } else {
    task.completed_at.reset();
  }
  return {};
}

std::string UidOf(const data::Event& event) { return UidOr(event.uid, *event.event_id); }
std::string UidOf(const data::Master& master) { return UidOr(master.uid, *master.master_id); }
std::string UidOf(const data::Task& task) { return UidOr(task.uid, *task.task_id); }

std::optional<std::string> OwnIdIn(const std::string& uid, std::string_view prefix) {
  constexpr size_t kUuidBytes = 36;
  if (uid.size() != prefix.size() + kUuidBytes + kOwnSuffix.size()) return std::nullopt;
  if (!uid.starts_with(prefix) || !uid.ends_with(kOwnSuffix)) return std::nullopt;
  const std::string id = uid.substr(0, prefix.size() + kUuidBytes);
  for (size_t i = 0; i < kUuidBytes; ++i) {
    const char c = id[prefix.size() + i];
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    if (is_dash ? c != '-' : !is_hex) return std::nullopt;
  }
  return id;
}

std::string ImportedId(std::string_view prefix, const std::string& user_id, const std::string& uid) {
  // With the user: the index of a series has only its id for a partition.
  return PrefixedId(prefix, user_id + "\n" + uid, "import");
}

}  // namespace cairn::nexus
