#include <array>
#include <cstdint>

#include "item/item_json.h"

namespace cairn::item {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 0xff;

constexpr auto kDigits = [] {
  std::array<uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (size_t i = 0; i < kAlphabet.size(); ++i)
    digits[static_cast<uint8_t>(kAlphabet[i])] = static_cast<uint8_t>(i);
  return digits;
}();

std::unexpected<Error> BadLastCharacter() {
  // The spelling is the service's own.
  return Fail(Code::kMalformed, "Invalid last non-pad Base64 character dectected");
}

}  // namespace

void AppendBase64(std::string& out, std::string_view bytes) {
  const auto at = [&](size_t i) -> uint32_t { return static_cast<uint8_t>(bytes[i]); };
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const uint32_t group = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    const char digits[] = {kAlphabet[group >> 18], kAlphabet[group >> 12 & 63], kAlphabet[group >> 6 & 63],
                           kAlphabet[group & 63]};
    out.append(digits, 4);
  }
  const size_t rest = bytes.size() - i;
  if (rest == 0) return;
  const uint32_t group = at(i) << 16 | (rest == 2 ? at(i + 1) << 8 : 0);
  out += kAlphabet[group >> 18];
  out += kAlphabet[group >> 12 & 63];
  out += rest == 2 ? kAlphabet[group >> 6 & 63] : '=';
  out += '=';
}

Result<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return Fail(Code::kMalformed, "Base64 encoded length is expected a multiple of 4 bytes but found: " +
                                      std::to_string(text.size()));
  }
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  const std::string_view digits = text.substr(0, text.size() - padding);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t group = 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    const uint8_t digit = kDigits[static_cast<uint8_t>(digits[i])];
    if (digits[i] == '=') return BadLastCharacter();
    if (digit == kNoDigit) {
      return Fail(Code::kMalformed, "Invalid Base64 character: '" + std::string(1, digits[i]) + "'");
    }
    group = group << 6 | digit;
    if (i % 4 == 3) {
      const char three[] = {static_cast<char>(group >> 16), static_cast<char>(group >> 8),
                            static_cast<char>(group)};
      bytes.append(three, 3);
      group = 0;
    }
  }
  if (padding == 1) {
    if ((group & 3) != 0) return BadLastCharacter();
    bytes += static_cast<char>(group >> 10);
    bytes += static_cast<char>(group >> 2);
  } else if (padding == 2) {
    if ((group & 15) != 0) return BadLastCharacter();
    bytes += static_cast<char>(group >> 4);
  }
  return bytes;
}

}  // namespace cairn::item
