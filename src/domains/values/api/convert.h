// From the domain's types to what goes over the wire, and what the handlers have in common. Used in this
// folder only.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "domains/values/api/plan_types.h"
#include "domains/values/api/tree_types.h"
#include "domains/values/complete_action.h"
#include "domains/values/pack_tree.h"
#include "domains/values/plan/diff.h"
#include "domains/values/read_tree.h"
#include "domains/values/settings.h"
#include "domains/values/tags.h"
#include "domains/values/tree/diff.h"
#include "http/problem.h"
#include "rest/endpoint.h"

namespace cairn::values {

// 404, 409, 412 (the version came with If-Match) or 422, with the reason as its code.
http::Problem ProblemOf(const Refusal& refusal, const rest::Call& call);

// The revision that baseRevId or If-Match names; nothing when there is none, or any will do.
std::optional<std::string> BaseOf(const rest::Call& call, const std::optional<std::string>& given = {});
// 412 when both are there and differ: whichever is meant, the other one does not hold.
Result<void, http::Problem> CheckBase(const rest::Call& call, const std::optional<std::string>& given);
std::string TagOfRevision(const std::string& rev_id);

// In the tree or, where it has no such node, among the others; null when there is none.
const Node* FindNode(const Tree& tree, const std::map<std::string, Node>& others, const std::string& id);

NodeView ViewOf(const Node& node);
EdgeView ViewOf(const EdgeChange& edge);
// Without what is put away, unless it is asked for.
TreeAnswer ViewOf(const TreeAt& at, bool include_archived);
CommitView ViewOf(const TreeRepository::Rev& revision);
CommitAnswer ViewOf(const TreeCommitted& committed);
PackAnswer ViewOf(const TreePacked& packed);
DiffAnswer ViewOf(const TreeDiff& diff, const Tree& from, const Tree& to);
ReviewAnswer ViewOf(const WeekReviewed& week);
TagView ViewOf(const Tag& tag);

// With its action, if that is known.
TodoView ViewOf(const Todo& todo, int64_t order, const Node* action);
BlockView ViewOf(const Block& block);
PlanCommitView ViewOf(const PlanRepository::Rev& revision);
PlanCommitAnswer ViewOf(const PlanCommitted& committed);
CompleteAnswer ViewOf(const ActionCompleted& completed);
PlanDiffAnswer ViewOf(const PlanDiff& diff);
SettingsView ViewOf(const Settings& settings, Time now);

// What several handlers do.

inline std::unexpected<http::Problem> Refused(const Refusal& refusal, const rest::Call& call) {
  return std::unexpected(ProblemOf(refusal, call));
}
// 422 about one field of the body.
std::unexpected<http::Problem> WrongField(std::string field, std::string message);

PageOf PageFrom(const PageQuery& page);
std::optional<std::string> IfAny(std::string text);

// A commit of the tree or of a plan as an answer: with its tag, and with `status` if it changed anything.
template <class Committed>
auto AnswerOf(const Committed& committed, int status) {
  return rest::Answered<decltype(ViewOf(committed))>{.body = ViewOf(committed),
                                                     .status = committed.changed ? status : 200,
                                                     .etag = TagOfRevision(committed.revision.id)};
}
template <class Committed>
Witness<Committed> WitnessOf(rest::Call& call, int status) {
  return [&call, status](model::Session& platform, const Committed& committed) {
    return rest::StageAnswer(call, platform, AnswerOf(committed, status));
  };
}
template <class Committed>
auto Finish(Task<Decision<Committed>> work, rest::Call& call, int status)
    -> Task<rest::Reply<decltype(ViewOf(std::declval<const Committed&>()))>> {
  auto committed = co_await work;
  if (!committed) co_return Refused(committed.error(), call);
  co_return AnswerOf(*committed, status);
}

}  // namespace cairn::values
