#include "domains/values/completions.h"

#include <map>

#include "domains/values/plan/rules.h"
#include "domains/values/settings.h"

namespace cairn::values {
namespace {

// Each takes four writes of a transaction, which has a hundred.
constexpr size_t kPlansMax = 20;

}  // namespace

std::vector<Completion> CompletionsBetween(const Tree& before, const Tree& after) {
  std::vector<Completion> completions;
  auto known = before.nodes.begin();
  for (const auto& [id, node] : after.nodes) {
    while (known != before.nodes.end() && known->first < id) ++known;
    const bool is_known = known != before.nodes.end() && known->first == id;
    const std::optional<std::string> was = is_known ? known->second.completed_at : std::nullopt;
    if (node.completed_at != was) completions.push_back({id, node.completed_at ? *node.completed_at : *was});
  }
  return completions;
}

Task<Decision<std::vector<DayPlan>>> PlansRecording(Values& values, model::Session& session,
                                                    std::vector<Completion> completions) {
  std::vector<DayPlan> plans;
  if (completions.empty()) co_return plans;
  auto settings = co_await ReadSettings(session);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  const DayRules rules = RulesOf(*settings);
  std::map<std::string, std::vector<std::string>> actions;  // by day
  for (Completion& completion : completions) {
    const auto moment = ParseInstant(completion.moment);
    if (!moment) co_return std::unexpected(Refusal(moment.error()));
    auto day = DayOf(*moment, rules);
    if (!day) continue;  // a moment at the end of time belongs to no day that can have a plan
    actions[*std::move(day)].push_back(std::move(completion.node_id));
  }
  for (const auto& [day, ids] : actions) {
    const PlanKind::Where where{.day = day};
    auto state = co_await values.plans().Current(session, where);
    if (!state) co_return std::unexpected(std::move(state).error());
    const auto has = [&](const std::string& id) { return FindTodo(*state->content, id) != nullptr; };
    if (!state->head || std::ranges::none_of(ids, has)) continue;
    if (plans.size() == kPlansMax) {
      co_return Refuse("too-many-days", "The plans of more than " + std::to_string(kPlansMax) +
                                            " days have these actions: complete them in several commits");
    }
    plans.push_back({.day = day, .state = *std::move(state)});
  }
  co_return plans;
}

Task<Decision<std::vector<PlanCommitted>>> Record(Publication& publication, std::vector<DayPlan> plans,
                                                  std::string message, std::string values_rev_id) {
  std::vector<PlanCommitted> recorded;
  for (const DayPlan& plan : plans) {
    PlanRepository::Draft draft{.content = *plan.state.content,
                                .label = PlanReason::kCompletion,
                                .message = message,
                                .values_rev_id = values_rev_id,
                                .touched = {}};
    auto revision = co_await publication.Add(plan.day, plan.state, std::move(draft));
    if (!revision) co_return std::unexpected(std::move(revision).error());
    recorded.push_back({.day = plan.day, .revision = *std::move(revision), .changed = true});
  }
  co_return recorded;
}

}  // namespace cairn::values
