// Use cases: a list of operations becomes a revision of the tree; an older revision becomes the newest one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/values/completions.h"
#include "domains/values/tree/merge.h"
#include "domains/values/tree/operations.h"
#include "domains/values/values.h"

namespace cairn::values {

using RevSource = models::values::RevSource;

struct CommitTree {
  // What the operations were made for. None: whatever is current, and again on what is current then if
  // someone else is faster.
  std::optional<std::string> base_rev_id;
  std::vector<Operation> operations;
  std::optional<RevSource> source = {};  // none: kCompletion if it completes or reopens, else kDailyUpdate
  std::string message = {};              // "": a sentence made of the operations
  bool merge = false;                    // when the base is not current any more: merge instead of refusing
  std::vector<Resolution> resolutions = {};
  std::optional<std::string> theirs_rev_id =
      {};  // what the resolutions were made for: refused when HEAD is another
};

struct TreeCommitted {
  TreeRepository::Rev revision;  // the current one when nothing has changed
  bool changed = false;
  bool merged = false;                    // with changes of others
  std::vector<std::string> added = {};    // ids, one for each AddNode
  std::vector<PlanCommitted> plans = {};  // of days that record what was completed or opened again
};

// What is completed or opened again is recorded by plans (completions.h), in the same transaction.
// Refusals: "stale-base", "merge-conflict", what Apply and CheckTree refuse, "no-operations",
// "too-many-days".
Task<Decision<TreeCommitted>> Commit(Values& values, model::Caller caller, CommitTree request,
                                     Witness<TreeCommitted> witness);

struct RestoreTree {
  Restore by = Restore::kRollback;
  std::optional<std::string> to_rev_id = {};    // of a rollback
  std::optional<std::string> base_rev_id = {};  // as in CommitTree
  RevSource source = RevSource::kDailyUpdate;
  std::string message = {};
};

// A new revision with the content of an old one. Refusals: "not-found", "stale-base", "nothing-to-undo",
// "nothing-to-redo".
Task<Decision<TreeCommitted>> RestoreRevision(Values& values, model::Caller caller, RestoreTree request,
                                              Witness<TreeCommitted> witness);

// Writes and publishes a revision of the tree, with those of the plans that record it; the answer is staged
// with it. For use cases that have decided what it is.
Task<Decision<TreeCommitted>> PublishTree(Publication& publication, const TreeRepository::State& current,
                                          TreeRepository::Draft draft, std::vector<DayPlan> plans,
                                          TreeCommitted answer, const Witness<TreeCommitted>& witness);

// What differs from the parent, as the commit log keeps it; nothing when there are too many.
std::optional<std::vector<std::string>> TouchedNodes(const Tree& from, const Tree& to);

}  // namespace cairn::values
