#include "item/packed_fields.h"

namespace cairn::item {
namespace {

unsigned char First(std::string_view name) {
  return name.empty() ? '\0' : static_cast<unsigned char>(name.front());
}

PackedField View(PackedCursor value) {
  const Type type = value.TakeType();
  const bool has_text = type == Type::kString || type == Type::kNumber || type == Type::kBinary;
  return {type, has_text ? value.TakeText() : std::string_view()};
}

}  // namespace

void ReadFields(const PackedItem& item, std::span<const std::string_view> names,
                std::span<std::optional<PackedField>> fields) {
  for (size_t i = 0; i < names.size(); ++i) fields[i].reset();
  PackedAttributes packed(item.bytes());
  PackedCursor& cursor = packed.cursor;
  size_t wanted = 0;
  for (uint64_t i = 0; i < packed.count && wanted < names.size(); ++i) {
    const std::string_view name = cursor.TakeText();
    // Most names differ in their first letter, which spares the comparison.
    if (First(name) < First(names[wanted])) [[likely]] {
      cursor.SkipValue();
      continue;
    }
    while (wanted < names.size() && names[wanted] < name) ++wanted;
    if (wanted == names.size()) return;
    if (names[wanted] == name) fields[wanted++] = View(cursor);
    cursor.SkipValue();
  }
}

AttributeValue FieldWalk::Unpack() const {
  PackedCursor value = value_;
  return UnpackValue(value);
}

NumberProbe::NumberProbe(std::string_view name) {
  AppendText(bytes_, name);
  bytes_ += static_cast<char>(Type::kNumber);
}

bool NumberProbe::MayHave(const PackedItem& item) const {
  // Not string::find: the first byte is a length that is also the type of every boolean, so it is met often;
  // a look at the byte behind it spares most comparisons.
  std::string_view rest = item.bytes();
  while (rest.size() >= bytes_.size()) {
    const size_t at = rest.find(bytes_[0]);
    if (at == std::string_view::npos || rest.size() - at < bytes_.size()) return false;
    if (rest[at + 1] == bytes_[1] && rest.substr(at, bytes_.size()) == bytes_) return true;
    rest.remove_prefix(at + 1);
  }
  return false;
}

}  // namespace cairn::item
