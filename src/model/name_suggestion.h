// "did you mean 'status'?": the nearest right name to a misspelt one. Used by every message about unknown
// names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cairn::model {

// How many characters must be inserted, deleted, replaced or swapped with their neighbour to turn `a` into
// `b`; upper and lower case are the same.
size_t EditDistance(std::string_view a, std::string_view b);

// The nearest of `names` that is near enough to be meant; "" when there is none.
std::string_view NearestName(std::string_view wrong, const std::vector<std::string_view>& names);

// "; did you mean 'x'?", or "" when no name is near.
std::string DidYouMean(std::string_view wrong, const std::vector<std::string_view>& names);

}  // namespace cairn::model
