#include "domains/values/commit_tree.h"

#include "domains/values/history/publication.h"
#include "domains/values/tree/diff.h"
#include "domains/values/tree/length.h"
#include "domains/values/tree/texts.h"
#include "domains/values/tree/walk.h"

namespace cairn::values {
namespace {

constexpr size_t kTouchedMax = 200;  // as in the model

struct Changed {
  Tree tree;
  bool merged = false;
  std::vector<std::string> added;
};

std::string TitleOf(const Tree& tree, const std::string& id) {
  const auto node = tree.nodes.find(id);
  return node == tree.nodes.end() ? id : NameOf(node->second);
}

struct Sentence {
  const Tree& tree;
  std::string operator()(const AddNode& add) const { return "Add \"" + add.title + "\""; }
  std::string operator()(const EditNode& edit) const { return "Edit " + TitleOf(tree, edit.node_id); }
  std::string operator()(const MoveNode& move) const { return "Move " + TitleOf(tree, move.node_id); }
  std::string operator()(const LinkNode& link) const { return "Link " + TitleOf(tree, link.child_id); }
  std::string operator()(const UnlinkNode& unlink) const {
    return "Unlink " + TitleOf(tree, unlink.child_id);
  }
  std::string operator()(const ReorderChildren& reorder) const {
    return "Reorder " + TitleOf(tree, reorder.parent_id);
  }
  std::string operator()(const CompleteNode& complete) const {
    return "Complete " + TitleOf(tree, complete.node_id);
  }
  std::string operator()(const UncompleteNode& open) const { return "Reopen " + TitleOf(tree, open.node_id); }
  std::string operator()(const ArchiveNode& archive) const {
    return "Archive " + TitleOf(tree, archive.node_id);
  }
  std::string operator()(const DeleteNode& gone) const { return "Delete " + TitleOf(tree, gone.node_id); }
  std::string operator()(const RestoreNode& back) const { return "Restore " + TitleOf(tree, back.node_id); }
};

std::string MessageOf(const CommitTree& request, const Tree& tree) {
  if (!request.message.empty()) return request.message;
  if (request.operations.size() > 1) return std::to_string(request.operations.size()) + " changes";
  return std::visit(Sentence{tree}, request.operations.front());
}

// The operations on what they were made for, and merged with what has happened since.
Task<Decision<Changed>> Decide(Values& values, model::Session& session, const CommitTree& request,
                               const TreeRepository::State& current) {
  const Change change{.now = values.NowText(), .new_id = [&values] { return values.NewId(); }};
  const bool on_current =
      !request.base_rev_id || (current.head && current.head->rev_id == *request.base_rev_id);
  if (on_current) {
    auto apply = [&] { return Apply(*current.content, request.operations, change); };
    auto applied = co_await Aside(apply, LengthOf(*current.content, request.operations.size()));
    if (!applied) co_return std::unexpected(std::move(applied).error());
    co_return Changed{.tree = std::move(applied->tree), .merged = false, .added = std::move(applied->added)};
  }
  const bool seen_otherwise =
      request.theirs_rev_id && (!current.head || current.head->rev_id != *request.theirs_rev_id);
  if (!request.merge || seen_otherwise)
    co_return std::unexpected(StaleBase(*request.base_rev_id, current.head));
  auto base = co_await values.trees().At(session, {}, *request.base_rev_id);
  if (!base) co_return std::unexpected(std::move(base).error());
  auto apply = [&] { return Apply(**base, request.operations, change); };
  auto mine = co_await Aside(apply, LengthOf(**base, request.operations.size()));
  if (!mine) co_return std::unexpected(std::move(mine).error());
  auto merge = [&] { return Merge(**base, *current.content, mine->tree, request.resolutions); };
  auto merged = co_await Aside(merge, LengthOf(*current.content));
  if (!merged) {
    Refusal refusal = std::move(merged).error();
    refusal.head_rev_id = current.head ? current.head->rev_id : "";
    co_return std::unexpected(std::move(refusal));
  }
  co_return Changed{.tree = *std::move(merged), .merged = true, .added = std::move(mine->added)};
}

bool Completes(const Operation& operation) {
  return std::holds_alternative<CompleteNode>(operation) || std::holds_alternative<UncompleteNode>(operation);
}

Task<Decision<TreeCommitted>> CommitOnce(Values& values, const model::Caller& caller,
                                         const CommitTree& request, const Witness<TreeCommitted>& witness) {
  Publication publication(values, caller);
  auto current = co_await values.trees().Current(publication.session(), {});
  if (!current) co_return std::unexpected(std::move(current).error());
  auto changed = co_await Decide(values, publication.session(), request, *current);
  if (!changed) co_return std::unexpected(std::move(changed).error());
  TreeCommitted answer{.revision = {}, .changed = false, .merged = changed->merged, .added = changed->added};
  auto compare = [&] { return changed->tree == *current->content; };
  if (current->head && co_await Aside(compare, LengthOf(changed->tree))) {
    auto revision = co_await values.trees().Find(publication.session(), {}, current->head->rev_id);
    if (!revision) co_return std::unexpected(std::move(revision).error());
    answer.revision = *std::move(revision);
    co_return answer;
  }
  std::vector<Completion> completions;
  if (std::ranges::any_of(request.operations, Completes)) {
    auto find = [&] { return CompletionsBetween(*current->content, changed->tree); };
    completions = co_await Aside(find, LengthOf(changed->tree));
  }
  const RevSource source = completions.empty() ? RevSource::kDailyUpdate : RevSource::kCompletion;
  auto plans = co_await PlansRecording(values, publication.session(), std::move(completions));
  if (!plans) co_return std::unexpected(std::move(plans).error());
  TreeRepository::Draft draft{.content = std::move(changed->tree),
                              .label = request.source.value_or(source),
                              .message = MessageOf(request, *current->content),
                              .touched = {}};
  auto find_touched = [&] { return TouchedNodes(*current->content, draft.content); };
  draft.touched = co_await Aside(find_touched, LengthOf(draft.content));
  co_return co_await PublishTree(publication, *current, std::move(draft), *std::move(plans),
                                 std::move(answer), witness);
}

std::string_view VerbOf(Restore by) {
  switch (by) {
    case Restore::kUndo:
      return "Undo to ";
    case Restore::kRedo:
      return "Redo to ";
    case Restore::kRollback:
      break;
  }
  return "Rollback to ";
}

Task<Decision<TreeRepository::Rev>> TargetOf(Values& values, model::Session& session,
                                             const RestoreTree& request, const Head& head) {
  switch (request.by) {
    case Restore::kUndo:
      return values.trees().UndoTarget(session, {}, head);
    case Restore::kRedo:
      return values.trees().RedoTarget(session, {}, head);
    case Restore::kRollback:
      break;
  }
  return values.trees().Find(session, {}, request.to_rev_id.value_or(""));
}

Task<Decision<TreeCommitted>> RestoreOnce(Values& values, const model::Caller& caller,
                                          const RestoreTree& request, const Witness<TreeCommitted>& witness) {
  Publication publication(values, caller);
  auto current = co_await values.trees().Current(publication.session(), {});
  if (!current) co_return std::unexpected(std::move(current).error());
  if (!current->head) co_return RefuseUnknown("Nothing was committed yet");
  if (request.base_rev_id && *request.base_rev_id != current->head->rev_id)
    co_return std::unexpected(StaleBase(*request.base_rev_id, current->head));
  auto target = co_await TargetOf(values, publication.session(), request, *current->head);
  if (!target) co_return std::unexpected(std::move(target).error());
  auto content = co_await values.trees().ContentOf(publication.session(), {}, *target);
  if (!content) co_return std::unexpected(std::move(content).error());
  auto compare = [&] { return **content == *current->content; };
  if (co_await Aside(compare, LengthOf(**content))) {
    auto revision = co_await values.trees().Find(publication.session(), {}, current->head->rev_id);
    if (!revision) co_return std::unexpected(std::move(revision).error());
    co_return TreeCommitted{.revision = *std::move(revision)};
  }
  auto make_draft = [&] {
    return TreeRepository::Draft{
        .content = **content,
        .label = request.source,
        .message = request.message.empty() ? std::string(VerbOf(request.by)) + target->id : request.message,
        .restored_from = target->id,
        .restored_by = request.by,
        .touched = TouchedNodes(*current->content, **content)};
  };
  TreeRepository::Draft draft = co_await Aside(make_draft, LengthOf(**content));
  // Named, not {}: g++ 12 destroys what such an argument of a coroutine holds twice.
  std::vector<DayPlan> plans;
  TreeCommitted answer;
  co_return co_await PublishTree(publication, *current, std::move(draft), std::move(plans), std::move(answer),
                                 witness);
}

}  // namespace

Task<Decision<TreeCommitted>> PublishTree(Publication& publication, const TreeRepository::State& current,
                                          TreeRepository::Draft draft, std::vector<DayPlan> plans,
                                          TreeCommitted answer, const Witness<TreeCommitted>& witness) {
  const std::string message = draft.message;
  auto revision = co_await publication.Add(current, std::move(draft));
  if (!revision) co_return std::unexpected(std::move(revision).error());
  answer.revision = *std::move(revision);
  answer.changed = true;
  auto recorded = co_await Record(publication, std::move(plans), message, answer.revision.id);
  if (!recorded) co_return std::unexpected(std::move(recorded).error());
  answer.plans = *std::move(recorded);
  if (auto staged = witness(publication.platform(), answer); !staged) {
    co_await publication.Abandon();
    co_return std::unexpected(RefusalOf(std::move(staged).error()));
  }
  auto committed = co_await publication.Commit();
  if (!committed) co_return std::unexpected(std::move(committed).error());
  co_return answer;
}

std::optional<std::vector<std::string>> TouchedNodes(const Tree& from, const Tree& to) {
  const std::set<std::string> touched = NodesTouched(Diff(from, to));
  if (touched.size() > kTouchedMax) return std::nullopt;
  return std::vector<std::string>(touched.begin(), touched.end());
}

Task<Decision<TreeCommitted>> Commit(Values& values, model::Caller caller, CommitTree request,
                                     Witness<TreeCommitted> witness) {
  if (request.operations.empty()) co_return Refuse("no-operations", "A commit needs at least one operation");
  for (int attempt = 1;; ++attempt) {
    // Also with a base: if that is what has moved, the next attempt says so; it may have been a plan.
    auto committed = co_await CommitOnce(values, caller, request, witness);
    if (committed || !IsHeadMoved(committed.error()) || attempt == kAttemptsMax) co_return committed;
  }
}

Task<Decision<TreeCommitted>> RestoreRevision(Values& values, model::Caller caller, RestoreTree request,
                                              Witness<TreeCommitted> witness) {
  for (int attempt = 1;; ++attempt) {
    auto restored = co_await RestoreOnce(values, caller, request, witness);
    if (restored || !IsHeadMoved(restored.error())) co_return restored;
    if (request.base_rev_id || attempt == kAttemptsMax) co_return restored;
  }
}

}  // namespace cairn::values
