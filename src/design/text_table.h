// TextTable: columns of text for a terminal.
#pragma once

#include <string>
#include <vector>

namespace cairn::design {

class TextTable {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as there are columns.
  void AddRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  // A line of titles, then the rows, each ended by a newline; columns are as wide as they need to be.
  std::string ToString() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Numbers for people: "1", "0.5", "12.5", "1,000".
std::string ShortNumber(double value);

}  // namespace cairn::design
