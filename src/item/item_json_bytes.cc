#include "item/item_json_bytes.h"

#include <array>

#include "item/packed_bytes.h"

namespace cairn::item {
namespace {

// What AppendJsonString makes of each byte.
constexpr std::array<uint8_t, 256> kBytesInJson = [] {
  std::array<uint8_t, 256> table{};
  for (size_t c = 0; c < table.size(); ++c) table[c] = c < 0x20 ? 6 : 1;
  for (const char c : {'"', '\\', '\n', '\r', '\t', '\b', '\f'}) table[static_cast<uint8_t>(c)] = 2;
  return table;
}();

size_t JsonStringBytes(std::string_view text) {
  size_t bytes = 2;
  for (const char c : text) bytes += kBytesInJson[static_cast<uint8_t>(c)];
  return bytes;
}

size_t BytesOf(PackedCursor& cursor);

size_t Base64Bytes(std::string_view bytes) { return (bytes.size() + 2) / 3 * 4; }

// Elements with commas between them, and what encloses them.
template <class Element>
size_t BytesOfEach(uint64_t count, Element element) {
  size_t bytes = 2 + (count > 0 ? count - 1 : 0);
  for (; count > 0; --count) bytes += element();
  return bytes;
}

size_t AttributesBytes(PackedCursor& cursor, uint64_t count) {
  return BytesOfEach(count, [&] {
    const size_t name = JsonStringBytes(cursor.TakeText());
    return name + 1 + BytesOf(cursor);
  });
}

size_t PayloadBytes(PackedCursor& cursor, Type type) {
  switch (type) {
    case Type::kString:
      return JsonStringBytes(cursor.TakeText());
    case Type::kNumber:
      return cursor.TakeText().size() + 2;
    case Type::kBinary:
      return Base64Bytes(cursor.TakeText()) + 2;
    case Type::kBoolean:
      return cursor.TakeByte() != 0 ? 4 : 5;
    case Type::kNull:
      return 4;
    case Type::kMap:
      cursor.TakeVarint();
      return AttributesBytes(cursor, cursor.TakeVarint());
    case Type::kList:
      cursor.TakeVarint();
      return BytesOfEach(cursor.TakeVarint(), [&] { return BytesOf(cursor); });
    case Type::kStringSet:
      return BytesOfEach(cursor.TakeVarint(), [&] { return JsonStringBytes(cursor.TakeText()); });
    case Type::kNumberSet:
      return BytesOfEach(cursor.TakeVarint(), [&] { return cursor.TakeText().size() + 2; });
    case Type::kBinarySet:
      return BytesOfEach(cursor.TakeVarint(), [&] { return Base64Bytes(cursor.TakeText()) + 2; });
  }
  return 0;
}

// {"S":...}
size_t BytesOf(PackedCursor& cursor) {
  const Type type = cursor.TakeType();
  return 5 + TypeName(type).size() + PayloadBytes(cursor, type);
}

}  // namespace

size_t JsonBytes(const PackedItem& item) {
  PackedAttributes packed(item.bytes());
  return AttributesBytes(packed.cursor, packed.count);
}

}  // namespace cairn::item
