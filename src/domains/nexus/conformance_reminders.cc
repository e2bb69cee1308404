#include <algorithm>
#include <map>
#include <set>

#include "domains/nexus/conformance.h"
#include "domains/nexus/following.h"
#include "domains/nexus/series_reminders.h"
#include "domains/nexus/series_store.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/times.h"

namespace cairn::nexus {
namespace {

using std::chrono::minutes;

constexpr size_t kTable = 0;  // the model has one
constexpr int64_t kPageMax = 100;
constexpr std::string_view kUserPrefix = "USER#";

class ReminderCheck {
 public:
  // `jobs` are the user's.
  ReminderCheck(Nexus& nexus, const std::string& user_id, std::vector<jobs::Job> jobs)
      : nexus_(nexus), work_(nexus, model::Caller::User({{"sub", user_id}})), jobs_(std::move(jobs)) {}

  int64_t waiting() const { return waiting_; }

  Task<Decision<std::vector<std::string>>> Run() {
    auto read = co_await ReadAll();
    if (!read) co_return std::unexpected(std::move(read).error());
    for (const auto& [id, reminder] : reminders_) {
      if (!IsWaiting(reminder)) continue;
      ++waiting_;
      if (!planned_.contains({id, TimeOf(*reminder.trigger_utc)}))
        Report(reminder, "waits, and has no job at its moment");
      if (!reminder.minutes_before) continue;
      auto target = co_await TargetOf(work_, reminder);
      if (!target) co_return std::unexpected(std::move(target).error());
      CheckTarget(reminder, *target);
    }
    for (const data::Master& master : masters_) {
      auto checked = co_await CheckSeries(master);
      if (!checked) co_return std::unexpected(std::move(checked).error());
    }
    co_return std::move(findings_);
  }

 private:
  void Report(const Reminder& reminder, const std::string& what) {
    findings_.push_back("reminder " + *reminder.reminder_id + " (" + reminder.title.value_or("") + ", " +
                        reminder.trigger_utc.value_or("no moment") + ") " + what);
  }

  Task<Decision<void>> ReadAll() {
    auto settings = co_await ReadSettings(work_);
    if (!settings) co_return std::unexpected(std::move(settings).error());
    zone_ = *settings->timezone;
    model::typed::PageOptions options{.limit = 100, .cursor = {}};
    do {
      auto page = co_await data::ReadReminders(work_.session(), options);
      if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
      for (Reminder& reminder : page->items) reminders_.emplace(*reminder.reminder_id, std::move(reminder));
      options.cursor = page->next_cursor;
    } while (!options.cursor.empty());
    do {
      auto page = co_await data::ReadMasters(work_.session(), options);
      if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
      for (data::Master& master : page->items) masters_.push_back(std::move(master));
      options.cursor = page->next_cursor;
    } while (!options.cursor.empty());
    for (const jobs::Job& job : jobs_) {
      // One that has failed comes later than its moment.
      if (job.kind != kFireJob) continue;
      planned_.insert({job.argument, job.due});
      const auto found = reminders_.find(job.argument);
      const bool has_failed = job.attempts > 0 && found != reminders_.end() && found->second.trigger_utc &&
                              TimeOf(*found->second.trigger_utc) <= job.due;
      if (has_failed) planned_.insert({job.argument, TimeOf(*found->second.trigger_utc)});
    }
    co_return Decision<void>();
  }

  void CheckTarget(const Reminder& reminder, const std::optional<Target>& target) {
    if (!target) return Report(reminder, "waits for what is gone, or does not want it");
    const std::string right = TextOf(target->start - minutes(*reminder.minutes_before));
    const auto& snoozed = reminder.snooze_state;
    const bool is_put_off = snoozed && snoozed->original_trigger_utc == right;
    if (reminder.trigger_utc != right && !is_put_off) Report(reminder, "should wait for " + right);
  }

  Task<Decision<void>> CheckSeries(const data::Master& master) {
    if (master.target_type == data::SeriesTarget::kTask || !master.reminder_minutes)
      co_return Decision<void>();
    auto instances = co_await ReadAllInstances(work_, *master.master_id);
    if (!instances) co_return std::unexpected(std::move(instances).error());
    std::ranges::sort(*instances, {}, &data::Instance::start_utc);
    for (const int64_t distance : DistancesOf(master)) {
      for (const data::Instance& instance : *instances) {
        if (instance.is_cancelled.value_or(false) || instance.is_exception.value_or(false)) continue;
        const auto wanted = DistancesOf(master, instance);
        if (std::ranges::find(wanted, distance) == wanted.end()) continue;
        CO_ASSIGN_OR_RETURN(const Span span, SpanIn(TimesOf(instance), zone_));
        const Time trigger = span.start - minutes(distance);
        const auto found = reminders_.find(FollowingId(*instance.instance_id, distance));
        // Not fired yet, as after a time without a server: that makes the next one.
        const bool is_due = trigger <= nexus_.Now();
        if (is_due && found != reminders_.end() && IsWaiting(found->second)) break;
        if (is_due) continue;
        const bool is_settled =
            found != reminders_.end() && found->second.state != data::ReminderState::kScheduled;
        if (is_settled) continue;  // it was dismissed or put off: the one after it is the next
        if (found == reminders_.end()) {
          findings_.push_back("series " + *master.master_id + " (" + master.title + ") has no reminder of " +
                              instance.start_utc + ", " + std::to_string(distance) + " minutes before");
        }
        break;
      }
    }
    co_return Decision<void>();
  }

  Nexus& nexus_;
  Work work_;
  const std::vector<jobs::Job> jobs_;
  int64_t waiting_ = 0;
  std::string zone_;
  std::map<std::string, Reminder> reminders_;
  std::vector<data::Master> masters_;
  std::set<std::pair<std::string, Time>> planned_;
  std::vector<std::string> findings_;
};

std::string TextIn(const item::PackedItem& item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->is(item::Type::kString) ? value->string() : "";
}

// Everybody who has a reminder or a series.
Task<Decision<std::set<std::string>>> UsersWithReminders(Nexus& nexus) {
  std::set<std::string> users;
  store::ScanRequest request;
  request.table = nexus.database().physical_name(kTable);
  do {
    auto page = co_await nexus.database().store().Scan(request);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (const item::PackedItem& item : page->items) {
      const std::string type = TextIn(item, "entityType"), pk = TextIn(item, "PK");
      if ((type == "REMINDER" || type == "MASTER") && pk.starts_with(kUserPrefix))
        users.insert(pk.substr(kUserPrefix.size()));
    }
    request.exclusive_start_key = std::move(page->last_evaluated_key);
  } while (request.exclusive_start_key);
  co_return users;
}

Task<Decision<std::map<std::string, std::vector<jobs::Job>>>> FireJobsByUser(Nexus& nexus) {
  std::map<std::string, std::vector<jobs::Job>> by_user;
  for (const jobs::Lane lane : {jobs::Lane::kPrompt, jobs::Lane::kPatient}) {
    for (int64_t shard = 0; shard < jobs::kShards; ++shard) {
      std::optional<jobs::Job> after;
      for (;;) {
        auto page = co_await nexus.jobs().DueAfter(lane, shard, after, jobs::kEndOfTime, kPageMax - 1);
        if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
        if (page->empty()) break;
        after = page->back();
        for (jobs::Job& job : *page) {
          if (job.kind == kFireJob) by_user[job.user_id].push_back(std::move(job));
        }
      }
    }
  }
  co_return by_user;
}

}  // namespace

Task<Decision<std::vector<std::string>>> CheckReminders(Nexus& nexus, std::string user_id) {
  auto jobs = co_await nexus.jobs().Pending(user_id, jobs::kEndOfTime);
  if (!jobs) co_return std::unexpected(Refusal(std::move(jobs).error()));
  ReminderCheck check(nexus, user_id, *std::move(jobs));
  co_return co_await check.Run();
}

Task<Decision<RemindersInspection>> InspectReminders(Nexus& nexus) {
  auto users = co_await UsersWithReminders(nexus);
  if (!users) co_return std::unexpected(std::move(users).error());
  auto jobs = co_await FireJobsByUser(nexus);
  if (!jobs) co_return std::unexpected(std::move(jobs).error());
  RemindersInspection inspection;
  for (const std::string& user_id : *users) {
    ReminderCheck check(nexus, user_id, std::move((*jobs)[user_id]));
    auto findings = co_await check.Run();
    if (!findings) co_return std::unexpected(std::move(findings).error());
    ++inspection.users;
    inspection.waiting += check.waiting();
    for (const std::string& finding : *findings)
      inspection.findings.push_back("user " + user_id + ": " + finding);
  }
  co_return inspection;
}

}  // namespace cairn::nexus
