#include "base/base64url.h"

#include <array>
#include <cstdint>

namespace cairn {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr int8_t kNoDigit = -1;

constexpr std::array<int8_t, 256> MakeDigits() {
  std::array<int8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int8_t>(i);
  }
  return digits;
}

constexpr auto kDigits = MakeDigits();

}  // namespace

std::string EncodeBase64Url(std::string_view bytes) {
  std::string text((bytes.size() * 4 + 2) / 3, '\0');
  char* at = text.data();
  uint32_t bits = 0;
  int bit_count = 0;
  for (const char byte : bytes) {
    bits = (bits << 8) | static_cast<unsigned char>(byte);
    bit_count += 8;
    while (bit_count >= 6) {
      bit_count -= 6;
      *at++ = kAlphabet[(bits >> bit_count) & 63];
    }
  }
  if (bit_count > 0) *at = kAlphabet[(bits << (6 - bit_count)) & 63];
  return text;
}

std::optional<std::string> DecodeBase64Url(std::string_view text) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes(text.size() * 3 / 4, '\0');
  char* at = bytes.data();
  const auto digit_of = [](char c) { return static_cast<int32_t>(kDigits[static_cast<unsigned char>(c)]); };
  // Four digits are three bytes; a character that is no digit makes their number negative.
  for (; text.size() >= 4; text.remove_prefix(4)) {
    const int32_t first = digit_of(text[0]), second = digit_of(text[1]), third = digit_of(text[2]),
                  fourth = digit_of(text[3]);
    if ((first | second | third | fourth) < 0) return std::nullopt;
    const int32_t bits = first << 18 | second << 12 | third << 6 | fourth;
    *at++ = static_cast<char>(bits >> 16);
    *at++ = static_cast<char>(bits >> 8);
    *at++ = static_cast<char>(bits);
  }
  uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : text) {
    const int32_t digit = digit_of(c);
    if (digit < 0) return std::nullopt;
    bits = (bits << 6) | static_cast<uint32_t>(digit);
    bit_count += 6;
    if (bit_count >= 8) {
      bit_count -= 8;
      *at++ = static_cast<char>((bits >> bit_count) & 255);
    }
  }
  const uint32_t unused = bits & ((1u << bit_count) - 1);
  if (unused != 0) return std::nullopt;
  return bytes;
}

}  // namespace cairn
