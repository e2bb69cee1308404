#include "domains/nexus/series_work.h"

#include "base/aside.h"
#include "domains/nexus/series_reminders.h"
#include "domains/nexus/series_store.h"
#include "domains/nexus/settings.h"

namespace cairn::nexus {
namespace {

// A rule that never happens is a slip; that everything it has is excluded is somebody's decision.
Decision<void> CheckHappens(const Master& master) {
  ASSIGN_OR_RETURN(calendar::Series series, SeriesOf(master));
  series.exdates.clear();
  const auto first = calendar::NextOccurrence(series, calendar::kLocalMin);
  if (!first) return RefuseField("rrule", first.error().message);
  if (!*first) return RefuseField("rrule", "never happens");
  return {};
}

}  // namespace

std::unexpected<Refusal> TooManyExceptions() {
  return Refuse("too-many-exceptions",
                "More than 80 occurrences were changed on their own: split the series first");
}

Decision<void> CheckTakesPlace(const Instance& instance) {
  if (instance.is_cancelled.value_or(false))
    return RefuseConflict("cancelled", "The occurrence does not take place: remove its excluded date first");
  return {};
}

Task<Decision<SeriesChanged>> StageMaster(Work& work, Master master) {
  CO_RETURN_IF_ERROR(CheckHappens(master));
  auto set_horizon = [&] { return SetHorizon(master, work.nexus().Now()); };
  CO_ASSIGN_OR_RETURN(const Density density, co_await Aside(set_horizon));
  auto spanned = co_await StageSpan(work, DurationOf(TimesOf(master)), density);
  if (!spanned) co_return std::unexpected(std::move(spanned).error());
  auto staged = master.version ? work.StageChange(std::move(master)) : work.StageNew(master);
  if (!staged) co_return std::unexpected(std::move(staged).error());
  CO_RETURN_IF_ERROR(StageSeriesJob(work, *staged->master_id, SoonAfter(work.nexus().Now())));
  co_return SeriesChanged{.master = *std::move(staged), .split_from = {}};
}

Task<Decision<SeriesChanged>> PublishSeries(Work& work, Decision<SeriesChanged> changed,
                                            const Witness<SeriesChanged>& witness) {
  auto published = co_await work.Publish(std::move(changed), witness);
  if (!published) co_return published;
  auto aligned = co_await AlignSeries(work.nexus(), work.session().caller(), *published->master.master_id);
  if (!aligned) co_return std::unexpected(std::move(aligned).error());
  published->orphans = std::move(aligned->orphans);
  auto planned = co_await PlanGrowth(work.nexus(), work.session().caller(), published->master);
  if (!planned) co_return std::unexpected(std::move(planned).error());
  if (published->split_from) {
    auto ended = co_await AlignSeries(work.nexus(), work.session().caller(), *published->split_from);
    if (!ended) co_return std::unexpected(std::move(ended).error());
    // Exceptions that have moved over want what the new series wants.
    auto settled =
        co_await SettleReminders(work.nexus(), work.session().caller(), *published->split_from, {});
    if (!settled) co_return std::unexpected(std::move(settled).error());
  }
  co_return published;
}

Task<Decision<Master>> LoadEventMaster(Work& work, std::string master_id, SeenVersion seen) {
  const data::MasterKey key{.master_id = std::move(master_id)};
  auto master = co_await work.Load<Master>(key, seen);
  if (master && master->target_type == data::SeriesTarget::kTask)
    co_return Refuse("series-of-tasks", "This series makes tasks: change its open task instead");
  co_return master;
}

Task<Decision<Occurrence>> LoadOccurrence(Work& work, std::string instance_id, SeenVersion seen) {
  const data::InstanceKey key{.instance_id = std::move(instance_id)};
  auto instance = co_await work.Load<Instance>(key, seen);
  if (!instance) co_return std::unexpected(std::move(instance).error());
  auto master = co_await LoadEventMaster(work, instance->master_id, {});
  if (!master) co_return std::unexpected(std::move(master).error());
  const auto original = calendar::ParseLocal(instance->original_local.value_or(""));
  if (!original) co_return std::unexpected(Refusal(Error{Code::kDamaged, "an occurrence has no original"}));
  co_return Occurrence{.instance = *std::move(instance), .master = *std::move(master), .original = *original};
}

Task<Decision<std::optional<Instance>>> FindByOriginal(Work& work, const std::string& master_id,
                                                       const std::string& original) {
  auto all = co_await ReadAllInstances(work, master_id);
  if (!all) co_return std::unexpected(std::move(all).error());
  for (Instance& instance : *all) {
    if (instance.original_local == original) co_return std::optional(std::move(instance));
  }
  co_return std::optional<Instance>();
}

}  // namespace cairn::nexus
