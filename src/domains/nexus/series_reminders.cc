#include "domains/nexus/series_reminders.h"

#include <algorithm>

#include "base/yield.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/times.h"

namespace cairn::nexus {
namespace {

using std::chrono::minutes;

constexpr int64_t kLookedAtOnce = 20;
// The next one, and some more: others may have been the next before they were moved.
constexpr size_t kUpcomingLookedAt = 5;

struct NextOccurrence {
  data::Instance instance;
  Time start;
};

// The first occurrence whose reminder at this distance is still to come.
Task<Decision<std::optional<NextOccurrence>>> FindNext(Work& work, const data::Master& master,
                                                       int64_t distance) {
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
      if (instance == nullptr || instance->is_cancelled.value_or(false)) continue;
      const auto wanted = DistancesOf(master, *instance);
      if (std::ranges::find(wanted, distance) == wanted.end()) continue;
      CO_ASSIGN_OR_RETURN(const Span span, SpanIn(TimesOf(*instance), *settings->timezone));
      if (span.start - minutes(distance) > now)
        co_return std::optional(NextOccurrence{.instance = *instance, .start = span.start});
    }
    options.cursor = page->next_cursor;
  } while (!options.cursor.empty());
  co_return std::optional<NextOccurrence>();
}

Task<Decision<void>> StageNext(Work& work, const data::Master& master, int64_t distance) {
  auto next = co_await FindNext(work, master, distance);
  if (!next) co_return std::unexpected(std::move(next).error());
  if (!*next) co_return Decision<void>();
  Followed followed{.event_id = {},
                    .instance_id = (*next)->instance.instance_id,
                    .master_id = master.master_id,
                    .task_id = {},
                    .title = (*next)->instance.title.value_or(master.title),
                    .start = (*next)->start};
  followed.minutes.emplace().push_back(distance);
  co_return co_await StageFollowing(work, followed);
}

}  // namespace

model::typed::Set<int64_t> DistancesOf(const data::Master& master, const data::Instance& instance) {
  if (instance.reminder_minutes) return *instance.reminder_minutes;
  return master.reminder_minutes.value_or(model::typed::Set<int64_t>());
}

std::vector<int64_t> DistancesOf(const data::Master& master) {
  if (!master.reminder_minutes) return {};
  return {master.reminder_minutes->begin(), master.reminder_minutes->end()};
}

Task<Decision<void>> StageNextOfSeries(Work& work, const Reminder& fired) {
  if (!fired.master_id || !fired.instance_id || !fired.minutes_before) co_return Decision<void>();
  const data::MasterKey key{.master_id = *fired.master_id};
  auto master = co_await work.Find<data::Master>(key);
  if (!master) co_return std::unexpected(std::move(master).error());
  if (!*master) co_return Decision<void>();
  co_return co_await StageNext(work, **master, *fired.minutes_before);
}

Task<Decision<void>> RefreshSeriesReminders(Nexus& nexus, model::Caller caller, data::Master master) {
  const std::vector<int64_t> distances = DistancesOf(master);
  if (distances.empty()) co_return Decision<void>();
  Work work(nexus, caller);
  for (const int64_t distance : distances) {
    auto staged = co_await StageNext(work, master, distance);
    if (!staged) co_return staged;
  }
  co_return co_await work.Commit();
}

Task<Decision<void>> ForgetReminders(Nexus& nexus, model::Caller caller, std::vector<int64_t> distances,
                                     std::vector<data::Instance> instances) {
  const std::string now = nexus.NowText();
  std::ranges::sort(instances, {}, &data::Instance::start_utc);
  size_t upcoming = 0;
  for (const data::Instance& instance : instances) {
    // Of what is to come, the series itself reminds of the next one only; exceptions have their own.
    const bool is_near = instance.start_utc < now || upcoming++ < kUpcomingLookedAt;
    const bool by_series = !distances.empty() && (is_near || instance.is_exception.value_or(false));
    if (!by_series && !instance.reminder_minutes) continue;
    co_await Yield();
    if (nexus.jobs().IsStopping()) co_return std::unexpected(Refusal(jobs::Stopping().error()));
    Work work(nexus, caller);
    Followed followed{.event_id = {},
                      .instance_id = instance.instance_id,
                      .master_id = instance.master_id,
                      .task_id = {},
                      .title = {},
                      .start = {}};
    followed.before.emplace(distances.begin(), distances.end());
    if (instance.reminder_minutes) {
      followed.before->insert(followed.before->end(), instance.reminder_minutes->begin(),
                              instance.reminder_minutes->end());
    }
    auto staged = co_await StageFollowing(work, followed);
    if (!staged) co_return staged;
    auto committed = co_await work.Commit();
    if (!committed && committed.error().code != Code::kResourceNotFound) co_return committed;
  }
  co_return Decision<void>();
}

}  // namespace cairn::nexus
