#include "model/name_suggestion.h"

#include <algorithm>
#include <array>

namespace cairn::model {
namespace {

// Longer names are not compared: the work grows with the square, and nobody types them.
constexpr size_t kComparedMax = 64;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// One wrong character in short names, one in three in longer ones.
size_t NearEnough(std::string_view wrong) { return std::max<size_t>(1, wrong.size() / 3); }

}  // namespace

size_t EditDistance(std::string_view a, std::string_view b) {
  a = a.substr(0, kComparedMax);
  b = b.substr(0, kComparedMax);
  using Row = std::array<size_t, kComparedMax + 1>;
  Row before_previous{}, previous{}, current{};
  for (size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = Lower(a[i - 1]) == Lower(b[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && Lower(a[i - 1]) == Lower(b[j - 2]) && Lower(a[i - 2]) == Lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before_previous[j - 2] + 1);
    }
    before_previous = previous;
    previous = current;
  }
  return previous[b.size()];
}

std::string_view NearestName(std::string_view wrong, const std::vector<std::string_view>& names) {
  if (wrong.size() > kComparedMax) return {};
  std::string_view nearest;
  size_t distance = NearEnough(wrong) + 1;
  for (const std::string_view name : names) {
    if (name.size() > kComparedMax || name.empty()) continue;
    // A single wrong letter in place of a single letter says nothing.
    const size_t edits = EditDistance(wrong, name);
    if (edits >= std::max(wrong.size(), name.size())) continue;
    if (edits < distance) {
      distance = edits;
      nearest = name;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view wrong, const std::vector<std::string_view>& names) {
  const std::string_view nearest = NearestName(wrong, names);
  if (nearest.empty()) return "";
  return std::string("; did you mean '").append(nearest).append("'?");
}

}  // namespace cairn::model
