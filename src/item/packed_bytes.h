// The byte layout of packed items (docs/storage-format.md), shared by the packer, the checker and the JSON
// writer.
//
//   item    version, varint ItemBytes, varint count, then per attribute: text name, value; names ascending
//   value   type byte, payload
//   text    varint length, bytes
//   payload S, B, N (canonical decimal)  text
//           BOOL                         0 or 1
//           NULL                         nothing
//           M                            varint length, varint count, then per attribute: text name, value
//           L                            varint length, varint count, values
//           SS, NS, BS                   varint count, texts, ascending
//   The length of a map or list says how many bytes follow it, so that it can be skipped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "item/attribute_value.h"

namespace cairn::item {

inline constexpr char kPackedVersion = 1;

inline void AppendVarint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

inline void AppendText(std::string& out, std::string_view text) {
  AppendVarint(out, text.size());
  out += text;
}

// Reads bytes that are known to be well formed: no bounds are checked.
class PackedCursor {
 public:
  explicit PackedCursor(std::string_view bytes) : p_(bytes.data()), end_(p_ + bytes.size()) {}

  bool AtEnd() const { return p_ == end_; }
  const char* position() const { return p_; }

  uint64_t TakeVarint() {
    auto byte = static_cast<uint8_t>(*p_++);
    if (byte < 0x80) return byte;
    uint64_t value = byte & 0x7f;
    for (int shift = 7;; shift += 7) {
      byte = static_cast<uint8_t>(*p_++);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  std::string_view TakeText() {
    const size_t size = TakeVarint();
    const std::string_view text(p_, size);
    p_ += size;
    return text;
  }
  uint8_t TakeByte() { return static_cast<uint8_t>(*p_++); }
  Type TakeType() { return static_cast<Type>(*p_++); }

  // Steps over one value.
  void SkipValue() {
    const Type type = TakeType();
    if (type <= Type::kNumber) [[likely]] {  // most values; a table of jumps would mispredict
      TakeText();
      return;
    }
    switch (type) {
      case Type::kNull:
        return;
      case Type::kBoolean:
        ++p_;
        return;
      case Type::kString:
      case Type::kNumber:
      case Type::kBinary:
      case Type::kMap:
      case Type::kList:
        TakeText();
        return;
      case Type::kStringSet:
      case Type::kNumberSet:
      case Type::kBinarySet:
        for (uint64_t count = TakeVarint(); count > 0; --count) TakeText();
        return;
    }
  }

 private:
  const char* p_;
  const char* end_;
};

// A cursor behind the header of an item, and what the header said.
struct PackedAttributes {
  explicit PackedAttributes(std::string_view bytes) : cursor(bytes) {
    if (bytes.empty()) return;  // moved from: reads as the empty item
    cursor.TakeByte();          // version
    item_bytes = cursor.TakeVarint();
    count = cursor.TakeVarint();
  }
  PackedCursor cursor;
  uint64_t item_bytes = 0;
  uint64_t count = 0;
};

// Steps over one value and builds it.
AttributeValue UnpackValue(PackedCursor& cursor);

// Whether `bytes` is a well-formed item of this version: lengths, order, numbers, nesting.
bool IsPackedItem(std::string_view bytes);
// How long the well-formed value at the front of `bytes` is; 0 when there is none.
size_t PackedValueLength(std::string_view bytes);

}  // namespace cairn::item
