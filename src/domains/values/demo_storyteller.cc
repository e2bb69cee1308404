#include "domains/values/demo_storyteller.h"

#include "base/time_text.h"
#include "domains/values/change_plan.h"
#include "domains/values/plan/autoschedule.h"
#include "domains/values/plan/operations.h"
#include "domains/values/plan/rollover.h"
#include "domains/values/plan/rules.h"

namespace cairn::values {

Refusal Storyteller::SomeoneElse() const {
  return Refusal(
      Code::kConditionFailed, "not-empty",
      tree_rev_id_
          ? "Someone has changed this account while it was being filled: the demo data is not complete"
          : "This account has a tree already: demo data is for a new account");
}

Task<Decision<TreeRepository::State>> Storyteller::CurrentTree(model::Session& session) {
  auto current = co_await values_.trees().Current(session, {});
  if (!current) co_return std::unexpected(std::move(current).error());
  const auto rev_id = current->head ? std::optional(current->head->rev_id) : std::nullopt;
  if (rev_id != tree_rev_id_) co_return std::unexpected(SomeoneElse());
  co_return current;
}

Task<Decision<void>> Storyteller::Publish(Publication& publication) {
  if (witness_) {
    if (auto staged = witness_(publication.platform(), filled_); !staged) {
      co_await publication.Abandon();
      co_return std::unexpected(RefusalOf(std::move(staged).error()));
    }
  }
  auto committed = co_await publication.Commit();
  if (!committed && IsHeadMoved(committed.error())) co_return std::unexpected(SomeoneElse());
  co_return committed;
}

Task<Decision<void>> Storyteller::Change(Time when, RevSource source, std::string message,
                                         std::vector<Operation> operations) {
  Publication publication(values_, caller_);
  auto current = co_await CurrentTree(publication.session());
  if (!current) co_return std::unexpected(std::move(current).error());
  auto applied =
      Apply(*current->content, operations, {.now = FormatIsoMilliseconds(when), .new_id = NewIds(when)});
  if (!applied) co_return std::unexpected(std::move(applied).error());
  TreeRepository::Draft draft{.content = std::move(applied->tree),
                              .label = source,
                              .message = std::move(message),
                              .touched = {},
                              .rev_id = ulids_.Next(when)};
  draft.touched = TouchedNodes(*current->content, draft.content);
  auto added = co_await publication.Add(*current, std::move(draft));
  if (!added) co_return std::unexpected(std::move(added).error());
  ++filled_.revisions;
  CO_RETURN_IF_ERROR(co_await Publish(publication));
  tree_rev_id_ = added->id;
  co_return Decision<void>();
}

Task<Decision<Plan>> Storyteller::RolledOver(model::Session& session, const Tree& tree, Time start) {
  if (!last_day_) co_return Plan();
  const PlanKind::Where where{.day = *last_day_};
  auto source = co_await values_.plans().Current(session, where);
  if (!source) co_return std::unexpected(std::move(source).error());
  const auto state_of = [&](const std::string& id) {
    return IsLivingAction(tree, id) ? ActionState::kLiving : ActionState::kGone;
  };
  co_return RollOver(Plan(), *source->content, *last_day_, state_of, start).plan;
}

Decision<Plan> Storyteller::Morning(Plan plan, const Tree& tree, const std::string& day, Time when,
                                    Time start, const std::vector<std::string>& actions) {
  const auto bounds = BoundsOf(day, rules_);
  if (!bounds) return std::unexpected(Refusal(bounds.error()));
  const auto is_living = [&](const std::string& id) { return IsLivingAction(tree, id); };
  std::vector<PlanOperation> operations;
  for (size_t i = 0; i < actions.size(); ++i) {
    if (!is_living(actions[i]) || FindTodo(plan, actions[i]) != nullptr) continue;
    operations.push_back(
        AddTodo{.action_id = actions[i],
                .classification = i == 0 ? Classification::kUrgent : Classification::kImportant,
                .estimated_pomodoros = static_cast<int64_t>(1 + i % 3)});
  }
  const Time meeting = start + std::chrono::minutes(150);
  operations.push_back(AddBlock{.type = BlockType::kMeeting,
                                .start = FormatIsoMilliseconds(meeting),
                                .end = FormatIsoMilliseconds(meeting + std::chrono::minutes(30))});
  auto applied =
      ApplyPlan(plan, operations, {.bounds = *bounds, .new_id = NewIds(when), .is_living_action = is_living});
  if (!applied) return std::unexpected(std::move(applied).error());
  auto schedule = SchedulePomodoros(applied->plan, {.bounds = *bounds,
                                                    .from = start + std::chrono::minutes(60),
                                                    .options = {},
                                                    .new_id = NewIds(when),
                                                    .is_living_action = is_living});
  if (!schedule) return std::unexpected(std::move(schedule).error());
  plan = std::move(applied->plan);
  plan.blocks.clear();
  for (Block& block : schedule->blocks) {
    std::string id = block.id;
    plan.blocks.emplace(std::move(id), std::move(block));
  }
  return plan;
}

Task<Decision<void>> Storyteller::PlanMorning(std::string day, Time when, Time start,
                                              std::vector<std::string> actions) {
  Publication publication(values_, caller_);
  const PlanKind::Where where{.day = day};
  auto current = co_await values_.plans().Current(publication.session(), where);
  if (!current) co_return std::unexpected(std::move(current).error());
  if (current->head) co_return Decision<void>();
  auto tree = co_await CurrentTree(publication.session());
  if (!tree) co_return std::unexpected(std::move(tree).error());
  auto rolled = co_await RolledOver(publication.session(), *tree->content, start);
  if (!rolled) co_return std::unexpected(std::move(rolled).error());
  auto plan = Morning(*std::move(rolled), *tree->content, day, when, start, actions);
  if (!plan) co_return std::unexpected(std::move(plan).error());
  PlanRepository::Draft draft{.content = *std::move(plan),
                              .label = PlanReason::kMorningPlan,
                              .message = "Plan of the day",
                              .values_rev_id = tree_rev_id_,
                              .touched = {},
                              .rev_id = ulids_.Next(when)};
  auto added = co_await publication.Add(day, *current, std::move(draft));
  if (!added) co_return std::unexpected(std::move(added).error());
  ++filled_.days;
  CO_RETURN_IF_ERROR(co_await Publish(publication));
  last_day_ = day;
  plan_rev_id_ = added->id;
  co_return Decision<void>();
}

Task<Decision<void>> Storyteller::Complete(std::string day, Time when, std::string action) {
  if (last_day_ != day) co_return Decision<void>();
  Publication publication(values_, caller_);
  auto tree = co_await CurrentTree(publication.session());
  if (!tree) co_return std::unexpected(std::move(tree).error());
  const PlanKind::Where where{.day = day};
  auto plan = co_await values_.plans().Current(publication.session(), where);
  if (!plan) co_return std::unexpected(std::move(plan).error());
  if (!plan->head || plan->head->rev_id != plan_rev_id_) co_return std::unexpected(SomeoneElse());
  if (!IsLivingAction(*tree->content, action)) co_return Decision<void>();
  const Operation complete = CompleteNode{.node_id = action};
  auto applied = Apply(*tree->content, std::span(&complete, 1),
                       {.now = FormatIsoMilliseconds(when), .new_id = NewIds(when)});
  if (!applied) co_return std::unexpected(std::move(applied).error());
  const std::string message = "Complete \"" + applied->tree.nodes.at(action).title + "\"";
  TreeRepository::Draft draft{.content = std::move(applied->tree),
                              .label = RevSource::kCompletion,
                              .message = message,
                              .touched = std::vector<std::string>{action},
                              .rev_id = ulids_.Next(when)};
  auto revision = co_await publication.Add(*tree, std::move(draft));
  if (!revision) co_return std::unexpected(std::move(revision).error());
  PlanRepository::Draft same{.content = *plan->content,
                             .label = PlanReason::kCompletion,
                             .message = message,
                             .values_rev_id = revision->id,
                             .touched = {},
                             .rev_id = ulids_.Next(when)};
  auto planned = co_await publication.Add(day, *plan, std::move(same));
  if (!planned) co_return std::unexpected(std::move(planned).error());
  ++filled_.revisions;
  CO_RETURN_IF_ERROR(co_await Publish(publication));
  tree_rev_id_ = revision->id;
  plan_rev_id_ = planned->id;
  co_return Decision<void>();
}

}  // namespace cairn::values
