// Packing away: nodes that nobody works with any more leave the tree, so that it stays within its limits.
// Their last state is in the revision before the one that packs them; the tree keeps that revision's name,
// and from there they can be listed and brought back. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "domains/values/refusal.h"
#include "domains/values/tree/tree.h"

namespace cairn::values {

// What may go: deleted or archived before a moment (archived at an unknown one, too) and, if wanted,
// completed before it.
struct PackRule {
  std::string before;  // as stored
  bool completed = true;
};

// Nodes of the rule that have only such nodes below them: so what stays keeps all its parents. What is living
// and hangs under several parents stays too: it is part of the progress of each. Linear.
std::set<std::string> Packable(const Tree& tree, const PackRule& rule);

// The tree without them. Completed actions that counted for progress go on counting: the next node above that
// stays has their number (Node::packed_actions). Precondition: `ids` come from Packable.
Tree PackAway(const Tree& tree, const std::set<std::string>& ids, const std::string& pack_rev_id);

// What a revision has packed away, and what has become of it.
struct PackedNodes {
  const Tree& before;  // the tree in which they were last
  std::set<std::string> packed;
};
// Nodes that the packing took, and that the tree has not.
std::set<std::string> StillPacked(const PackedNodes& pack, const Tree& tree);

// The tree with packed nodes again: those of `wanted` (all, without), and those above them that they need.
// They hang where they hung, as far as that is still there, under the driver that it has now. When none is
// left, the tree forgets the pack. Refusals: "unknown-node", "no-parent", what CheckTree refuses.
Decision<Tree> Unpack(const Tree& tree, const PackedNodes& pack, const std::string& pack_rev_id,
                      const std::optional<std::vector<std::string>>& wanted);

}  // namespace cairn::values
