#include "domains/nexus/ics/content_line.h"

#include <algorithm>

#include "base/utf8.h"

namespace cairn::nexus::ics {
namespace {

constexpr size_t kLineOctetsMax = 75;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool IsNameCharacter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '.';
}

std::string Capitals(std::string_view text) {
  std::string capitals(text);
  for (char& c : capitals) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return capitals;
}

bool IsDropped(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

// Bytes of the character that begins here; 0 when none does.
size_t CharacterBytes(std::string_view text) {
  for (size_t bytes = 1; bytes <= 4 && bytes <= text.size(); ++bytes) {
    if (IsUtf8(text.substr(0, bytes))) return bytes;
  }
  return 0;
}

std::string Cleaned(std::string text) {
  std::erase_if(text, IsDropped);
  if (IsUtf8(text)) return text;
  std::string clean;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t bytes = CharacterBytes(rest);
    clean += bytes == 0 ? kReplacement : rest.substr(0, bytes);
    rest.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return clean;
}

}  // namespace

std::string_view ContentLine::Parameter(std::string_view parameter) const {
  for (const auto& [its_name, its_value] : parameters) {
    if (its_name == parameter) return its_value;
  }
  return {};
}

LineReader::LineReader(std::string_view text) : rest_(text) {
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

std::string_view LineReader::TakePhysical() {
  ++number_;
  const size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
  const std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(end);
  if (rest_.starts_with("\r\n")) {
    rest_.remove_prefix(2);
  } else if (!rest_.empty()) {
    rest_.remove_prefix(1);
  }
  return line;
}

std::optional<LineReader::Line> LineReader::Next() {
  while (!rest_.empty()) {
    Line line;
    line.text = TakePhysical();
    line.number = number_;
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      line.text += TakePhysical().substr(1);
    line.text = Cleaned(std::move(line.text));
    if (line.text.find_first_not_of(" \t") != std::string::npos) return line;
  }
  return std::nullopt;
}

std::optional<ContentLine> ParseContentLine(const LineReader::Line& line) {
  std::string_view rest = line.text;
  const auto take_name = [&rest] {
    size_t end = 0;
    while (end < rest.size() && IsNameCharacter(rest[end])) ++end;
    const std::string_view name = rest.substr(0, end);
    rest.remove_prefix(end);
    return name;
  };
  ContentLine content{.line = line.number, .name = Capitals(take_name()), .parameters = {}, .value = {}};
  if (content.name.empty()) return std::nullopt;
  while (rest.starts_with(';')) {
    rest.remove_prefix(1);
    const std::string name = Capitals(take_name());
    if (!rest.starts_with('=')) return std::nullopt;
    rest.remove_prefix(1);
    std::string value;
    bool quoted = false;
    size_t i = 0;
    for (; i < rest.size() && (quoted || (rest[i] != ';' && rest[i] != ':')); ++i) {
      if (rest[i] == '"') {
        quoted = !quoted;
      } else {
        value += rest[i];
      }
    }
    rest.remove_prefix(i);
    content.parameters.emplace_back(name, std::move(value));
  }
  if (!rest.starts_with(':')) return std::nullopt;
  content.value = rest.substr(1);
  return content;
}

void AppendContentLine(std::string& out, std::string_view line) {
  size_t room = kLineOctetsMax;
  for (;;) {
    std::string_view part = CutUtf8(line, room);
    if (part.empty()) part = line.substr(0, room);  // no text at all; but it has to end
    out += part;
    out += "\r\n";
    line.remove_prefix(part.size());
    if (line.empty()) return;
    out += ' ';
    room = kLineOctetsMax - 1;
  }
}

std::string EscapeText(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size() + 8);
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' || c == ';' || c == ',') {
      escaped += '\\';
      escaped += c;
    } else if (c == '\n') {
      escaped += "\\n";
    } else if (c == '\r') {
      if (i + 1 == text.size() || text[i + 1] != '\n') escaped += "\\n";
    } else if (!IsDropped(c)) {
      escaped += c;
    }
  }
  return escaped;
}

std::string UnescapeText(std::string_view value) {
  std::string text;
  text.reserve(value.size());
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '\\' || i + 1 == value.size()) {
      text += value[i];
      continue;
    }
    const char next = value[++i];
    if (next == 'n' || next == 'N') {
      text += '\n';
    } else if (next == '\\' || next == ';' || next == ',' || next == ':' || next == '"') {
      text += next;
    } else {  // nobody's escape: as it stands
      text += '\\';
      text += next;
    }
  }
  return text;
}

std::vector<std::string> SplitTexts(std::string_view value) {
  std::vector<std::string> texts;
  size_t begin = 0;
  for (size_t i = 0; i <= value.size(); ++i) {
    if (i + 1 < value.size() && value[i] == '\\') {
      ++i;
      continue;
    }
    if (i >= value.size() || value[i] == ',') {
      texts.push_back(UnescapeText(value.substr(begin, std::min(i, value.size()) - begin)));
      begin = i + 1;
    }
  }
  return texts;
}

}  // namespace cairn::nexus::ics
