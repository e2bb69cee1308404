// Which things of an ordered list did not move when it was changed. Used by the differences of trees and
// plans.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::values {

// The numbers of a thing that is in both lists, before and now.
struct Renumbered {
  int64_t from = 0, to = 0;
};

// Given in the order of `to`: which of them did not move against each other. As many as possible did not, so
// one that went to the top is one move and not n; but what has its number still is always among them, for to
// whoever reads the numbers it has not moved. Near linear.
std::vector<bool> Unmoved(std::span<const Renumbered> things);

}  // namespace cairn::values
