#include "domains/values/unmoved.h"

#include <algorithm>

namespace cairn::values {
namespace {

// Which of `numbers` are on one of its longest rising sequences; the same one every time.
std::vector<bool> LongestRising(const std::vector<int64_t>& numbers) {
  constexpr size_t kNone = SIZE_MAX;
  std::vector<size_t> ends;  // by length, where the best sequence so far ends
  std::vector<size_t> previous(numbers.size(), kNone);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto end = std::ranges::lower_bound(ends, numbers[i], {}, [&](size_t at) { return numbers[at]; });
    if (end != ends.begin()) previous[i] = *(end - 1);
    if (end == ends.end()) {
      ends.push_back(i);
    } else {
      *end = i;
    }
  }
  std::vector<bool> rising(numbers.size());
  for (size_t at = ends.empty() ? kNone : ends.back(); at != kNone; at = previous[at]) rising[at] = true;
  return rising;
}

}  // namespace

std::vector<bool> Unmoved(std::span<const Renumbered> things) {
  // Things with the same number are in order among each other. Another one can stay beside them all if it has
  // changed sides with none; and a longest sequence of such things leaves none of the first out.
  std::vector<int64_t> same;
  for (const Renumbered& thing : things) {
    if (thing.from == thing.to) same.push_back(thing.to);
  }
  const auto same_before = [&](int64_t number) {
    return std::ranges::lower_bound(same, number) - same.begin();
  };
  std::vector<int64_t> numbers;
  std::vector<size_t> positions;
  for (size_t i = 0; i < things.size(); ++i) {
    if (same_before(things[i].from) != same_before(things[i].to)) continue;
    numbers.push_back(things[i].from);
    positions.push_back(i);
  }
  const std::vector<bool> rising = LongestRising(numbers);
  std::vector<bool> unmoved(things.size());
  for (size_t i = 0; i < positions.size(); ++i) unmoved[positions[i]] = rising[i];
  return unmoved;
}

}  // namespace cairn::values
