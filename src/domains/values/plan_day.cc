#include "domains/values/plan_day.h"

#include "domains/values/plan/operations.h"
#include "domains/values/plan/rollover.h"

namespace cairn::values {
namespace {

namespace data = models::values;

ActionState StateOf(const Tree& tree, const std::string& action_id) {
  const auto node = tree.nodes.find(action_id);
  if (node == tree.nodes.end() || node->second.type != NodeType::kAction || !node->second.living())
    return ActionState::kGone;
  return node->second.completed_at ? ActionState::kCompleted : ActionState::kLiving;
}

// The last day before `day` that has a plan.
Task<Decision<std::string>> DayBefore(model::Session& session, const std::string& day) {
  auto yesterday = AddDays(day, -1);
  if (!yesterday) co_return std::unexpected(Refusal(std::move(yesterday).error()));
  const data::PlanDayBeforeParameters parameters{.to = *yesterday};
  const model::typed::PageOptions options{.limit = 1, .cursor = {}};
  auto days = co_await data::ReadPlanDayBefore(session, parameters, options);
  if (!days) co_return std::unexpected(RefusalOf(std::move(days).error()));
  if (days->items.empty()) co_return RefuseUnknown("No earlier day has a plan");
  co_return days->items.front().day;
}

Task<Decision<PlanDecision>> DecideRollOver(Values& values, const RollOverDay& request,
                                            model::Session& session, const PlanRepository::State& current,
                                            const PlanScene& scene) {
  std::string from_day = request.from_day.value_or("");
  if (from_day.empty()) {
    auto before = co_await DayBefore(session, request.day);
    if (!before) co_return std::unexpected(std::move(before).error());
    from_day = *std::move(before);
  }
  if (from_day == request.day) co_return Refuse("same-day", "Todos cannot come over from the same day");
  const PlanKind::Where where{.day = from_day};
  auto source = co_await values.plans().Current(session, where);
  if (!source) co_return std::unexpected(std::move(source).error());
  if (!source->head) co_return RefuseUnknown("There is no plan for " + from_day);
  RolloverResult result = RollOver(
      *current.content, *source->content, from_day,
      [&](const std::string& action_id) { return StateOf(*scene.tree, action_id); }, scene.now);
  PlanDecision decision;
  decision.draft.content = std::move(result.plan);
  decision.draft.label = PlanReason::kRollover;
  decision.draft.message = "Roll over from " + from_day;
  decision.answer.rolled = std::move(result.rolled);
  co_return decision;
}

Task<Decision<PlanDecision>> DecideFill(Values& values, const FillDay& request,
                                        const PlanRepository::State& current, const PlanScene& scene) {
  Time from = std::max(scene.now, scene.bounds.start);
  if (request.from) {
    auto given = ParseInstant(*request.from);
    if (!given) co_return std::unexpected(Refusal(std::move(given).error()));
    if (request.options.latest_end && *given >= *request.options.latest_end) {
      auto refused = Refuse("bad-time", "There is no time between from and until: until must be after from");
      refused.error().fields.push_back({"until", "must be after from"});
      co_return refused;
    }
    from = std::max(*given, scene.bounds.start);
  }
  const auto is_living = [&scene](const std::string& action_id) {
    return IsLivingAction(*scene.tree, action_id);
  };
  const auto new_id = [&values] { return values.NewId(); };
  auto schedule = SchedulePomodoros(*current.content, {.bounds = scene.bounds,
                                                       .from = from,
                                                       .options = request.options,
                                                       .new_id = new_id,
                                                       .is_living_action = is_living});
  if (!schedule) co_return std::unexpected(std::move(schedule).error());
  const PlanOperation replace = ReplaceBlocks{.blocks = std::move(schedule->blocks)};
  auto applied = ApplyPlan(*current.content, std::span(&replace, 1),
                           {.bounds = scene.bounds, .new_id = new_id, .is_living_action = is_living});
  if (!applied) co_return std::unexpected(std::move(applied).error());
  PlanDecision decision;
  decision.draft.content = std::move(applied->plan);
  decision.draft.label = current.head ? PlanReason::kMiddayReplan : PlanReason::kMorningPlan;
  decision.draft.message = "Schedule the day";
  decision.answer.unscheduled = std::move(schedule->unscheduled);
  co_return decision;
}

}  // namespace

Task<Decision<PlanCommitted>> RollOver(Values& values, model::Caller caller, RollOverDay request,
                                       Witness<PlanCommitted> witness) {
  PlanChange change{
      .day = request.day,
      .decide =
          [&](model::Session& session, const PlanRepository::State& current, const PlanScene& scene) {
            return DecideRollOver(values, request, session, current, scene);
          },
      .starts_over = true,
      .base_rev_id = request.base_rev_id};
  co_return co_await ChangePlan(values, std::move(caller), std::move(change), std::move(witness));
}

Task<Decision<PlanCommitted>> Fill(Values& values, model::Caller caller, FillDay request,
                                   Witness<PlanCommitted> witness) {
  PlanChange change{
      .day = request.day,
      .decide = [&](model::Session&, const PlanRepository::State& current,
                    const PlanScene& scene) { return DecideFill(values, request, current, scene); },
      .starts_over = true,
      .preview = request.preview,
      .base_rev_id = request.base_rev_id};
  co_return co_await ChangePlan(values, std::move(caller), std::move(change), std::move(witness));
}

}  // namespace cairn::values
