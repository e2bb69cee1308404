#include "base/json_text.h"

#include <array>
#include <cstdint>
#include <cstring>

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

// Whether one of eight bytes needs an escape: is below 0x20, '"' or '\\'. After "Bit Twiddling Hacks": a
// byte's high bit is set when subtracting from it borrows, which only bytes below the subtrahend do (and
// bytes after such a one, which does not matter here).
bool HasEscape(uint64_t bytes) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
  const auto has_zero = [](uint64_t word) { return (word - kOnes) & ~word & kHighs; };
  const uint64_t control = (bytes - kOnes * 0x20) & ~bytes & kHighs;
  return (control | has_zero(bytes ^ (kOnes * '"')) | has_zero(bytes ^ (kOnes * '\\'))) != 0;
}

// The position from `i` on of the first byte that needs an escape; the end if none does.
size_t NextEscape(std::string_view text, size_t i) {
  for (; i + sizeof(uint64_t) <= text.size(); i += sizeof(uint64_t)) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + i, sizeof bytes);
    if (HasEscape(bytes)) break;
  }
  // The rest at once, together with what comes before it.
  if (text.size() >= sizeof(uint64_t) && i + sizeof(uint64_t) > text.size()) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + text.size() - sizeof bytes, sizeof bytes);
    if (!HasEscape(bytes)) return text.size();
  }
  while (i < text.size() && !kNeedsEscape[static_cast<uint8_t>(text[i])]) ++i;
  return i;
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  const size_t first = NextEscape(text, 0);
  if (first == text.size()) [[likely]] {
    const size_t before = out.size(), after = before + text.size() + 2;
    // Libraries differ in what size they call with.
    out.resize_and_overwrite(after, [&](char* bytes, size_t) {
      bytes[before] = '"';
      text.copy(bytes + before + 1, text.size());
      bytes[after - 1] = '"';
      return after;
    });
    return;
  }
  out += '"';
  size_t copied = 0;
  for (size_t i = first; i < text.size(); i = NextEscape(text, i + 1)) {
    out.append(text, copied, i - copied);
    AppendEscaped(out, text[i]);
    copied = i + 1;
  }
  out.append(text, copied);
  out += '"';
}

}  // namespace cairn
