#include "item/packed_item.h"

#include <algorithm>

#include "base/check.h"
#include "item/item_size.h"
#include "item/packed_bytes.h"

namespace cairn::item {
namespace {

void PackAttributes(std::string& out, const Map& map) {
  AppendVarint(out, map.size());
  for (const Attribute& attribute : map) {
    AppendText(out, attribute.name);
    AppendPackedValue(out, attribute.value);
  }
}

// Writes what `write` appends, preceded by its length.
template <class Write>
void PackWithLength(std::string& out, Write write) {
  const size_t at = out.size();
  out += '\0';  // most lengths need one byte
  write();
  const size_t length = out.size() - at - 1;
  if (length < 0x80) {
    out[at] = static_cast<char>(length);
    return;
  }
  std::string prefix;
  AppendVarint(prefix, length);
  out.replace(at, 1, prefix);
}

void PackNumber(std::string& out, const Number& number) {
  PackWithLength(out, [&] { number.AppendTo(out); });
}

void PackTexts(std::string& out, const std::vector<std::string>& texts) {
  AppendVarint(out, texts.size());
  for (const std::string& text : texts) AppendText(out, text);
}

void AppendHeader(std::string& out, size_t item_bytes, size_t count) {
  out += kPackedVersion;
  AppendVarint(out, item_bytes);
  AppendVarint(out, count);
}

Number NumberOf(std::string_view canonical) {
  Result<Number> number = Number::Parse(canonical);
  CHECK(number.has_value(), "packed numbers are canonical");
  return *number;
}

Map UnpackMap(PackedCursor& cursor) {
  std::vector<Attribute> attributes;
  const uint64_t count = cursor.TakeVarint();
  attributes.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    const std::string_view name = cursor.TakeText();
    attributes.push_back({std::string(name), UnpackValue(cursor)});
  }
  return Map::FromAttributes(std::move(attributes));
}

List UnpackList(PackedCursor& cursor) {
  List list;
  const uint64_t count = cursor.TakeVarint();
  list.reserve(count);
  for (uint64_t i = 0; i < count; ++i) list.push_back(UnpackValue(cursor));
  return list;
}

std::vector<std::string> UnpackTexts(PackedCursor& cursor) {
  std::vector<std::string> texts;
  const uint64_t count = cursor.TakeVarint();
  texts.reserve(count);
  for (uint64_t i = 0; i < count; ++i) texts.emplace_back(cursor.TakeText());
  return texts;
}

std::vector<Number> UnpackNumbers(PackedCursor& cursor) {
  std::vector<Number> numbers;
  const uint64_t count = cursor.TakeVarint();
  numbers.reserve(count);
  for (uint64_t i = 0; i < count; ++i) numbers.push_back(NumberOf(cursor.TakeText()));
  return numbers;
}

// Steps over one value and returns its size as DynamoDB counts it (item_size.h).
size_t CountValue(PackedCursor& cursor) {
  switch (cursor.TakeType()) {
    case Type::kString:
    case Type::kBinary:
      return cursor.TakeText().size();
    case Type::kNumber:
      return NumberOf(cursor.TakeText()).StoredBytes();
    case Type::kBoolean:
      cursor.TakeByte();
      return 1;
    case Type::kNull:
      return 1;
    case Type::kMap: {
      cursor.TakeVarint();
      const uint64_t count = cursor.TakeVarint();
      size_t bytes = 3 + count;
      for (uint64_t i = 0; i < count; ++i) {
        bytes += cursor.TakeText().size();
        bytes += CountValue(cursor);
      }
      return bytes;
    }
    case Type::kList: {
      cursor.TakeVarint();
      const uint64_t count = cursor.TakeVarint();
      size_t bytes = 3 + count;
      for (uint64_t i = 0; i < count; ++i) bytes += CountValue(cursor);
      return bytes;
    }
    case Type::kStringSet:
    case Type::kBinarySet: {
      size_t bytes = 0;
      for (uint64_t count = cursor.TakeVarint(); count > 0; --count) bytes += cursor.TakeText().size();
      return bytes;
    }
    case Type::kNumberSet: {
      size_t bytes = 0;
      for (uint64_t count = cursor.TakeVarint(); count > 0; --count)
        bytes += NumberOf(cursor.TakeText()).StoredBytes();
      return bytes;
    }
  }
  return 0;
}

}  // namespace

AttributeValue UnpackValue(PackedCursor& cursor) {
  switch (cursor.TakeType()) {
    case Type::kString:
      return cursor.TakeText();
    case Type::kNumber:
      return NumberOf(cursor.TakeText());
    case Type::kBinary:
      return Binary{std::string(cursor.TakeText())};
    case Type::kBoolean:
      return AttributeValue(cursor.TakeByte() != 0);
    case Type::kNull:
      return Null{};
    case Type::kMap:
      cursor.TakeVarint();
      return UnpackMap(cursor);
    case Type::kList:
      cursor.TakeVarint();
      return UnpackList(cursor);
    case Type::kStringSet:
      return StringSet{UnpackTexts(cursor)};
    case Type::kNumberSet:
      return NumberSet{UnpackNumbers(cursor)};
    case Type::kBinarySet:
      return BinarySet{UnpackTexts(cursor)};
  }
  CHECK(false, "packed bytes were checked");
  return Null{};
}

void AppendPackedValue(std::string& out, const AttributeValue& value) {
  out += static_cast<char>(value.type());
  switch (value.type()) {
    case Type::kString:
      AppendText(out, value.string());
      return;
    case Type::kNumber:
      PackNumber(out, value.number());
      return;
    case Type::kBinary:
      AppendText(out, value.binary());
      return;
    case Type::kBoolean:
      out += value.boolean() ? '\1' : '\0';
      return;
    case Type::kNull:
      return;
    case Type::kMap:
      PackWithLength(out, [&] { PackAttributes(out, value.map()); });
      return;
    case Type::kList:
      PackWithLength(out, [&] {
        AppendVarint(out, value.list().size());
        for (const AttributeValue& element : value.list()) AppendPackedValue(out, element);
      });
      return;
    case Type::kStringSet:
      PackTexts(out, value.string_set());
      return;
    case Type::kBinarySet:
      PackTexts(out, value.binary_set());
      return;
    case Type::kNumberSet:
      AppendVarint(out, value.number_set().size());
      for (const Number& number : value.number_set()) PackNumber(out, number);
      return;
  }
}

Result<AttributeValue> TakePackedValue(std::string_view& bytes) {
  const size_t length = PackedValueLength(bytes);
  if (length == 0) return Fail(Code::kDamaged, "a stored value is damaged");
  PackedCursor cursor(bytes.substr(0, length));
  bytes.remove_prefix(length);
  return UnpackValue(cursor);
}

PackedItem::PackedItem() : bytes_{kPackedVersion, 0, 0} {}

PackedItem PackedItem::Pack(const Item& item) {
  const size_t item_bytes = item::ItemBytes(item);
  std::string bytes;
  bytes.reserve(item_bytes + item_bytes / 4 + 16 + 4 * item.size());  // numbers are longer as text
  AppendHeader(bytes, item_bytes, item.size());
  for (const Attribute& attribute : item) {
    AppendText(bytes, attribute.name);
    AppendPackedValue(bytes, attribute.value);
  }
  return PackedItem(std::move(bytes));
}

PackedItem PackedItem::PackOnly(const Item& item, std::span<const std::string> names) {
  size_t item_bytes = 0;
  size_t count = 0;
  std::string attributes;
  for (const Attribute& attribute : item) {
    if (!std::binary_search(names.begin(), names.end(), attribute.name)) continue;
    item_bytes += attribute.name.size() + ValueBytes(attribute.value);
    ++count;
    AppendText(attributes, attribute.name);
    AppendPackedValue(attributes, attribute.value);
  }
  std::string bytes;
  bytes.reserve(attributes.size() + 16);
  AppendHeader(bytes, item_bytes, count);
  bytes += attributes;
  return PackedItem(std::move(bytes));
}

Result<PackedItem> PackedItem::FromStored(std::string bytes) {
  if (!IsPackedItem(bytes)) return Fail(Code::kDamaged, "a stored item is damaged");
  return PackedItem(std::move(bytes));
}

Item PackedItem::Unpack() const {
  PackedAttributes packed(bytes_);
  std::vector<Attribute> attributes;
  attributes.reserve(packed.count);
  for (uint64_t i = 0; i < packed.count; ++i) {
    const std::string_view name = packed.cursor.TakeText();
    attributes.push_back({std::string(name), UnpackValue(packed.cursor)});
  }
  return Item::FromAttributes(std::move(attributes));
}

Item PackedItem::UnpackOnly(std::span<const std::string> names) const {
  PackedAttributes packed(bytes_);
  std::vector<Attribute> attributes;
  attributes.reserve(names.size());
  for (uint64_t i = 0; i < packed.count && attributes.size() < names.size(); ++i) {
    const std::string_view name = packed.cursor.TakeText();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      packed.cursor.SkipValue();
    } else {
      attributes.push_back({std::string(name), UnpackValue(packed.cursor)});
    }
  }
  return Item::FromAttributes(std::move(attributes));
}

Item PackedItem::UnpackSorted(std::span<const std::string> sorted_names) const {
  PackedAttributes packed(bytes_);
  std::vector<Attribute> attributes;
  auto wanted = sorted_names.begin();
  for (uint64_t i = 0; i < packed.count && wanted != sorted_names.end(); ++i) {
    const std::string_view name = packed.cursor.TakeText();
    // Both are sorted. Nearly always a few steps; yet a page of small items and a long list of names must
    // not cost their product.
    for (int steps = 0; steps < 8 && wanted != sorted_names.end() && *wanted < name; ++steps) ++wanted;
    if (wanted != sorted_names.end() && *wanted < name) {
      wanted = std::lower_bound(wanted, sorted_names.end(), name);
    }
    if (wanted == sorted_names.end()) break;
    if (*wanted == name) {
      attributes.push_back({std::string(name), UnpackValue(packed.cursor)});
      ++wanted;
    } else {
      packed.cursor.SkipValue();
    }
  }
  return Item::FromAttributes(std::move(attributes));
}

std::optional<AttributeValue> PackedItem::Find(std::string_view name) const {
  PackedAttributes packed(bytes_);
  for (uint64_t i = 0; i < packed.count; ++i) {
    const std::string_view candidate = packed.cursor.TakeText();
    if (candidate == name) return UnpackValue(packed.cursor);
    if (candidate > name) return std::nullopt;
    packed.cursor.SkipValue();
  }
  return std::nullopt;
}

PackedItem PackedItem::Only(std::span<const std::string> sorted_names) const {
  PackedAttributes packed(bytes_);
  size_t item_bytes = 0;
  size_t count = 0;
  std::string attributes;
  attributes.reserve(bytes_.size());
  auto wanted = sorted_names.begin();
  for (uint64_t i = 0; i < packed.count; ++i) {
    const char* const start = packed.cursor.position();
    const std::string_view name = packed.cursor.TakeText();
    while (wanted != sorted_names.end() && *wanted < name) ++wanted;
    if (wanted == sorted_names.end()) break;
    if (*wanted != name) {
      packed.cursor.SkipValue();
      continue;
    }
    item_bytes += name.size() + CountValue(packed.cursor);
    ++count;
    attributes.append(start, packed.cursor.position());
  }
  std::string bytes;
  bytes.reserve(attributes.size() + 16);
  AppendHeader(bytes, item_bytes, count);
  bytes += attributes;
  return PackedItem(std::move(bytes));
}

PackedItem PackedItem::WithText(std::string_view name, std::string_view text) const {
  PackedAttributes packed(bytes_);
  const char* const first = packed.cursor.position();
  for (uint64_t i = 0; i < packed.count; ++i) {
    if (packed.cursor.TakeText() != name) {
      packed.cursor.SkipValue();
      continue;
    }
    const char* const value = packed.cursor.position();
    CHECK(packed.cursor.TakeType() == Type::kString, "the attribute is a string");
    const size_t before = packed.cursor.TakeText().size();
    const char* const rest = packed.cursor.position();
    std::string bytes;
    bytes.reserve(bytes_.size() + text.size() + 8);
    AppendHeader(bytes, packed.item_bytes - before + text.size(), packed.count);
    bytes.append(first, value + 1);  // the type stays
    AppendText(bytes, text);
    bytes.append(rest, bytes_.data() + bytes_.size());
    return PackedItem(std::move(bytes));
  }
  CHECK(false, "the item has the attribute");
  return {};
}

size_t PackedItem::ItemBytes() const { return PackedAttributes(bytes_).item_bytes; }

}  // namespace cairn::item
