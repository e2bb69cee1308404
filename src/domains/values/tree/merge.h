// Merge: two changes of the same tree made into one, by node and by field. Used when HEAD has moved since a
// client read it: base is what the client read, theirs is HEAD, mine is what the client wants. Pure.
//
// Where only one side changed a field, its change stands; where both made the same change, that. Otherwise a
// conflict, with the stored name of the field, or:
//   "parent"    The parents of a node; edges that the sides add and remove add up. A conflict when both move
//               the node to different parents, or when none would be left. Told as the parent's id, or a list
//               of them, the primary one first.
//   "order"     The order of a node's children, told as a list. A conflict when both put the children they
//               share into different orders. Otherwise the side that reordered leads, else theirs; what only
//               the other side has comes behind its left neighbour and the leader's additions there.
//   ""          The node is gone on one side, by a rollback, and changed on the other. Told as its title.
//
// Life and completion need more than fields:
// - Both complete, or both delete, what was not: the same wish. Theirs stands, as with doing it twice.
// - archived and deletedAt change together. Deleting against an edit that would be lost is a conflict on
//   deletedAt.
// - Archiving or deleting what the other side hangs something living under is a conflict of that parent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/values/refusal.h"
#include "domains/values/tree/tree.h"

namespace cairn::values {

enum class Take { kTheirs, kMine, kValue };

// What is to become of one conflict. Those that fit no conflict are ignored.
struct Resolution {
  std::string id;
  std::string field;  // as in the conflict
  Take take = Take::kTheirs;
  // With kValue, of title, notes and completedAt (nothing: removed) and of parent (an id).
  std::optional<std::string> value = {};
};

// The merged tree, which keeps CheckTree. Open conflicts are refused with kConditionFailed, "merge-conflict",
// and listed by id and field. A merge that breaks a rule (each side harmless, both together a cycle) is
// refused as CheckTree says it, with kConditionFailed too.
//
// Keeping a node that the other side deleted keeps what was deleted together with it below, and the parents
// it needs above. Deleting a parent of something living takes that along.
//
// Preconditions: the three trees keep CheckTree.
using MergeResult = Decision<Tree>;
MergeResult Merge(const Tree& base, const Tree& theirs, const Tree& mine,
                  const std::vector<Resolution>& resolutions);

}  // namespace cairn::values
