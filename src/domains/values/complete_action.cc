#include "domains/values/complete_action.h"

#include "domains/values/history/publication.h"
#include "domains/values/plan/rules.h"
#include "domains/values/settings.h"
#include "domains/values/tree/length.h"
#include "domains/values/tree/review.h"
#include "domains/values/tree/walk.h"

namespace cairn::values {
namespace {

// The plan that gets a revision; nothing when none has the action.
struct DayPlan {
  std::string day;
  PlanRepository::State state;
};

Task<Decision<std::optional<DayPlan>>> PlanWith(Values& values, model::Session& session,
                                                const CompleteAction& request) {
  std::string day = request.day.value_or("");
  if (day.empty()) {
    auto settings = co_await ReadSettings(session);
    if (!settings) co_return std::unexpected(std::move(settings).error());
    auto today = DayOf(values.Now(), RulesOf(*settings));
    if (!today) co_return std::unexpected(Refusal(std::move(today).error()));
    day = *std::move(today);
  }
  const PlanKind::Where where{.day = day};
  auto state = co_await values.plans().Current(session, where);
  if (!state) co_return std::unexpected(std::move(state).error());
  if (request.plan_rev_id && (!state->head || state->head->rev_id != *request.plan_rev_id))
    co_return std::unexpected(StaleBase(*request.plan_rev_id, state->head));
  if (state->head && FindTodo(*state->content, request.node_id) != nullptr)
    co_return DayPlan{.day = day, .state = *std::move(state)};
  if (request.day) co_return RefuseUnknown("The plan of this day has no such todo");
  co_return std::nullopt;
}

// Milestones above a node that are living and open, with all their actions completed.
std::vector<std::string> Offers(const Tree& tree, const std::string& node_id) {
  std::vector<std::string> offers;
  for (const std::string& id : PathTo(tree, node_id)) {
    const Node& node = tree.nodes.at(id);
    if (id == node_id || node.type != NodeType::kMilestone || !node.living() || node.completed_at) continue;
    const Progress progress = ProgressOf(tree, id);
    if (progress.total > 0 && progress.completed == progress.total) offers.push_back(id);
  }
  return offers;
}

Task<Decision<ActionCompleted>> CompleteOnce(Values& values, const model::Caller& caller,
                                             const CompleteAction& request,
                                             const Witness<ActionCompleted>& witness) {
  Publication publication(values, caller);
  model::Session& session = publication.session();
  auto current = co_await values.trees().Current(session, {});
  if (!current) co_return std::unexpected(std::move(current).error());
  if (request.base_rev_id && (!current->head || current->head->rev_id != *request.base_rev_id))
    co_return std::unexpected(StaleBase(*request.base_rev_id, current->head));
  auto plan = co_await PlanWith(values, session, request);
  if (!plan) co_return std::unexpected(std::move(plan).error());

  const Operation operation =
      request.completed
          ? Operation(CompleteNode{.node_id = request.node_id, .completed_at = request.completed_at})
          : Operation(UncompleteNode{.node_id = request.node_id});
  const Change change{.now = values.NowText(), .new_id = [&values] { return values.NewId(); }};
  ActionCompleted answer;
  bool is_same = false;
  auto apply = [&] {
    auto done = Apply(*current->content, std::span(&operation, 1), change);
    if (done && request.completed) answer.offers = Offers(done->tree, request.node_id);
    is_same = done && done->tree == *current->content;
    return done;
  };
  auto applied = co_await Aside(apply, LengthOf(*current->content));
  if (!applied) co_return std::unexpected(std::move(applied).error());
  if (is_same) {
    auto revision = co_await values.trees().Find(session, {}, current->head->rev_id);
    if (!revision) co_return std::unexpected(std::move(revision).error());
    answer.tree.revision = *std::move(revision);
    co_return answer;
  }
  const std::string message =
      (request.completed ? "Complete " : "Reopen ") + NameOf(applied->tree.nodes.at(request.node_id));
  TreeRepository::Draft draft{.content = std::move(applied->tree),
                              .label = RevSource::kCompletion,
                              .message = message,
                              .touched = std::vector<std::string>{request.node_id}};
  auto revision = co_await publication.Add(*current, std::move(draft));
  if (!revision) co_return std::unexpected(std::move(revision).error());
  answer.tree = {.revision = *revision, .changed = true};
  if (*plan) {
    // The todo itself says nothing about being done: the revision records when it was, and with which tree.
    PlanRepository::Draft of_day{.content = *(*plan)->state.content,
                                 .label = PlanReason::kCompletion,
                                 .message = message,
                                 .values_rev_id = revision->id,
                                 .touched = {}};
    auto planned = co_await publication.Add((*plan)->day, (*plan)->state, std::move(of_day));
    if (!planned) co_return std::unexpected(std::move(planned).error());
    answer.plan = PlanCommitted{.day = (*plan)->day, .revision = *std::move(planned), .changed = true};
  }
  if (auto staged = witness(publication.platform(), answer); !staged) {
    co_await publication.Abandon();
    co_return std::unexpected(RefusalOf(std::move(staged).error()));
  }
  auto committed = co_await publication.Commit();
  if (!committed) co_return std::unexpected(std::move(committed).error());
  co_return answer;
}

}  // namespace

Task<Decision<ActionCompleted>> Complete(Values& values, model::Caller caller, CompleteAction request,
                                         Witness<ActionCompleted> witness) {
  for (int attempt = 1;; ++attempt) {
    auto done = co_await CompleteOnce(values, caller, request, witness);
    if (done || !IsHeadMoved(done.error())) co_return done;
    if (request.base_rev_id || attempt == kAttemptsMax) co_return done;
  }
}

}  // namespace cairn::values
