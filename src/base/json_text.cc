#include "base/json_text.h"

#include <array>
#include <cstdint>

namespace cairn {
namespace {

constexpr std::array<bool, 256> kNeedsEscape = [] {
  std::array<bool, 256> table{};
  for (int c = 0; c < 0x20; ++c) table[c] = true;
  table['"'] = table['\\'] = true;
  return table;
}();

void AppendEscaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    default:
      break;
  }
  static constexpr char kHex[] = "0123456789abcdef";
  out += "\\u00";
  out += kHex[static_cast<uint8_t>(c) >> 4];
  out += kHex[static_cast<uint8_t>(c) & 15];
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  size_t copied = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!kNeedsEscape[static_cast<uint8_t>(text[i])]) continue;
    out.append(text, copied, i - copied);
    AppendEscaped(out, text[i]);
    copied = i + 1;
  }
  out.append(text, copied);
  out += '"';
}

}  // namespace cairn
