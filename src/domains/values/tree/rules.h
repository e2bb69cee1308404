// What a tree may be. CheckTree judges a whole snapshot before it is published: after operations, merges and
// imports. Linear in nodes and edges.
//
// The reasons of refusals, in the order of the check:
//   too-many-nodes, too-many-packs,
//   too-many-edges, too-much-text     kNodesMax and so on; the code is kLimitExceeded
//   bad-id, bad-title, bad-notes      the texts of a node (tree/texts.h)
//   bad-time                          moments are as stored; what is deleted, or has archivedAt, is archived
//   bad-count                         packedActions of what can have something below it
//   unknown-node                      an edge joins nodes that are there
//   duplicate-edge, empty-list        each edge once; no list of children without any
//   wrong-parent                      a driver hangs under nothing, nothing hangs under an action
//   no-parent, cycle                  all else hangs under something, never under itself: so a driver is
//                                     above everything. The message has the path of a cycle
//   no-driver                         driverId and rootDriverId name that driver; a driver has only the
//                                     second, and it is its own id
//   primary-parent                    there is an edge from the primary parent (tree/walk.h)
//   other-driver                      all parents of a node are under the same driver
//   parent-deleted                    a living node has a living parent
#pragma once

#include <string_view>

#include "domains/values/refusal.h"
#include "domains/values/tree/tree.h"

namespace cairn::values {

// The refusal has the first fault as its reason and message, and up to twenty of its kind in `fields`:
// "nodes[01JQ...].title", "children[01JQ...][2]".
Decision<void> CheckTree(const Tree& tree);

// What to do about a tree that is full.
inline constexpr std::string_view kPackAdvice =
    "Pack away what is done or deleted (POST /api/values/pack): it stays in history and can be brought back.";

// Whether nodes of one type may hang under nodes of another.
bool MayHangUnder(NodeType child, NodeType parent);

size_t EdgeCount(const Tree& tree);
// Of all titles and notes.
size_t TextBytes(const Tree& tree);

}  // namespace cairn::values
