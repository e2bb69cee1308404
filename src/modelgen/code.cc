#include "modelgen/code.h"

namespace cairn::modelgen {
namespace {

constexpr size_t kColumnMax = 110;
constexpr size_t kIndentation = 2;
constexpr size_t kContinuation = 4;

// Text for a comment: one line, and no backslash at its end, which would draw the next line in.
std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= 0 && c < 0x20) || c == 0x7f;
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '\\')) line.pop_back();
  return line;
}

}  // namespace

std::string StringLiteral(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      literal += '\\';
      literal += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      literal += '\\';
      for (const int shift : {6, 3, 0}) literal += static_cast<char>('0' + ((byte >> shift) & 7));
    } else {
      literal += c;
    }
  }
  return literal + '"';
}

std::string RawStringLiteral(std::string_view text) {
  std::string delimiter = "model";
  while (text.find(")" + delimiter + "\"") != std::string_view::npos) delimiter += '_';
  return "R\"" + delimiter + "(" + std::string(text) + ")" + delimiter + "\"";
}

void Code::Line(std::string_view text) {
  if (!text.empty()) text_.append(indentation_, ' ').append(text);
  text_ += '\n';
}

void Code::Comment(std::string_view text) {
  const std::string words = OneLine(text);
  const size_t width = kColumnMax - indentation_ - 3;
  size_t begin = 0;
  while (begin < words.size()) {
    size_t end = words.size();
    if (end - begin > width) {
      end = words.rfind(' ', begin + width);
      if (end == std::string::npos || end <= begin) end = words.find(' ', begin);
      if (end == std::string::npos) end = words.size();
    }
    std::string line = OneLine(std::string_view(words).substr(begin, end - begin));
    if (!line.empty()) Line("// " + line);
    begin = end + 1;
  }
}

void Code::Noted(std::string_view line, std::string_view note) {
  const std::string remark = OneLine(note);
  if (remark.empty()) return Line(line);
  const std::string both = std::string(line) + "  // " + remark;
  if (Fits(both)) return Line(both);
  Comment(remark);
  Line(line);
}

void Code::List(std::string_view begin, const std::vector<std::string>& arguments, std::string_view end) {
  std::string line(begin);
  for (size_t i = 0; i < arguments.size(); ++i) line += (i == 0 ? "" : ", ") + arguments[i];
  line += end;
  if (arguments.empty() || Fits(line)) return Line(line);
  Line(begin);
  const size_t width = kColumnMax - indentation_ - kContinuation;
  line.clear();
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string piece = arguments[i];
    piece += i + 1 < arguments.size() ? "," : end;
    if (!line.empty() && line.size() + 1 + piece.size() > width) {
      Line(std::string(kContinuation, ' ') + line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + piece;
  }
  Line(std::string(kContinuation, ' ') + line);
}

void Code::Open(std::string_view line) {
  Line(line);
  indentation_ += kIndentation;
}

void Code::OpenList(std::string_view begin, const std::vector<std::string>& arguments, std::string_view end) {
  List(begin, arguments, end);
  indentation_ += kIndentation;
}

void Code::Close(std::string_view line) {
  indentation_ -= kIndentation;
  Line(line);
}

void Code::Label(std::string_view label) {
  text_.append(indentation_ - kIndentation / 2, ' ').append(label) += '\n';
}

bool Code::Fits(std::string_view line) const { return indentation_ + line.size() <= kColumnMax; }

}  // namespace cairn::modelgen
