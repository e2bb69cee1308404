#include "domains/nexus/series_store.h"

#include <algorithm>
#include <set>

#include "base/aside.h"
#include "base/yield.h"

#include "domains/nexus/reminders.h"
#include "domains/nexus/series_reminders.h"

namespace cairn::nexus {
namespace {

constexpr size_t kAtOnceMax = 1'000;       // occurrences
constexpr size_t kWritesOfOneCommit = 90;  // the store takes 100; jobs and checks come along
constexpr size_t kDeletedAtOnce = 500;
constexpr std::chrono::minutes kTakenOverAfter{1};
constexpr std::chrono::days kDenseGrowsEvery{1}, kWithoutRoomAgain{1};

Time Later(Time a, Time b) { return a < b ? b : a; }
Time Earlier(Time a, Time b) { return a < b ? a : b; }

// The day of the first occurrence from `from` on that is too many, if there is one before `until`.
Decision<Time> EndOf(const data::Master& master, Time from, Time until, size_t occurrences_max) {
  ASSIGN_OR_RETURN(const std::vector<LocalTime> originals, OccurrencesBetween(master, from, until));
  if (originals.size() <= occurrences_max) return MidnightBefore(master, until);
  // Whole days, or the dates of their occurrences would be told anew; but at least one of them.
  const LocalTime day = std::chrono::floor<std::chrono::days>(originals[occurrences_max]);
  const LocalTime first_day = std::chrono::floor<std::chrono::days>(originals.front());
  const LocalTime end = std::max(day, first_day + std::chrono::days(1));
  const auto moment = calendar::ToInstant(end, master.start_tzid.value_or("UTC"));
  if (!moment) return std::unexpected(Refusal(moment.error()));
  return *moment;
}

Decision<Time> EndOfThousand(const data::Master& master, Time from, Time until) {
  return EndOf(master, from, until, kAtOnceMax);
}

// How many occurrences of the series are kept ahead at most.
size_t KeptAheadOf(const data::Master& master) {
  if (!master.kept_ahead) return kOccurrencesKeptAhead;
  return std::min(kOccurrencesKeptAhead, static_cast<size_t>(std::max<int64_t>(*master.kept_ahead, 1)));
}

// Until when the series is kept at most.
Decision<Time> EndOfKept(const data::Master& master, Time now, Time until) {
  return EndOf(master, now, until, KeptAheadOf(master));
}

// Of so many occurrences in what is kept of others. With some room, for some months have more than others.
Density DensityOf(const data::Master& master, size_t occurrences) {
  return occurrences > KeptAheadOf(master) * 4 / 5 ? Density::kDense : Density::kSparse;
}

// From when on a dense series is kept: from where it was, unless that is too much, else from yesterday.
Decision<Time> BeginOfDense(const data::Master& master, Time first, Time now) {
  if (master.materialized_from) {
    const Time before = TimeOf(*master.materialized_from);
    ASSIGN_OR_RETURN(const std::vector<LocalTime> past, OccurrencesBetween(master, before, now));
    if (past.size() <= kAtOnceMax) return MidnightBefore(master, before);
  }
  return MidnightBefore(master, Later(first, now) - std::chrono::days(1));
}

// Whether the rule has anything after a moment.
Decision<bool> GoesOnAfter(const data::Master& master, Time moment) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  const auto local = calendar::ToLocal(moment, master.start_tzid.value_or("UTC"));
  if (!local) return false;
  const auto next = calendar::NextOccurrence(series, *local - std::chrono::seconds(1));
  if (!next) return std::unexpected(Refusal(next.error()));
  return next->has_value();
}

Task<Decision<void>> WriteAll(Nexus& nexus, const model::Caller& caller, const data::Master& master,
                              const InstancePlan& plan) {
  size_t position = 0;
  const size_t total = plan.create.size() + plan.change.size() + plan.remove.size();
  while (position < total) {
    co_await Yield();
    Work work(nexus, caller);
    // Whoever changes the master meanwhile decides anew.
    const data::MasterKey key = data::KeyOf(master);
    if (auto checked = data::CheckMaster(work.session(), key, master.version); !checked)
      co_return std::unexpected(Refusal(std::move(checked).error()));
    for (size_t i = 0; i < kWritesOfOneCommit && position < total; ++i, ++position) {
      if (position < plan.create.size()) {
        CO_RETURN_IF_ERROR(work.StageNew(plan.create[position]));
      } else if (position < plan.create.size() + plan.change.size()) {
        CO_RETURN_IF_ERROR(work.StageChange(plan.change[position - plan.create.size()]));
      } else {
        CO_RETURN_IF_ERROR(work.StageDelete(plan.remove[position - plan.create.size() - plan.change.size()]));
      }
    }
    auto committed = co_await work.Commit();
    if (!committed) co_return committed;
  }
  co_return Decision<void>();
}

// Exceptions of the series that this one was split off, from the split on, move over with it: those that were
// too many for the transaction that split it.
Task<Decision<void>> TakeOverExceptions(Nexus& nexus, const model::Caller& caller,
                                        const data::Master& master) {
  if (!master.continues_id || !master.continues_at) co_return Decision<void>();
  const auto split = calendar::ParseLocal(*master.continues_at);
  if (!split) co_return Decision<void>();
  const auto shift = StartOf(TimesOf(master)) - *split;
  Work reading(nexus, caller);
  auto others = co_await ReadAllInstances(reading, *master.continues_id);
  if (!others) co_return std::unexpected(std::move(others).error());
  InstancePlan plan;
  for (data::Instance& instance : *others) {
    if (!instance.is_exception.value_or(false) || instance.is_cancelled.value_or(false)) continue;
    if (!instance.original_local || *instance.original_local < *master.continues_at) continue;
    // What was edited since is the other series' own.
    if (instance.updated_at > master.created_at) continue;
    const auto original = calendar::ParseLocal(*instance.original_local);
    if (!original) continue;
    instance.master_id = *master.master_id;
    instance.original_local = calendar::FormatLocal(*original + shift);
    instance.date = instance.original_local->substr(0, 10);
    plan.change.push_back(std::move(instance));
  }
  co_return co_await WriteAll(nexus, caller, master, plan);
}

std::set<std::string> IdsOf(const std::vector<data::Instance>& instances) {
  std::set<std::string> ids;
  for (const data::Instance& instance : instances) ids.insert(*instance.instance_id);
  return ids;
}

// Reminders of what is gone or has moved, if there can be any. `existing` is what there was before.
Task<Decision<void>> SettleChanged(Nexus& nexus, const model::Caller& caller, const data::Master& master,
                                   const std::vector<data::Instance>& existing, const InstancePlan& plan) {
  const bool has_own = std::ranges::any_of(
      existing, [](const data::Instance& instance) { return instance.reminder_minutes.has_value(); });
  const bool has_any = has_own || master.reminder_minutes;
  if (!has_any || (plan.change.empty() && plan.remove.empty())) co_return Decision<void>();
  co_return co_await SettleReminders(nexus, caller, *master.master_id, IdsOf(plan.remove));
}

// Those of the ids for new occurrences that others have: an exception that has moved to another series keeps
// its id, and the series it came from may have ended and begun again since.
Task<Decision<std::set<std::string>>> FindTaken(Work& work, const InstancePlan& plan) {
  std::set<std::string> taken;
  for (const data::Instance& fresh : plan.create) {
    const data::InstanceKey key{.instance_id = *fresh.instance_id};
    auto found = co_await work.Find<data::Instance>(key);
    if (!found) co_return std::unexpected(std::move(found).error());
    if (*found && (*found)->master_id != fresh.master_id) taken.insert(*fresh.instance_id);
  }
  co_return taken;
}

Task<Decision<Aligned>> AlignOnce(Nexus& nexus, const model::Caller& caller, const std::string& master_id,
                                  bool has_failed) {
  Work work(nexus, caller);
  const data::MasterKey key{.master_id = master_id};
  auto master = co_await work.Load<data::Master>(key);
  if (!master) co_return std::unexpected(std::move(master).error());
  if (master->target_type == data::SeriesTarget::kTask) co_return Aligned();
  auto taken = co_await TakeOverExceptions(nexus, caller, *master);
  if (!taken) co_return std::unexpected(std::move(taken).error());
  auto existing = co_await ReadAllInstances(work, master_id);
  if (!existing) co_return std::unexpected(std::move(existing).error());
  auto make_plan = [&] { return PlanInstances(*master, *existing, nexus.Now()); };
  auto plan = co_await Aside(make_plan);
  if (!plan) co_return std::unexpected(std::move(plan).error());
  // Looked for only when something was in the way: whoever else does this work decides the same.
  for (std::set<std::string> others; has_failed;) {
    auto found = co_await FindTaken(work, *plan);
    if (!found) co_return std::unexpected(std::move(found).error());
    if (found->empty()) break;
    others.merge(*found);
    auto plan_again = [&] { return PlanInstances(*master, *existing, nexus.Now(), others); };
    plan = co_await Aside(plan_again);
    if (!plan) co_return std::unexpected(std::move(plan).error());
  }
  auto written = co_await WriteAll(nexus, caller, *master, *plan);
  if (!written) co_return std::unexpected(std::move(written).error());
  auto settled = co_await SettleChanged(nexus, caller, *master, *existing, *plan);
  if (!settled) co_return std::unexpected(std::move(settled).error());
  auto reminded = co_await RefreshSeriesReminders(nexus, caller, *master);
  if (!reminded) co_return std::unexpected(std::move(reminded).error());
  co_return Aligned{.orphans = std::move(plan->orphans)};
}

Task<Decision<void>> PlanJob(Nexus& nexus, model::Caller caller, data::Master master, Time due) {
  Work work(nexus, caller);
  CO_RETURN_IF_ERROR(StageSeriesJob(work, *master.master_id, due));
  co_return co_await work.Commit();
}

model::Caller CallerOf(const jobs::Job& job) { return model::Caller::User({{"sub", job.user_id}}); }

}  // namespace

Time SoonAfter(Time now) { return std::chrono::floor<std::chrono::milliseconds>(now + kTakenOverAfter); }

Decision<void> StageSeriesJob(Work& work, const std::string& master_id, Time due) {
  return work.StageJob({.kind = std::string(kSeriesJob),
                        .id = master_id,
                        .due = std::chrono::floor<std::chrono::milliseconds>(due),
                        .user_id = work.user_id(),
                        .argument = master_id});
}

Decision<Density> SetHorizon(data::Master& master, Time now) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  const Time start = TimeOf(master.start_utc);
  // Extra dates may come before the start of the rule.
  Time first = start;
  for (const LocalTime extra : series.rdates) {
    if (const auto moment = calendar::ToInstant(extra, master.start_tzid.value_or("UTC")))
      first = Earlier(first, *moment);
  }
  Time from = Later(first - std::chrono::days(1), now - kKeptBack);
  Time horizon = Later(now + kKeptAhead + kGrowthStep, from);
  // What was materialised before stays so, unless the rule has become too dense for that.
  if (master.materialized_from) from = Earlier(from, TimeOf(*master.materialized_from));
  if (master.materialized_until) horizon = Later(horizon, TimeOf(*master.materialized_until));
  from = MidnightBefore(master, from);
  ASSIGN_OR_RETURN(const std::vector<LocalTime> originals, OccurrencesBetween(master, from, horizon));
  const Density density = DensityOf(master, originals.size());
  if (density == Density::kDense) {
    ASSIGN_OR_RETURN(from, BeginOfDense(master, first, now));
  }
  ASSIGN_OR_RETURN(Time until, EndOfThousand(master, from, horizon));
  if (master.materialized_until)
    until = Later(until, MidnightBefore(master, TimeOf(*master.materialized_until)));
  ASSIGN_OR_RETURN(const Time most, EndOfKept(master, Later(from, now), horizon));
  master.materialized_from = TextOf(from);
  master.materialized_until = TextOf(Earlier(until, most));
  return density;
}

Task<Decision<std::vector<data::Instance>>> ReadAllInstances(Work& work, std::string master_id) {
  std::vector<data::Instance> instances;
  const data::SeriesParameters parameters{.master_id = std::move(master_id)};
  model::typed::PageOptions options{.limit = 100, .cursor = {}};
  do {
    co_await Yield();
    auto page = co_await data::ReadSeries(work.session(), parameters, options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (auto& item : page->items) {
      if (auto* instance = std::get_if<data::Instance>(&item)) instances.push_back(std::move(*instance));
    }
    options.cursor = page->next_cursor;
  } while (!options.cursor.empty());
  co_return instances;
}

Task<Decision<Aligned>> AlignSeries(Nexus& nexus, model::Caller caller, std::string master_id) {
  for (int attempt = 1;; ++attempt) {
    const bool has_failed = attempt > 1;
    auto aligned = co_await AlignOnce(nexus, caller, master_id, has_failed);
    if (aligned || attempt == kAttemptsMax) co_return aligned;
    const bool again =
        IsWorthAnotherTry(aligned.error(), {}) || aligned.error().code == Code::kConditionFailed;
    if (!again) co_return aligned;
  }
}

Task<Decision<data::Master>> GrowSeries(Nexus& nexus, model::Caller caller, std::string master_id, Time from,
                                        Time until) {
  for (int attempt = 1;; ++attempt) {
    Work work(nexus, caller);
    const data::MasterKey key{.master_id = master_id};
    auto master = co_await work.Load<data::Master>(key);
    if (!master) co_return master;
    const Time kept_from = TimeOf(*master->materialized_from);
    const Time kept_until = TimeOf(*master->materialized_until);
    Time farthest = Earlier(until, nexus.Now() + kKeptAtMostAhead);
    bool grows = false;
    auto look = [&] { return GoesOnAfter(*master, kept_until); };
    auto goes_on = co_await Aside(look);
    if (!goes_on) co_return std::unexpected(std::move(goes_on).error());
    if (farthest > kept_until && *goes_on) {
      auto find_most = [&] { return EndOfKept(*master, nexus.Now(), farthest); };
      auto most = co_await Aside(find_most);
      if (!most) co_return std::unexpected(std::move(most).error());
      farthest = *most;
    }
    if (farthest > kept_until && *goes_on) {
      auto count = [&] { return EndOfThousand(*master, kept_until, farthest); };
      auto end = co_await Aside(count);
      if (!end) co_return std::unexpected(std::move(end).error());
      if (*end > kept_until) {
        master->materialized_until = TextOf(*end);
        grows = true;
      }
    }
    if (from < kept_from && TimeOf(master->start_utc) < kept_from) {
      const Time begin = MidnightBefore(*master, from);
      auto count = [&] { return EndOfThousand(*master, begin, kept_from); };
      auto end = co_await Aside(count);
      if (!end) co_return std::unexpected(std::move(end).error());
      // Backwards only as a whole: what is kept has no holes.
      if (*end >= kept_from) {
        master->materialized_from = TextOf(begin);
        grows = true;
      }
    }
    if (!grows) co_return master;
    auto changed = work.StageQuietly(*std::move(master));
    if (!changed) co_return changed;
    CO_RETURN_IF_ERROR(StageSeriesJob(work, master_id, SoonAfter(nexus.Now())));
    auto committed = co_await work.Commit();
    if (committed) {
      auto aligned = co_await AlignSeries(nexus, caller, master_id);
      if (!aligned) co_return std::unexpected(std::move(aligned).error());
      co_return changed;
    }
    if (attempt == kAttemptsMax || !IsWorthAnotherTry(committed.error(), {}))
      co_return std::unexpected(std::move(committed).error());
  }
}

Task<Decision<void>> ClearSeries(Nexus& nexus, model::Caller caller, std::string master_id) {
  Work work(nexus, caller);
  auto instances = co_await ReadAllInstances(work, master_id);
  if (!instances) co_return std::unexpected(std::move(instances).error());
  std::vector<data::InstanceKey> keys;
  for (const data::Instance& instance : *instances) keys.push_back(data::KeyOf(instance));
  auto forgotten = co_await SettleReminders(nexus, caller, master_id, IdsOf(*instances));
  if (!forgotten) co_return forgotten;
  for (size_t i = 0; i < keys.size(); i += kDeletedAtOnce) {
    if (nexus.jobs().IsStopping()) co_return std::unexpected(Refusal(jobs::Stopping().error()));
    const auto first = keys.begin() + static_cast<ptrdiff_t>(i);
    const auto end = first + static_cast<ptrdiff_t>(std::min(kDeletedAtOnce, keys.size() - i));
    const std::vector<data::InstanceKey> portion(first, end);
    auto gone = co_await data::DeleteManyInstance(work.session(), portion);
    if (!gone) co_return std::unexpected(Refusal(std::move(gone).error()));
  }
  co_return Decision<void>();
}

Task<Status> KeepSeries(Nexus& nexus, jobs::Job job) {
  const model::Caller caller = CallerOf(job);
  Work work(nexus, caller);
  const data::MasterKey key{.master_id = job.argument};
  auto found = co_await work.Find<data::Master>(key);
  if (!found) co_return StatusOf(found.error());
  if (!*found || (*found)->target_type == data::SeriesTarget::kTask) co_return Status();
  auto aligned = co_await AlignSeries(nexus, caller, job.argument);
  if (!aligned) co_return StatusOf(aligned.error());
  // Whoever changed the series may not have lived to do it.
  auto settled = co_await SettleReminders(nexus, caller, job.argument, {});
  if (!settled) co_return StatusOf(settled.error());
  data::Master master = **std::move(found);
  if (!nexus.CheckRoom(job.user_id)) {
    // Without room for more it stays as long as it is.
    auto planned = co_await PlanJob(nexus, caller, std::move(master), nexus.Now() + kWithoutRoomAgain);
    if (!planned) co_return StatusOf(planned.error());
    co_return Status();
  }
  const Time wanted = nexus.Now() + kKeptAhead;
  if (TimeOf(*master.materialized_until) < wanted) {
    auto grown = co_await GrowSeries(nexus, caller, job.argument, TimeOf(*master.materialized_from),
                                     wanted + kGrowthStep);
    if (!grown) co_return StatusOf(grown.error());
    master = *std::move(grown);
  }
  auto planned = co_await PlanGrowth(nexus, caller, std::move(master));
  if (!planned) co_return StatusOf(planned.error());
  co_return Status();
}

Task<Decision<void>> PlanGrowth(Nexus& nexus, model::Caller caller, data::Master master) {
  const Time until = TimeOf(*master.materialized_until);
  auto look = [&] { return GoesOnAfter(master, until); };
  auto goes_on = co_await Aside(look);
  if (!goes_on) co_return std::unexpected(std::move(goes_on).error());
  if (!*goes_on) co_return Decision<void>();
  const Time now = nexus.Now();
  Time due = Later(until - kKeptAhead, now);
  if (due <= now) {
    auto find_most = [&] { return EndOfKept(master, now, now + kKeptAhead); };
    auto most = co_await Aside(find_most);
    if (!most) co_return std::unexpected(std::move(most).error());
    // At once where it has not got so far yet; a dense one when a good part of what is kept is over.
    if (*most <= until) due = now + std::max<Time::duration>(kDenseGrowsEvery, (until - now) / 4);
  }
  co_return co_await PlanJob(nexus, caller, std::move(master), due);
}

Decision<void> StageDeletionJob(Work& work, const data::Master& master) {
  return work.StageJob({.kind = std::string(kSeriesDeletionJob),
                        .id = *master.master_id,
                        .due = SoonAfter(work.nexus().Now()),
                        .user_id = work.user_id(),
                        .argument = *master.master_id});
}

Task<Status> FinishDeletion(Nexus& nexus, jobs::Job job) {
  // Jobs of earlier versions also name the distances of reminders.
  const std::string master_id = job.argument.substr(0, job.argument.find(' '));
  // There again: what was an event meanwhile repeats once more.
  Work work(nexus, CallerOf(job));
  const data::MasterKey key{.master_id = master_id};
  auto found = co_await work.Find<data::Master>(key);
  if (!found) co_return StatusOf(found.error());
  if (*found) co_return Status();
  auto cleared = co_await ClearSeries(nexus, CallerOf(job), master_id);
  if (!cleared) co_return StatusOf(cleared.error());
  co_return Status();
}

}  // namespace cairn::nexus
