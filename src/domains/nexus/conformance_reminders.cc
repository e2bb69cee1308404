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

class ReminderCheck {
 public:
  ReminderCheck(Nexus& nexus, std::string user_id)
      : nexus_(nexus), work_(nexus, model::Caller::User({{"sub", user_id}})), user_id_(std::move(user_id)) {}

  Task<Decision<std::vector<std::string>>> Run() {
    auto read = co_await ReadAll();
    if (!read) co_return std::unexpected(std::move(read).error());
    for (const auto& [id, reminder] : reminders_) {
      if (!IsWaiting(reminder)) continue;
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
    auto jobs = co_await nexus_.jobs().Pending(user_id_, jobs::kEndOfTime);
    if (!jobs) co_return std::unexpected(Refusal(std::move(jobs).error()));
    for (const jobs::Job& job : *jobs) {
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
        if (trigger <= nexus_.Now()) continue;
        const auto found = reminders_.find(FollowingId(*instance.instance_id, distance));
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
  const std::string user_id_;
  std::string zone_;
  std::map<std::string, Reminder> reminders_;
  std::vector<data::Master> masters_;
  std::set<std::pair<std::string, Time>> planned_;
  std::vector<std::string> findings_;
};

}  // namespace

Task<Decision<std::vector<std::string>>> CheckReminders(Nexus& nexus, std::string user_id) {
  ReminderCheck check(nexus, std::move(user_id));
  co_return co_await check.Run();
}

}  // namespace cairn::nexus
