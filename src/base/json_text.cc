#include "base/json_text.h"

#include <array>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/json_escape.h"

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

template <class Word>
Word Load(const char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

}  // namespace

// Looks at many bytes at once; at the last of them together with some that were looked at already.
bool NeedsJsonEscape(std::string_view text) {
  const char* at = text.data();
  const char* end = at + text.size();
  if (text.size() < 4) {
    for (; at != end; ++at) {
      if (kNeedsEscape[static_cast<uint8_t>(*at)]) return true;
    }
    return false;
  }
  if (text.size() < 8) {
    return HasEscape(uint64_t{Load<uint32_t>(at)} << 32 | Load<uint32_t>(end - 4));
  }
#ifdef __SSE2__
  if (text.size() >= 16) {
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), last = _mm_set1_epi8(0x1f);
    const auto found = [&](const char* bytes) {
      const __m128i sixteen = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
      const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(sixteen, last), sixteen);
      const __m128i marks = _mm_or_si128(_mm_cmpeq_epi8(sixteen, quote), _mm_cmpeq_epi8(sixteen, backslash));
      return _mm_or_si128(control, marks);
    };
    __m128i all = found(end - 16);
    for (; at + 16 < end; at += 16) all = _mm_or_si128(all, found(at));
    return _mm_movemask_epi8(all) != 0;
  }
#endif
  for (; at + 8 < end; at += 8) {
    if (HasEscape(Load<uint64_t>(at))) return true;
  }
  return HasEscape(Load<uint64_t>(end - 8));
}

void AppendJsonString(std::string& out, std::string_view text) {
  if (!NeedsJsonEscape(text)) [[likely]] {
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
