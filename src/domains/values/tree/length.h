// LengthOf(tree): whether working through all of a tree leaves the event loop (base/aside.h). Of the small
// trees that most people have, nothing is worth the way.
#pragma once

#include "base/aside.h"
#include "domains/values/tree/rules.h"

namespace cairn::values {

// `operations` of a change, each of which may walk through the tree.
inline Length LengthOf(const Tree& tree, size_t operations = 0) {
  constexpr size_t kNodesHereMax = 200, kOperationsHereMax = 20, kTextHereBytesMax = 256 * 1024;
  const bool is_long = tree.nodes.size() > kNodesHereMax || operations > kOperationsHereMax ||
                       TextBytes(tree) > kTextHereBytesMax;
  return is_long ? Length::kLong : Length::kShort;
}

}  // namespace cairn::values
