#include "expr/value_size.h"

#include <bit>
#include <cstring>
#include <string_view>

namespace cairn::expr {
namespace {

// Every byte that does not continue a character starts one; four-byte characters need a surrogate pair.
int64_t Utf16Units(std::string_view text) {
  int64_t units = 0;
  // Eight bytes at a time: size() of a long text is asked for while all other writers wait.
  constexpr uint64_t kHighBits = 0x8080808080808080;
  for (; text.size() >= sizeof(uint64_t); text.remove_prefix(sizeof(uint64_t))) {
    uint64_t word;
    std::memcpy(&word, text.data(), sizeof word);
    const uint64_t continues = word & ~(word << 1) & kHighBits;                           // 10......
    const uint64_t is_long = word & (word << 1) & (word << 2) & (word << 3) & kHighBits;  // 1111....
    units += static_cast<int64_t>(sizeof word) - std::popcount(continues) + std::popcount(is_long);
  }
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    units += (byte & 0xc0) != 0x80;
    units += byte >= 0xf0;
  }
  return units;
}

}  // namespace

std::optional<int64_t> ValueSize(const item::AttributeValue& value) {
  switch (value.type()) {
    case item::Type::kString:
      return Utf16Units(value.string());
    case item::Type::kBinary:
      return static_cast<int64_t>(value.binary().size());
    case item::Type::kMap:
      return static_cast<int64_t>(value.map().size());
    case item::Type::kList:
      return static_cast<int64_t>(value.list().size());
    case item::Type::kStringSet:
      return static_cast<int64_t>(value.string_set().size());
    case item::Type::kNumberSet:
      return static_cast<int64_t>(value.number_set().size());
    case item::Type::kBinarySet:
      return static_cast<int64_t>(value.binary_set().size());
    case item::Type::kNumber:
    case item::Type::kBoolean:
    case item::Type::kNull:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace cairn::expr
