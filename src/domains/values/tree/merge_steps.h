// The steps of a merge, and what they hand on. Private to tree/merge.cc.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domains/values/refusal.h"
#include "domains/values/tree/merge.h"
#include "domains/values/tree/tree.h"
#include "domains/values/tree/walk.h"

namespace cairn::values {

enum class Side { kTheirs, kMine };
inline Side Other(Side side) { return side == Side::kTheirs ? Side::kMine : Side::kTheirs; }

// A tree with the parents of its nodes.
struct Version {
  explicit Version(const Tree& whole) : tree(whole), parents(Parents(whole)) {}

  const Node* Find(const std::string& id) const;
  const std::vector<std::string>& ParentsOf(const std::string& id) const;
  const std::vector<std::string>& ChildrenOf(const std::string& id) const;

  const Tree& tree;
  const ParentsByChild parents;
};

struct Merging {
  Merging(const Tree& base_tree, const Tree& theirs_tree, const Tree& mine_tree,
          const std::vector<Resolution>& given);

  const Version& Of(Side side) const { return side == Side::kTheirs ? theirs : mine; }
  const Resolution* FindResolution(const std::string& id, std::string_view field) const;
  // The side that a resolution takes; nothing without one.
  std::optional<Side> Choice(const std::string& id, std::string_view field) const;

  const Version base, theirs, mine;
  std::map<std::pair<std::string, std::string>, Resolution> resolutions;  // by id and field

  Tree merged;
  ParentsByChild parents;                // of merged; the primary one first
  std::set<std::string> life_open;       // nodes whose life or death is an open conflict
  std::map<std::string, Side> life_of;   // nodes whose life a resolution took from a side
  std::vector<MergeConflict> conflicts;  // open ones
};

// Whether a node is archived or deleted, and when.
bool SameLife(const Node& one, const Node& other);
void TakeLife(const Node& from, Node& to);
// The conflict about it, with the field that tells the difference: deletedAt or archived.
MergeConflict LifeConflict(const Merging& merging, const std::string& id);
// A resolution for either of the two fields.
std::optional<Side> LifeChoice(const Merging& merging, const std::string& id);

// tree/merge_nodes.cc: which nodes there are, and their fields.
void MergeNodes(Merging& merging);
// tree/merge_places.cc: who hangs under whom, in which order.
void MergePlaces(Merging& merging);
// tree/merge_life.cc: what is living needs a living parent.
void MergeLives(Merging& merging);

}  // namespace cairn::values
