#include "domains/values/jobs.h"

#include "base/test_point.h"
#include "base/time_text.h"
#include "domains/values/plan_day.h"
#include "domains/values/settings.h"

namespace cairn::values {
namespace {

namespace data = models::values;

constexpr std::string_view kTreePlace = "tree";

// What a sweep is about: "tree 01J..." or "2026-11-16 01J...".
struct SnapshotName {
  std::string place, rev_id;
};
Result<SnapshotName> SnapshotOf(const jobs::Job& job) {
  const size_t space = job.argument.find(' ');
  if (space == job.argument.npos) return Fail(Code::kDamaged, "the job does not name a snapshot");
  SnapshotName name{.place = job.argument.substr(0, space), .rev_id = job.argument.substr(space + 1)};
  if (!IsUlid(name.rev_id)) return Fail(Code::kDamaged, "the job does not name a revision");
  return name;
}

Task<Status> SweepSnapshot(Values& values, jobs::Job job) {
  const auto snapshot = SnapshotOf(job);
  if (!snapshot) co_return Fail(snapshot.error());
  if (snapshot->place == kTreePlace) co_return co_await values.trees().Sweep(job, {}, snapshot->rev_id);
  const PlanKind::Where where{.day = snapshot->place};
  co_return co_await values.plans().Sweep(job, where, snapshot->rev_id);
}

// A job whose moment is not the one in the settings has been overtaken: they were changed since.
Task<Status> RollOverByItself(Values& values, jobs::Job job) {
  const model::Caller caller = model::Caller::User({{"sub", job.user_id}});
  model::Session session(values.database(), caller);
  auto settings = co_await ReadSettings(session);
  if (!settings) co_return Fail(settings.error().code, settings.error().message);
  const bool wanted = settings->auto_rollover.value_or(false) && settings->next_rollover_at &&
                      *settings->next_rollover_at <= FormatIsoMilliseconds(values.Now());
  if (!wanted) co_return Status();
  auto today = DayOf(values.Now(), RulesOf(*settings));
  if (!today) co_return Fail(std::move(today).error());
  RollOverDay request{.day = *today};
  auto rolled =
      co_await RollOver(values, caller, std::move(request),
                        [](model::Session&, const PlanCommitted&) { return model::Outcome<void>(); });
  const bool nothing_there = !rolled && rolled.error().code == Code::kResourceNotFound;
  if (!rolled && !nothing_there) co_return Fail(rolled.error().code, rolled.error().message);

  model::Session next(values.database(), caller);
  model::Session platform = values.jobs().NewSession(job.user_id);
  if (auto staged = StageNextRollover(values, next, platform, *settings, values.Now()); !staged)
    co_return Fail(staged.error().code, staged.error().message);
  auto committed = co_await next.CommitWith(platform);
  // Settings that were changed meanwhile have planned the next one themselves.
  if (!committed && committed.error().error.code != Code::kConditionFailed)
    co_return Fail(committed.error().error);
  co_return Status();
}

Status StatusOf(const Refusal& refusal) { return Fail(refusal.code, refusal.message); }

// Snapshots first, then the log that leads to them: so an interruption leaves nothing that cannot be found.
template <class Kind, class DeleteLog>
Task<Status> EraseHistory(Values& values, model::Session& system, typename Kind::Where where,
                          DeleteLog delete_log) {
  for (;;) {
    if (values.jobs().IsStopping()) co_return jobs::Stopping();
    const PageOf page{.limit = 50, .cursor = {}};
    co_await TestPoint("erasure.step");
    auto history = co_await Kind::ReadHistory(system, where, page);
    if (!history) co_return StatusOf(history.error());
    if (history->revisions.empty()) co_return Status();
    for (const auto& revision : history->revisions) {
      if (values.jobs().IsStopping()) co_return jobs::Stopping();
      auto gone = co_await Kind::DeleteSnapshot(system, where, revision.id);
      if (!gone) co_return StatusOf(gone.error());
    }
    auto erased = co_await delete_log(history->revisions);
    if (!erased) co_return Fail(erased.error().error);
  }
}

Task<Status> EraseDay(Values& values, model::Session& system, std::string day) {
  const auto delete_log = [&](const std::vector<PlanRepository::Rev>& revisions) {
    std::vector<data::PlanRevKey> keys;
    for (const auto& revision : revisions)
      keys.push_back({.day = day, .rev_ts = revision.ts, .rev_id = revision.id});
    return data::DeleteManyPlanRev(system, keys);
  };
  const PlanKind::Where where{.day = day};
  const Status erased = co_await EraseHistory<PlanKind>(values, system, where, delete_log);
  if (!erased) co_return erased;
  const std::vector<data::PlanHeadKey> heads = {{.day = day}};
  const std::vector<data::PlanDayKey> days = {{.day = day}};
  for (const data::PlanHeadKey& head : heads) {
    if (auto staged = data::DeletePlanHead(system, head); !staged) co_return Fail(staged.error().error);
  }
  auto gone = co_await system.Commit();
  if (!gone && gone.error().error.code != Code::kResourceNotFound) co_return Fail(gone.error().error);
  auto unlisted = co_await data::DeleteManyPlanDay(system, days);
  if (!unlisted) co_return Fail(unlisted.error().error);
  co_return Status();
}

Task<Status> ErasePlans(Values& values, model::Session& system) {
  for (;;) {
    const data::PlanDayBeforeParameters parameters{.to = "9999-12-31"};
    const model::typed::PageOptions options;
    auto days = co_await data::ReadPlanDayBefore(system, parameters, options);
    if (!days) co_return Fail(days.error().error);
    if (days->items.empty()) co_return Status();
    for (const data::PlanDay& day : days->items) {
      const Status erased = co_await EraseDay(values, system, day.day);
      if (!erased) co_return erased;
    }
  }
}

Task<Status> EraseTags(model::Session& system) {
  for (;;) {
    const model::typed::PageOptions options;
    auto tags = co_await data::ReadValuesTags(system, options);
    if (!tags) co_return Fail(tags.error().error);
    if (tags->items.empty()) co_return Status();
    std::vector<data::ValuesTagKey> keys;
    for (const data::ValuesTag& tag : tags->items) keys.push_back(data::KeyOf(tag));
    auto gone = co_await data::DeleteManyValuesTag(system, keys);
    if (!gone) co_return Fail(gone.error().error);
  }
}

// Snapshots that were not published are in no log; the jobs that would sweep them lead there.
Task<Status> EraseUnpublished(Values& values, model::Session& system, std::string user_id) {
  auto pending = co_await values.jobs().Pending(user_id, jobs::kEndOfTime);
  if (!pending) co_return Fail(pending.error().error);
  for (const jobs::Job& job : *pending) {
    if (job.kind != kSweepJob) continue;
    const auto snapshot = SnapshotOf(job);
    if (!snapshot) co_return Fail(snapshot.error());
    Decision<size_t> gone = 0;
    if (snapshot->place == kTreePlace) {
      gone = co_await TreeKind::DeleteSnapshot(system, {}, snapshot->rev_id);
    } else {
      const PlanKind::Where where{.day = snapshot->place};
      gone = co_await PlanKind::DeleteSnapshot(system, where, snapshot->rev_id);
    }
    if (!gone) co_return StatusOf(gone.error());
  }
  co_return Status();
}

// A write that finds nothing to delete has nothing left to do.
Task<Status> CommitDelete(model::Session& system, model::Outcome<void> staged) {
  if (!staged) co_return Fail(staged.error().error);
  auto gone = co_await system.Commit();
  if (!gone && gone.error().error.code != Code::kResourceNotFound) co_return Fail(gone.error().error);
  co_return Status();
}

// With the job that they have planned.
Task<Status> EraseSettings(Values& values, model::Session& system) {
  auto settings = co_await ReadSettings(system);
  if (!settings) co_return StatusOf(settings.error());
  if (settings->next_rollover_at) {
    const std::string user_id = *system.caller().Claim("sub");
    model::Session platform = values.jobs().NewSession(user_id);
    auto removed = values.jobs().Remove(platform, RolloverJob(user_id, *settings->next_rollover_at));
    CO_RETURN_IF_ERROR(co_await CommitDelete(platform, std::move(removed)));
  }
  co_return co_await CommitDelete(system, data::DeleteSettings(system));
}

}  // namespace

std::map<std::string, jobs::Worker> Workers(Values& values) {
  return {
      {std::string(kSweepJob), [&values](const jobs::Job& job) { return SweepSnapshot(values, job); }},
      {std::string(kRolloverJob), [&values](const jobs::Job& job) { return RollOverByItself(values, job); }}};
}

Task<Status> EraseUser(Values& values, std::string user_id) {
  model::Session system(values.database(), model::Caller::SystemFor({{"sub", user_id}}));
  // Settings first: no rollover begins anew.
  CO_RETURN_IF_ERROR(co_await EraseSettings(values, system));
  CO_RETURN_IF_ERROR(co_await EraseUnpublished(values, system, user_id));
  CO_RETURN_IF_ERROR(co_await ErasePlans(values, system));
  const auto delete_log = [&](const std::vector<TreeRepository::Rev>& revisions) {
    std::vector<data::ValuesRevKey> keys;
    for (const auto& revision : revisions) keys.push_back({.rev_ts = revision.ts, .rev_id = revision.id});
    return data::DeleteManyValuesRev(system, keys);
  };
  CO_RETURN_IF_ERROR(co_await EraseHistory<TreeKind>(values, system, {}, delete_log));
  CO_RETURN_IF_ERROR(co_await EraseTags(system));
  CO_RETURN_IF_ERROR(co_await CommitDelete(system, data::DeleteValuesHead(system)));
  co_return Status();
}

}  // namespace cairn::values
