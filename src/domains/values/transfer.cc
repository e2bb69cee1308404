#include "domains/values/transfer.h"

#include <algorithm>
#include <span>

#include "base/test_point.h"
#include "domains/values/commit_tree.h"
#include "domains/values/history/publication.h"
#include "domains/values/tree/length.h"
#include "domains/values/tree/rules.h"

namespace cairn::values {
namespace {

constexpr size_t kItemsPerImport = 10'000'000;  // some minutes, some gigabytes
constexpr std::chrono::hours kClocksDifferMax{24};
constexpr std::chrono::hours kSweepsComeWithin{2};  // also one that has failed before

Refusal BadHistory(const std::string& rev_id, const std::string& what) {
  return Refusal(Code::kInvalidArgument, "bad-history", "Revision " + rev_id + ": " + what);
}

// All of the log, oldest first.
Task<Decision<std::vector<TreeRepository::Rev>>> WholeLog(model::Session& session) {
  std::vector<TreeRepository::Rev> log;
  PageOf page{.limit = 100, .cursor = {}};
  for (;;) {
    auto history = co_await TreeKind::ReadHistory(session, {}, page);
    if (!history) co_return std::unexpected(std::move(history).error());
    for (TreeRepository::Rev& revision : history->revisions) {
      revision.touched.reset();  // long, and of no use here
      log.push_back(std::move(revision));
    }
    if (history->next_cursor.empty()) break;
    page.cursor = history->next_cursor;
  }
  std::ranges::reverse(log);
  co_return log;
}

// Undoing and redoing follow restoredFrom back: it must lead to an earlier revision.
Decision<void> CheckRestored(const RevisionDelta& revision, std::span<const RevisionDelta> earlier) {
  if (revision.restored_from.has_value() != revision.restored_by.has_value())
    return std::unexpected(BadHistory(revision.rev_id, "restoredFrom and restoredBy come together"));
  if (!revision.restored_from) return {};
  // They are in order by now.
  if (!std::ranges::binary_search(earlier, *revision.restored_from, {}, &RevisionDelta::rev_id))
    return std::unexpected(BadHistory(revision.rev_id, "it was restored from no earlier revision"));
  return {};
}

Decision<void> CheckOrder(const std::vector<RevisionDelta>& revisions, Time now) {
  for (size_t i = 0; i < revisions.size(); ++i) {
    const RevisionDelta& revision = revisions[i];
    if (!IsUlid(revision.rev_id)) return std::unexpected(BadHistory(revision.rev_id, "its id is no ULID"));
    const std::optional<std::string> before = i == 0 ? std::nullopt : std::optional(revisions[i - 1].rev_id);
    if (revision.parent_rev_id != before)
      return std::unexpected(BadHistory(revision.rev_id, "its parent is not the revision before it"));
    if (before && revision.rev_id <= *before)
      return std::unexpected(BadHistory(revision.rev_id, "its id is not behind its parent's"));
    // What is committed next must be younger: a far future would stay the present for ever.
    if (MomentOf(revision.rev_id) > now + kClocksDifferMax)
      return std::unexpected(BadHistory(revision.rev_id, "its id is of the future"));
    RETURN_IF_ERROR(CheckRestored(revision, std::span(revisions).first(i)));
    // What is packed away is looked up there, and in the revision before.
    for (const auto& [pack_rev_id, pack] : revision.packed) {
      const auto known = std::span(revisions).first(i + 1).subspan(1);  // the first has none before
      if (!std::ranges::binary_search(known, pack_rev_id, {}, &RevisionDelta::rev_id))
        return std::unexpected(BadHistory(revision.rev_id, "it names a pack of no such revision"));
    }
  }
  return {};
}

// Sweeps of snapshots that an earlier import has left.
Task<Decision<std::vector<jobs::Job>>> Leftovers(Values& values, const std::string& user_id,
                                                 const std::vector<RevisionDelta>& revisions) {
  auto pending = co_await values.jobs().Pending(user_id, values.Now() + kSweepsComeWithin);
  if (!pending) co_return std::unexpected(RefusalOf(std::move(pending).error()));
  std::erase_if(*pending, [&](const jobs::Job& job) {
    return job.kind != kSweepJob ||
           !std::ranges::binary_search(revisions, job.id, {}, &RevisionDelta::rev_id);
  });
  co_return *std::move(pending);
}

// This import writes the same snapshots: nobody may be clearing them away meanwhile.
Task<Decision<void>> ClearLeftovers(Values& values, const model::Caller& caller,
                                    const std::vector<RevisionDelta>& revisions) {
  const std::string user_id = *caller.Claim("sub");
  auto left = co_await Leftovers(values, user_id, revisions);
  if (!left) co_return std::unexpected(std::move(left).error());
  for (const jobs::Job& job : *left) {
    if (job.attempts > 0) continue;  // someone is at it
    const Status swept = co_await values.trees().Sweep(job, {}, job.id);
    if (!swept) co_return std::unexpected(Refusal(swept.error()));
  }
  left = co_await Leftovers(values, user_id, revisions);
  if (!left) co_return std::unexpected(std::move(left).error());
  if (left->empty()) co_return Decision<void>();
  co_return std::unexpected(
      Refusal(Code::kTransactionInProgress, "in-progress",
              "What an interrupted import has left is being cleared away: try again later"));
}

}  // namespace

RevisionDelta DeltaOf(const TreeRepository::Rev& revision, const Tree& before, const Tree& after) {
  RevisionDelta delta{.rev_id = revision.id,
                      .parent_rev_id = revision.parent_id,
                      .source = revision.label,
                      .message = revision.message,
                      .restored_from = revision.restored_from,
                      .restored_by = revision.restored_by};
  for (const auto& [id, node] : after.nodes) {
    const auto known = before.nodes.find(id);
    if (known == before.nodes.end() || known->second != node) delta.nodes.push_back(node);
  }
  for (const auto& [id, node] : before.nodes) {
    if (!after.nodes.contains(id)) delta.removed.push_back(id);
  }
  for (const auto& [parent, children] : after.children) {
    const auto known = before.children.find(parent);
    if (known == before.children.end() || known->second != children)
      delta.children.emplace_back(parent, children);
  }
  for (const auto& [parent, children] : before.children) {
    if (!after.children.contains(parent)) delta.children.emplace_back(parent, std::vector<std::string>());
  }
  for (const auto& [id, pack] : after.packs) {
    if (!before.packs.contains(id)) delta.packed.emplace_back(id, pack);
  }
  for (const auto& [id, pack] : before.packs) {
    if (!after.packs.contains(id)) delta.unpacked.push_back(id);
  }
  return delta;
}

Decision<Tree> ApplyDelta(const Tree& before, const RevisionDelta& delta) {
  Tree tree = before;
  for (const Node& node : delta.nodes) tree.nodes.insert_or_assign(node.id, node);
  for (const std::string& id : delta.removed) {
    if (tree.nodes.erase(id) == 0)
      return std::unexpected(BadHistory(delta.rev_id, "it removes the node " + id + ", which is not there"));
  }
  for (const auto& [id, pack] : delta.packed) tree.packs.insert_or_assign(id, pack);
  for (const std::string& id : delta.unpacked) {
    if (tree.packs.erase(id) == 0)
      return std::unexpected(BadHistory(delta.rev_id, "it forgets the pack " + id + ", which is not there"));
  }
  for (const auto& [parent, children] : delta.children) {
    if (children.empty()) {
      tree.children.erase(parent);
    } else {
      tree.children.insert_or_assign(parent, children);
    }
  }
  if (auto right = CheckTree(tree); !right) {
    Refusal refusal = std::move(right).error();
    refusal.message = "Revision " + delta.rev_id + ": " + refusal.message;
    return std::unexpected(std::move(refusal));
  }
  return tree;
}

Task<Decision<std::unique_ptr<Export>>> Export::Begin(Values& values, model::Caller caller,
                                                      std::optional<std::string> after) {
  std::unique_ptr<Export> run(new Export(values, std::move(caller)));
  auto log = co_await WholeLog(run->session_);
  if (!log) co_return std::unexpected(std::move(log).error());
  run->log_ = *std::move(log);
  if (after) {
    const auto last = std::ranges::find(run->log_, *after, &TreeRepository::Rev::id);
    if (last == run->log_.end()) co_return RefuseUnknown("There is no such revision");
    auto content = co_await values.trees().ContentOf(run->session_, {}, *last);
    if (!content) co_return std::unexpected(std::move(content).error());
    run->before_ = *std::move(content);
    run->next_ = static_cast<size_t>(last - run->log_.begin()) + 1;
  }
  co_return std::move(run);
}

Task<Decision<std::optional<RevisionDelta>>> Export::Next() {
  if (next_ == log_.size()) co_return std::optional<RevisionDelta>();
  const TreeRepository::Rev& revision = log_[next_++];
  auto content = co_await values_.trees().ContentOf(session_, {}, revision);
  if (!content) co_return std::unexpected(std::move(content).error());
  auto compare = [&] { return DeltaOf(revision, *before_, **content); };
  std::optional<RevisionDelta> delta = co_await Aside(compare, LengthOf(**content));
  before_ = *std::move(content);
  co_return delta;
}

Task<Decision<Imported>> Import(Values& values, model::Caller caller, std::vector<RevisionDelta> revisions) {
  if (revisions.empty()) co_return Refuse("bad-history", "There are no revisions to import");
  CO_RETURN_IF_ERROR(CheckOrder(revisions, values.Now()));
  // Everything is checked before anything is written; the trees of a long history do not fit into memory
  // together.
  Tree checked;
  size_t items = 0;
  for (const RevisionDelta& delta : revisions) {
    auto apply = [&] { return ApplyDelta(checked, delta); };
    CO_ASSIGN_OR_RETURN(checked, co_await Aside(apply));  // many revisions of a large tree take their time
    items += TreeKind::ItemCount(checked);
    if (items > kItemsPerImport) {
      co_return std::unexpected(Refusal(Code::kLimitExceeded, "too-much-history",
                                        "The snapshots of all revisions have at most " +
                                            std::to_string(kItemsPerImport) + " items together"));
    }
  }
  CO_RETURN_IF_ERROR(co_await ClearLeftovers(values, caller, revisions));
  Tree before, tree;
  Imported answer{.revisions = 0, .head_rev_id = revisions.back().rev_id};
  for (size_t i = 0; i < revisions.size(); ++i) {
    const RevisionDelta& delta = revisions[i];
    co_await TestPoint("values.import-revision");
    before = std::move(tree);
    auto apply = [&] { return ApplyDelta(before, delta); };
    CO_ASSIGN_OR_RETURN(tree, co_await Aside(apply, LengthOf(before, delta.nodes.size())));
    Publication publication(values, caller);
    auto current = co_await values.trees().Current(publication.session(), {});
    if (!current) co_return std::unexpected(std::move(current).error());
    const bool fits = current->head ? delta.parent_rev_id == current->head->rev_id : i == 0;
    if (!fits) {
      const bool done_before =
          current->head && std::ranges::any_of(revisions, [&](const RevisionDelta& known) {
            return known.rev_id == current->head->rev_id;
          });
      if (done_before && current->head->rev_id >= delta.rev_id) continue;
      co_return std::unexpected(Refusal(Code::kConditionFailed, "not-empty",
                                        "This account has a tree of its own already: import into a new one"));
    }
    auto make_draft = [&] {
      return TreeRepository::Draft{.content = tree,
                                   .label = delta.source,
                                   .message = delta.message,
                                   .restored_from = delta.restored_from,
                                   .restored_by = delta.restored_by,
                                   .touched = TouchedNodes(before, tree),
                                   .rev_id = delta.rev_id};
    };
    TreeRepository::Draft draft = co_await Aside(make_draft, LengthOf(tree));
    auto added = co_await publication.Add(*current, std::move(draft));
    if (!added) co_return std::unexpected(std::move(added).error());
    auto committed = co_await publication.Commit();
    if (!committed) co_return std::unexpected(std::move(committed).error());
    ++answer.revisions;
  }
  co_return answer;
}

}  // namespace cairn::values
