#include "domains/values/commit_plan.h"

namespace cairn::values {
namespace {

std::string CountOf(size_t count) { return std::to_string(count) + (count == 1 ? " change" : " changes"); }

Task<Decision<PlanDecision>> DecideCommit(Values& values, const CommitPlan& request, model::Session& session,
                                          const PlanRepository::State& current, const PlanScene& scene) {
  const PlanContext context{
      .bounds = scene.bounds,
      .new_id = [&values] { return values.NewId(); },
      .is_living_action =
          [&scene](const std::string& action_id) { return IsLivingAction(*scene.tree, action_id); }};
  PlanDecision decision;
  decision.draft.message = request.message.empty() ? CountOf(request.operations.size()) : request.message;
  decision.draft.label =
      request.reason.value_or(current.head ? PlanReason::kMiddayReplan : PlanReason::kMorningPlan);
  const bool on_current =
      !request.base_rev_id || (current.head && current.head->rev_id == *request.base_rev_id);
  if (on_current) {
    auto applied = ApplyPlan(*current.content, request.operations, context);
    if (!applied) co_return std::unexpected(std::move(applied).error());
    decision.draft.content = std::move(applied->plan);
    decision.answer.added_blocks = std::move(applied->added_blocks);
    co_return decision;
  }
  if (!request.merge) co_return std::unexpected(StaleBase(*request.base_rev_id, current.head));
  const PlanKind::Where where{.day = request.day};
  auto base = co_await values.plans().At(session, where, *request.base_rev_id);
  if (!base) co_return std::unexpected(std::move(base).error());
  auto mine = ApplyPlan(**base, request.operations, context);
  if (!mine) co_return std::unexpected(std::move(mine).error());
  auto merged = MergePlans({.base = **base,
                            .theirs = *current.content,
                            .mine = mine->plan,
                            .bounds = scene.bounds,
                            .resolutions = request.resolutions});
  if (!merged) co_return std::unexpected(std::move(merged).error());
  decision.draft.content = *std::move(merged);
  decision.answer.added_blocks = std::move(mine->added_blocks);
  decision.answer.merged = true;
  co_return decision;
}

Task<Decision<PlanRepository::Rev>> TargetOf(Values& values, model::Session& session,
                                             const RestorePlan& request, const Head& head) {
  const PlanKind::Where where{.day = request.day};
  switch (request.by) {
    case Restore::kUndo:
      return values.plans().UndoTarget(session, where, head);
    case Restore::kRedo:
      return values.plans().RedoTarget(session, where, head);
    case Restore::kRollback:
      break;
  }
  return values.plans().Find(session, where, request.to_rev_id.value_or(""));
}

Task<Decision<PlanDecision>> DecideRestore(Values& values, const RestorePlan& request,
                                           model::Session& session, const PlanRepository::State& current) {
  if (!current.head) co_return RefuseUnknown("This day has no plan yet");
  if (request.base_rev_id && *request.base_rev_id != current.head->rev_id)
    co_return std::unexpected(StaleBase(*request.base_rev_id, current.head));
  auto target = co_await TargetOf(values, session, request, *current.head);
  if (!target) co_return std::unexpected(std::move(target).error());
  const PlanKind::Where where{.day = request.day};
  auto content = co_await values.plans().ContentOf(session, where, *target);
  if (!content) co_return std::unexpected(std::move(content).error());
  PlanDecision decision;
  decision.draft.content = **content;
  decision.draft.label = PlanReason::kMiddayReplan;
  const std::string verb = request.by == Restore::kUndo   ? "Undo to "
                           : request.by == Restore::kRedo ? "Redo to "
                                                          : "Rollback to ";
  decision.draft.message = request.message.empty() ? verb + target->id : request.message;
  decision.draft.restored_from = target->id;
  decision.draft.restored_by = request.by;
  co_return decision;
}

}  // namespace

Task<Decision<PlanCommitted>> Commit(Values& values, model::Caller caller, CommitPlan request,
                                     Witness<PlanCommitted> witness) {
  if (request.operations.empty()) co_return Refuse("no-operations", "A commit needs at least one operation");
  PlanChange change{
      .day = request.day,
      .decide =
          [&](model::Session& session, const PlanRepository::State& current, const PlanScene& scene) {
            return DecideCommit(values, request, session, current, scene);
          },
      .starts_over = !request.base_rev_id || request.merge};
  co_return co_await ChangePlan(values, std::move(caller), std::move(change), std::move(witness));
}

Task<Decision<PlanCommitted>> RestoreRevision(Values& values, model::Caller caller, RestorePlan request,
                                              Witness<PlanCommitted> witness) {
  PlanChange change{
      .day = request.day,
      .decide = [&](model::Session& session, const PlanRepository::State& current,
                    const PlanScene&) { return DecideRestore(values, request, session, current); },
      .starts_over = !request.base_rev_id};
  co_return co_await ChangePlan(values, std::move(caller), std::move(change), std::move(witness));
}

}  // namespace cairn::values
