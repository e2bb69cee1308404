#include "design/text_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace cairn::design {
namespace {

constexpr size_t kGap = 2;

// Characters, not bytes, as far as a terminal shows them.
size_t Width(const std::string& text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string TextTable::ToString() const {
  std::vector<size_t> widths;
  for (size_t column = 0; column < columns_.size(); ++column) {
    size_t width = Width(columns_[column].title);
    for (const auto& row : rows_) width = std::max(width, Width(row[column]));
    widths.push_back(width);
  }
  std::string text;
  const auto add_line = [&](auto&& cell_of) {
    std::string line;
    for (size_t column = 0; column < columns_.size(); ++column) {
      const std::string& cell = cell_of(column);
      const std::string padding(widths[column] - Width(cell), ' ');
      line += columns_[column].align == Align::kRight ? padding + cell : cell + padding;
      line.append(kGap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add_line([&](size_t column) -> const std::string& { return columns_[column].title; });
  for (const auto& row : rows_) add_line([&](size_t column) -> const std::string& { return row[column]; });
  return text;
}

std::string ShortNumber(double value) {
  char digits[64];
  const double rounded = std::round(value * 10) / 10;
  std::snprintf(digits, sizeof(digits), rounded == std::floor(rounded) ? "%.0f" : "%.1f", rounded);
  std::string text = digits;
  size_t point = text.find('.');
  if (point == std::string::npos) point = text.size();
  for (size_t i = point; i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

}  // namespace cairn::design
