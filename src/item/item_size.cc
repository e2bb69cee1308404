#include "item/item_size.h"

#include <algorithm>

namespace cairn::item {
namespace {

// A list or map costs 3 bytes, and 1 byte more per element.
constexpr size_t kContainerBytes = 3;

size_t TextBytes(const std::vector<std::string>& values) {
  size_t bytes = 0;
  for (const std::string& value : values) bytes += value.size();
  return bytes;
}

}  // namespace

size_t ValueBytes(const AttributeValue& value) {
  switch (value.type()) {
    case Type::kString:
      return value.string().size();
    case Type::kNumber:
      return value.number().StoredBytes();
    case Type::kBinary:
      return value.binary().size();
    case Type::kBoolean:
    case Type::kNull:
      return 1;
    case Type::kStringSet:
      return TextBytes(value.string_set());
    case Type::kBinarySet:
      return TextBytes(value.binary_set());
    case Type::kNumberSet: {
      size_t bytes = 0;
      for (const Number& number : value.number_set()) bytes += number.StoredBytes();
      return bytes;
    }
    case Type::kMap:
      return kContainerBytes + value.map().size() + ItemBytes(value.map());
    case Type::kList: {
      size_t bytes = kContainerBytes + value.list().size();
      for (const AttributeValue& element : value.list()) bytes += ValueBytes(element);
      return bytes;
    }
  }
  return 0;
}

size_t ItemBytes(const Item& item) {
  size_t bytes = 0;
  for (const Attribute& attribute : item) bytes += attribute.name.size() + ValueBytes(attribute.value);
  return bytes;
}

int NestingDepth(const AttributeValue& value) {
  if (value.is(Type::kMap)) return NestingDepth(value.map());
  int depth = 0;
  if (value.is(Type::kList)) {
    for (const AttributeValue& element : value.list()) depth = std::max(depth, 1 + NestingDepth(element));
  }
  return depth;
}

int NestingDepth(const Item& item) {
  int depth = 0;
  for (const Attribute& attribute : item) depth = std::max(depth, 1 + NestingDepth(attribute.value));
  return depth;
}

Error NestingError() {
  return Invalid(
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
      "supported "
      "limit");
}

}  // namespace cairn::item
