#include "expr/value_size.h"

#include <string_view>

namespace cairn::expr {
namespace {

// Every byte that does not continue a character starts one; four-byte characters need a surrogate pair.
int64_t Utf16Units(std::string_view text) {
  int64_t units = 0;
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
