#include "base/ulid.h"

#include <algorithm>

#include "base/check.h"

namespace cairn {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";  // no I, L, O, U
constexpr uint64_t kMillisecondsMax = (uint64_t{1} << 48) - 1;
constexpr uint64_t kChanceHighMax = (uint64_t{1} << 16) - 1;

constexpr std::array<bool, 256> kIsDigit = [] {
  std::array<bool, 256> table{};
  for (const char c : kAlphabet) table[static_cast<uint8_t>(c)] = true;
  return table;
}();

// 128 bits are 26 digits of 5 bits; the first digit has only 3 of them.
std::string Encode(uint64_t high, uint64_t low) {
  std::string text(kUlidBytes, '0');
  for (size_t i = kUlidBytes; i-- > 0;) {
    text[i] = kAlphabet[low & 31];
    low = (low >> 5) | (high << 59);
    high >>= 5;
  }
  return text;
}

}  // namespace

std::string UlidSource::Next(Time now) {
  const auto milliseconds = static_cast<uint64_t>(
      std::clamp<int64_t>(EpochMilliseconds(now), 0, static_cast<int64_t>(kMillisecondsMax)));
  std::lock_guard lock(mutex_);
  if (!started_ || milliseconds > milliseconds_) {
    started_ = true;
    milliseconds_ = milliseconds;
    chance_high_ = random_.Next() & kChanceHighMax;
    chance_low_ = random_.Next();
  } else if (++chance_low_ == 0 && ++chance_high_ > kChanceHighMax) {
    // 2^80 ids in one millisecond: the next one borrows from the time to come, which keeps the order.
    CHECK(milliseconds_ < kMillisecondsMax, "the year 10889 is not reached");
    ++milliseconds_;
    chance_high_ = 0;
  }
  return Encode((milliseconds_ << 16) | chance_high_, chance_low_);
}

bool IsUlid(std::string_view text) {
  if (text.size() != kUlidBytes || text[0] > '7') return false;
  return std::ranges::all_of(text, [](char c) { return kIsDigit[static_cast<uint8_t>(c)]; });
}

}  // namespace cairn
