#include "http/sha1.h"

#include <array>
#include <bit>
#include <cstdint>

namespace cairn::http {
namespace {

constexpr size_t kBlockBytes = 64;
constexpr size_t kLengthBytes = 8;  // at the end of the last block

using State = std::array<uint32_t, 5>;

struct Round {
  uint32_t mixed;
  uint32_t constant;
};

Round MixRound(size_t i, uint32_t b, uint32_t c, uint32_t d) {
  if (i < 20) return {(b & c) | (~b & d), 0x5a827999};
  if (i < 40) return {b ^ c ^ d, 0x6ed9eba1};
  if (i < 60) return {(b & c) | (b & d) | (c & d), 0x8f1bbcdc};
  return {b ^ c ^ d, 0xca62c1d6};
}

void AddBlock(State& state, std::string_view block) {
  std::array<uint32_t, 80> words;
  for (size_t i = 0; i < 16; ++i) {
    words[i] = 0;
    for (size_t k = 0; k < 4; ++k) words[i] = words[i] << 8 | static_cast<uint8_t>(block[4 * i + k]);
  }
  for (size_t i = 16; i < words.size(); ++i) {
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  auto [a, b, c, d, e] = state;
  for (size_t i = 0; i < words.size(); ++i) {
    const Round round = MixRound(i, b, c, d);
    const uint32_t next = std::rotl(a, 5) + round.mixed + e + words[i] + round.constant;
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

}  // namespace

std::string Sha1(std::string_view data) {
  std::string padded(data);
  padded += '\x80';
  while (padded.size() % kBlockBytes != kBlockBytes - kLengthBytes) padded += '\0';
  const uint64_t bits = 8 * uint64_t{data.size()};
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift);

  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (size_t at = 0; at < padded.size(); at += kBlockBytes) {
    AddBlock(state, std::string_view(padded).substr(at, kBlockBytes));
  }
  std::string digest;
  for (const uint32_t word : state) {
    for (int shift = 24; shift >= 0; shift -= 8) digest += static_cast<char>(word >> shift);
  }
  return digest;
}

}  // namespace cairn::http
