// Code: C++ text that grows line by line, with indentation, wrapped comments and wrapped argument lists.
// Knows nothing of models.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cairn::modelgen {

// A C++ string literal of these bytes.
std::string StringLiteral(std::string_view text);
// A raw string literal; its delimiter does not occur in the text.
std::string RawStringLiteral(std::string_view text);

class Code {
 public:
  // A line at the current indentation; "" is an empty line.
  void Line(std::string_view text = "");
  // A sentence of any length; nothing for "".
  void Comment(std::string_view text);
  // One line with its remark behind it, or above it where that would be too long.
  void Noted(std::string_view line, std::string_view note);
  // begin + arguments + end, such as "return Sum(", {"a", "b"}, ");": on one line, or with the arguments on
  // lines of their own behind the opening bracket.
  void List(std::string_view begin, const std::vector<std::string>& arguments, std::string_view end);
  // Lines up to Close are indented; Close writes `line`, usually "}".
  void Open(std::string_view line);
  void OpenList(std::string_view begin, const std::vector<std::string>& arguments, std::string_view end);
  void Close(std::string_view line = "}");
  // "public:" and the like, half an indentation to the left.
  void Label(std::string_view label);
  // Whether a line fits at the current indentation.
  bool Fits(std::string_view line) const;
  // Text as it is.
  void Raw(std::string_view text) { text_.append(text); }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  size_t indentation_ = 0;
};

}  // namespace cairn::modelgen
