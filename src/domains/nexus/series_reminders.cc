#include "domains/nexus/series_reminders.h"

#include <algorithm>

#include "base/yield.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/times.h"

namespace cairn::nexus {
namespace {

using std::chrono::minutes;

constexpr int64_t kLookedAtOnce = 20;

struct NextOccurrence {
  data::Instance instance;
  Time start;
};

// Whether an occurrence has had its reminder, or has it put off: the next one comes after it.
bool IsSettled(const Reminder& reminder, Time trigger) {
  if (reminder.state == data::ReminderState::kScheduled) return false;
  const auto& snoozed = reminder.snooze_state;
  const std::string text = TextOf(trigger);
  return reminder.trigger_utc == text || (snoozed && snoozed->original_trigger_utc == text);
}

// The occurrences whose reminders at this distance are next: one as the rule has it, after those that were
// edited on their own and come before it. `ended` is the one whose reminder waits no more.
Task<Decision<std::vector<NextOccurrence>>> FindNext(Work& work, const data::Master& master, int64_t distance,
                                                     const std::string& ended) {
  std::vector<NextOccurrence> next;
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  const Time now = work.nexus().Now();
  // A day early: dates are those of the series' wall clock.
  const std::string from = TextOf(now + minutes(distance) - std::chrono::days(2)).substr(0, 10);
  const data::SeriesInstancesParameters parameters{
      .master_id = *master.master_id, .from = from, .to = "9999-12-31"};
  model::typed::PageOptions options{.limit = kLookedAtOnce, .cursor = {}};
  do {
    auto page = co_await data::ReadSeriesInstances(work.session(), parameters, options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (auto& item : page->items) {
      const auto* instance = std::get_if<data::Instance>(&item);
      if (instance == nullptr || instance->is_cancelled.value_or(false) || instance->instance_id == ended)
        continue;
      const auto wanted = DistancesOf(master, *instance);
      if (std::ranges::find(wanted, distance) == wanted.end()) continue;
      CO_ASSIGN_OR_RETURN(const Span span, SpanIn(TimesOf(*instance), *settings->timezone));
      const Time trigger = span.start - minutes(distance);
      if (trigger <= now) continue;
      const data::ReminderKey key{.reminder_id = FollowingId(*instance->instance_id, distance)};
      auto reminder = co_await work.Find<Reminder>(key);
      if (!reminder) co_return std::unexpected(std::move(reminder).error());
      if (*reminder && IsSettled(**reminder, trigger)) continue;
      next.push_back({.instance = *instance, .start = span.start});
      if (!instance->is_exception.value_or(false)) co_return next;
    }
    options.cursor = page->next_cursor;
  } while (!options.cursor.empty());
  co_return next;
}

// `checked` are the items that the transaction depends on already: each may be named once.
Task<Decision<void>> StageNext(Work& work, const data::Master& master, int64_t distance,
                               const std::string& ended, std::set<std::string>& checked) {
  auto next = co_await FindNext(work, master, distance, ended);
  if (!next) co_return std::unexpected(std::move(next).error());
  for (const NextOccurrence& occurrence : *next) {
    const data::Instance& instance = occurrence.instance;
    Followed followed{.event_id = {},
                      .instance_id = instance.instance_id,
                      .master_id = master.master_id,
                      .task_id = {},
                      .title = instance.title.value_or(master.title),
                      .start = occurrence.start};
    followed.minutes.emplace().push_back(distance);
    auto staged = co_await CountFollowing(work, followed);
    if (!staged) co_return std::unexpected(std::move(staged).error());
    if (*staged == 0) continue;
    // Nobody is to be reminded of what goes, or moves, meanwhile.
    if (checked.insert(*instance.instance_id).second) {
      const data::InstanceKey key = data::KeyOf(instance);
      if (auto check = data::CheckInstance(work.session(), key, instance.version); !check)
        co_return std::unexpected(Refusal(std::move(check).error()));
    }
    if (checked.insert(*master.master_id).second) {
      const data::MasterKey key = data::KeyOf(master);
      if (auto check = data::CheckMaster(work.session(), key, master.version); !check)
        co_return std::unexpected(Refusal(std::move(check).error()));
    }
  }
  co_return Decision<void>();
}

Task<Decision<void>> RefreshOnce(Work& work, const std::string& master_id) {
  const data::MasterKey key{.master_id = master_id};
  auto master = co_await work.Find<data::Master>(key);
  if (!master) co_return std::unexpected(std::move(master).error());
  if (!*master) co_return Decision<void>();
  std::set<std::string> checked;
  for (const int64_t distance : DistancesOf(**master)) {
    auto staged = co_await StageNext(work, **master, distance, {}, checked);
    if (!staged) co_return staged;
  }
  co_return co_await work.Commit();
}

// What an occurrence that is gone was reminded of before.
Task<Decision<void>> ForgetReminder(Nexus& nexus, const model::Caller& caller, std::string reminder_id) {
  for (int attempt = 1;; ++attempt) {
    Work work(nexus, caller);
    const data::ReminderKey key{.reminder_id = reminder_id};
    auto found = co_await work.Find<Reminder>(key);
    if (!found) co_return std::unexpected(std::move(found).error());
    if (!*found) co_return Decision<void>();
    CO_RETURN_IF_ERROR(work.StageDelete(**found));
    auto committed = co_await work.Commit();
    if (committed || attempt == kAttemptsMax || !IsLostRace(committed.error())) co_return committed;
  }
}

}  // namespace

model::typed::Set<int64_t> DistancesOf(const data::Master& master, const data::Instance& instance) {
  auto distances = instance.reminder_minutes ? *instance.reminder_minutes
                                             : master.reminder_minutes.value_or(model::typed::Set<int64_t>());
  if (instance.muted_minutes) {
    for (const int64_t muted : *instance.muted_minutes) std::erase(distances, muted);
  }
  return distances;
}

std::vector<int64_t> DistancesOf(const data::Master& master) {
  if (!master.reminder_minutes) return {};
  return {master.reminder_minutes->begin(), master.reminder_minutes->end()};
}

Task<Decision<void>> StageNextOfSeries(Work& work, const Reminder& ended) {
  if (!ended.master_id || !ended.instance_id || !ended.minutes_before) co_return Decision<void>();
  const data::MasterKey key{.master_id = *ended.master_id};
  auto master = co_await work.Find<data::Master>(key);
  if (!master) co_return std::unexpected(std::move(master).error());
  if (!*master) co_return Decision<void>();
  std::set<std::string> checked;
  co_return co_await StageNext(work, **master, *ended.minutes_before, *ended.instance_id, checked);
}

Task<Decision<void>> StageNextBeside(Work& work, const data::Master& master, std::string instance_id) {
  std::set<std::string> checked;
  for (const int64_t distance : DistancesOf(master)) {
    auto staged = co_await StageNext(work, master, distance, instance_id, checked);
    if (!staged) co_return staged;
  }
  co_return Decision<void>();
}

Task<Decision<void>> RefreshSeriesReminders(Nexus& nexus, model::Caller caller, data::Master master) {
  if (DistancesOf(master).empty()) co_return Decision<void>();
  for (int attempt = 1;; ++attempt) {
    Work work(nexus, caller);
    auto refreshed = co_await RefreshOnce(work, *master.master_id);
    if (refreshed || attempt == kAttemptsMax || !IsLostRace(refreshed.error())) co_return refreshed;
  }
}

Task<Decision<void>> SettleReminders(Nexus& nexus, model::Caller caller, std::string master_id,
                                     std::set<std::string> gone) {
  model::typed::PageOptions options{.limit = 100, .cursor = {}};
  do {
    Work work(nexus, caller);
    auto page = co_await data::ReadReminders(work.session(), options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (const Reminder& reminder : page->items) {
      const bool is_gone = reminder.instance_id && gone.contains(*reminder.instance_id);
      if (!is_gone && reminder.master_id != master_id) continue;
      if (!is_gone && !IsWaiting(reminder)) continue;
      co_await Yield();
      if (nexus.jobs().IsStopping()) co_return std::unexpected(Refusal(jobs::Stopping().error()));
      Decision<void> settled;
      if (is_gone) {
        settled = co_await ForgetReminder(nexus, caller, *reminder.reminder_id);
      } else {
        settled = co_await FollowAgain(nexus, caller, *reminder.reminder_id);
      }
      if (!settled) co_return settled;
    }
    options.cursor = page->next_cursor;
  } while (!options.cursor.empty());
  co_return Decision<void>();
}

}  // namespace cairn::nexus
