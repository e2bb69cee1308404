#include "base/utf8.h"

#include <cstddef>
#include <cstdint>

namespace cairn {
namespace {

// How many bytes follow a leading byte, and the range of the first of them: that is where overlong forms,
// surrogates and values above U+10FFFF show.
struct Sequence {
  size_t following;
  uint8_t second_min = 0x80, second_max = 0xbf;
};

constexpr size_t kNoSequence = 9;

Sequence SequenceOf(uint8_t lead) {
  if (lead < 0x80) return {0};
  if (lead < 0xc2) return {kNoSequence};
  if (lead < 0xe0) return {1};
  if (lead == 0xe0) return {2, 0xa0, 0xbf};
  if (lead == 0xed) return {2, 0x80, 0x9f};
  if (lead < 0xf0) return {2};
  if (lead == 0xf0) return {3, 0x90, 0xbf};
  if (lead < 0xf4) return {3};
  if (lead == 0xf4) return {3, 0x80, 0x8f};
  return {kNoSequence};
}

}  // namespace

bool IsUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const Sequence sequence = SequenceOf(static_cast<uint8_t>(text[i]));
    if (sequence.following > text.size() - i - 1) return false;
    for (size_t k = 1; k <= sequence.following; ++k) {
      const auto byte = static_cast<uint8_t>(text[i + k]);
      const uint8_t min = k == 1 ? sequence.second_min : 0x80;
      const uint8_t max = k == 1 ? sequence.second_max : 0xbf;
      if (byte < min || byte > max) return false;
    }
    i += sequence.following;
  }
  return true;
}

std::string_view CutUtf8(std::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  size_t end = bytes_max;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace cairn
