// Use cases: nodes that are done with are packed away, listed, and brought back (tree/pack.h).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "domains/values/commit_tree.h"
#include "domains/values/tree/pack.h"

namespace cairn::values {

struct PackTree {
  std::optional<std::string> before = {};  // an instant; none: now
  bool completed = true;                   // completed nodes too, not only archived and deleted ones
  std::optional<std::string> base_rev_id = {};
};

struct TreePacked {
  TreeCommitted tree;
  int64_t packed = 0;  // nodes
  int64_t left = 0;    // and how many are in the tree now
};
// Nothing to pack changes nothing. Refusals: "not-found" (no tree), "bad-time", "stale-base",
// "too-many-packs".
Task<Decision<TreePacked>> CommitPack(Values& values, model::Caller caller, PackTree request,
                                      Witness<TreePacked> witness);

struct UnpackTree {
  std::string pack_rev_id;
  std::optional<std::vector<std::string>> node_ids = {};  // none: all
  std::optional<std::string> base_rev_id = {};
};
// Refusals: "not-found", "stale-base", what Unpack refuses.
Task<Decision<TreeCommitted>> CommitUnpack(Values& values, model::Caller caller, UnpackTree request,
                                           Witness<TreeCommitted> witness);

// One pack as it was when it was made.
struct PackRead {
  std::shared_ptr<const Tree> before;
  std::set<std::string> packed;  // ids
};
// Refusal: "not-found".
Task<Decision<PackRead>> ReadPack(Values& values, model::Session& session, std::string pack_rev_id);

// The last state of nodes that the tree has packed away; of those that are in no pack, nothing.
Task<Decision<std::map<std::string, Node>>> FindPacked(Values& values, model::Session& session,
                                                       std::shared_ptr<const Tree> tree,
                                                       std::set<std::string> ids);

}  // namespace cairn::values
