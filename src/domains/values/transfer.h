// Use cases: the whole history of a tree out of an account, and into one that has none. Each revision says
// what differs from the one before, so that a long history stays small.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domains/values/values.h"

namespace cairn::values {

// One revision on its way. A parent with no children is listed with an empty list when it had some before.
struct RevisionDelta {
  std::string rev_id;
  std::optional<std::string> parent_rev_id = {};
  models::values::RevSource source{};
  std::string message = {};
  std::optional<std::string> restored_from = {};
  std::optional<Restore> restored_by = {};
  std::vector<Node> nodes = {};                                                 // new, or other than before
  std::vector<std::string> removed = {};                                        // ids
  std::vector<std::pair<std::string, std::vector<std::string>>> children = {};  // lists that differ, whole
  std::vector<std::pair<std::string, Pack>> packed = {};                        // packs that are new
  std::vector<std::string> unpacked = {};                                       // and that are no more
};

RevisionDelta DeltaOf(const TreeRepository::Rev& revision, const Tree& before, const Tree& after);
// Fails when the delta does not fit what was before.
Decision<Tree> ApplyDelta(const Tree& before, const RevisionDelta& delta);

// A history on its way out, oldest revision first. Holds two trees at a time, however long the history is.
class Export {
 public:
  // From the first revision, or from the one behind `after`. Refuses a revision that is not there.
  static Task<Decision<std::unique_ptr<Export>>> Begin(Values& values, model::Caller caller,
                                                       std::optional<std::string> after);
  // Nothing: that was all.
  Task<Decision<std::optional<RevisionDelta>>> Next();

 private:
  Export(Values& values, model::Caller caller) : values_(values), session_(values.database(), caller) {}

  Values& values_;
  model::Session session_;
  std::vector<TreeRepository::Rev> log_;
  size_t next_ = 0;  // in log_
  std::shared_ptr<const Tree> before_ = std::make_shared<const Tree>();
};

struct Imported {
  int64_t revisions = 0;  // of them new here
  std::string head_rev_id;
};
// Into a tree without commits, or one whose history is the beginning of this one: an import that was
// interrupted goes on. Refusals: "not-empty", "bad-history", "too-much-history", "in-progress",
// and what CheckTree refuses.
Task<Decision<Imported>> Import(Values& values, model::Caller caller, std::vector<RevisionDelta> revisions);

}  // namespace cairn::values
