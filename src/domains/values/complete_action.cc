#include "domains/values/complete_action.h"

#include "domains/values/completions.h"
#include "domains/values/plan/rules.h"
#include "domains/values/tree/length.h"
#include "domains/values/tree/review.h"
#include "domains/values/tree/walk.h"

namespace cairn::values {
namespace {

// The plan of the day that the request names.
Task<Decision<DayPlan>> PlanOfDay(Values& values, model::Session& session, const CompleteAction& request) {
  const PlanKind::Where where{.day = *request.day};
  auto state = co_await values.plans().Current(session, where);
  if (!state) co_return std::unexpected(std::move(state).error());
  if (request.plan_rev_id && (!state->head || state->head->rev_id != *request.plan_rev_id))
    co_return std::unexpected(StaleBase(*request.plan_rev_id, state->head));
  if (!state->head || FindTodo(*state->content, request.node_id) == nullptr)
    co_return RefuseUnknown("The plan of this day has no such todo");
  co_return DayPlan{.day = *request.day, .state = *std::move(state)};
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
  std::vector<DayPlan> plans;
  if (request.day) {
    auto plan = co_await PlanOfDay(values, session, request);
    if (!plan) co_return std::unexpected(std::move(plan).error());
    plans.push_back(*std::move(plan));
  }

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
  if (!request.day) {
    std::vector<Completion> completions = CompletionsBetween(*current->content, applied->tree);
    auto recording = co_await PlansRecording(values, session, std::move(completions));
    if (!recording) co_return std::unexpected(std::move(recording).error());
    plans = *std::move(recording);
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
  auto recorded = co_await Record(publication, std::move(plans), message, revision->id);
  if (!recorded) co_return std::unexpected(std::move(recorded).error());
  if (!recorded->empty()) answer.plan = std::move(recorded->front());
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
    // Also with a base: if that is what has moved, the next attempt says so.
    auto done = co_await CompleteOnce(values, caller, request, witness);
    if (done || !IsHeadMoved(done.error()) || attempt == kAttemptsMax) co_return done;
  }
}

}  // namespace cairn::values
