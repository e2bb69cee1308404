#include "domains/nexus/rank.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace cairn::nexus {
namespace {

constexpr char kLowestDigit = '$';
constexpr uint64_t kBase = '~' - kLowestDigit + 1;

// At an open end ranks go on in steps, not by halves: their first digits are a number that is counted up or
// down. 91^9 / 2 / (1.5 * 2^32) = 33 million steps to either side of the middle.
constexpr size_t kHeadDigits = 9;
constexpr uint64_t kStep = uint64_t{1} << 32;
// So many ranks must lie in a gap of which one is chosen by chance.
constexpr uint64_t kRoom = uint64_t{1} << 32;

constexpr uint64_t Power(uint64_t base, size_t exponent) {
  return exponent == 0 ? 1 : base * Power(base, exponent - 1);
}
constexpr uint64_t kHeads = Power(kBase, kHeadDigits);

// A rank goes on for ever with its lowest digit.
uint64_t DigitAt(std::string_view rank, size_t position) {
  if (position >= rank.size()) return 0;
  return static_cast<uint64_t>(std::clamp(rank[position], kLowestDigit, '~') - kLowestDigit);
}

uint64_t HeadOf(std::string_view rank) {
  uint64_t head = 0;
  for (size_t i = 0; i < kHeadDigits; ++i) head = head * kBase + DigitAt(rank, i);
  return head;
}

// No rank ends with the lowest digit: nothing would fit between it and the same without that digit.
std::string TextOfHead(uint64_t head) {
  if (head % kBase == 0) ++head;
  std::string text(kHeadDigits, kLowestDigit);
  for (size_t i = kHeadDigits; i-- > 0; head /= kBase)
    text[i] = static_cast<char>(kLowestDigit + head % kBase);
  return text;
}

std::string Sum(std::string_view rank, size_t digits, uint64_t addend) {
  std::string text(digits, kLowestDigit);
  for (size_t i = digits; i-- > 0;) {
    addend += DigitAt(rank, i);
    text[i] = static_cast<char>(kLowestDigit + addend % kBase);
    addend /= kBase;
  }
  return text;
}

std::optional<std::string> Between(std::string_view after, std::string_view before, Random& random) {
  if (after >= before) return std::nullopt;
  uint64_t room = 0;  // ranks of so many digits between the two
  for (size_t digits = 1; digits <= kRankBytesMax; ++digits) {
    room = room * kBase + DigitAt(before, digits - 1) - DigitAt(after, digits - 1);
    if (room < kRoom) continue;
    // From the middle half, so that both sides keep room.
    const uint64_t offset = room / 4 + random.Next() % (room / 2);
    std::string rank = Sum(after, digits, offset);
    if (rank.back() == kLowestDigit) ++rank.back();
    return rank;
  }
  return std::nullopt;
}

std::optional<std::string> Choose(const RankGap& gap, Random& random) {
  const uint64_t step = kStep + random.Next() % kStep;
  if (gap.after.empty() && gap.before.empty()) return TextOfHead(kHeads / 2 + step);
  if (gap.before.empty()) {
    const uint64_t head = HeadOf(gap.after) + step;
    return head < kHeads ? TextOfHead(head) : Between(gap.after, kRankHighest, random);
  }
  if (gap.after.empty()) {
    const uint64_t head = HeadOf(gap.before);
    return head > step + 1 ? TextOfHead(head - step) : Between("", gap.before, random);
  }
  return Between(gap.after, gap.before, random);
}

// Halves the gap again and again: so many cards cost few digits.
bool Fill(const RankGap& gap, std::span<std::string> ranks, Random& random) {
  if (ranks.empty()) return true;
  const size_t middle = ranks.size() / 2;
  auto chosen = RankIn(gap, random);
  if (!chosen) return false;
  ranks[middle] = *std::move(chosen);
  return Fill({gap.after, ranks[middle]}, ranks.first(middle), random) &&
         Fill({ranks[middle], gap.before}, ranks.subspan(middle + 1), random);
}

}  // namespace

std::optional<std::string> RankIn(const RankGap& gap, Random& random) {
  auto rank = Choose(gap, random);
  // What others have stored as a rank may be no such text, or too long.
  if (!rank || *rank <= gap.after || (!gap.before.empty() && *rank >= gap.before)) return std::nullopt;
  return rank;
}

std::optional<std::vector<std::string>> RanksIn(const RankGap& gap, size_t count, Random& random) {
  std::vector<std::string> ranks(count);
  if (!gap.before.empty()) {
    if (!Fill(gap, ranks, random)) return std::nullopt;
    return ranks;
  }
  RankGap rest = gap;
  for (std::string& rank : ranks) {
    auto next = RankIn(rest, random);
    if (!next) return std::nullopt;
    rank = *std::move(next);
    rest.after = rank;
  }
  return ranks;
}

}  // namespace cairn::nexus
