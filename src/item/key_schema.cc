#include "item/key_schema.h"

#include <initializer_list>

#include "base/check.h"

namespace cairn::item {
namespace {

enum class KeyRole { kPartition, kSort };

const std::string& KeyText(const AttributeValue& value) {
  return value.is(Type::kString) ? value.string() : value.binary();
}

// Bytes that count against the key limits; numbers are always small enough.
size_t KeyBytes(const AttributeValue& value) { return value.is(Type::kNumber) ? 0 : KeyText(value).size(); }

bool IsEmpty(const AttributeValue& value) { return !value.is(Type::kNumber) && KeyText(value).empty(); }

std::string_view EmptyKind(const AttributeValue& value) {
  return value.is(Type::kString) ? "string" : "binary";
}

Status CheckSizes(const std::vector<KeyElement>& elements, KeyRole role, const Item& item) {
  size_t bytes = 0;
  for (const KeyElement& element : elements) {
    if (const AttributeValue* value = item.Find(element.name)) bytes += KeyBytes(*value);
  }
  if (role == KeyRole::kPartition && bytes > kPartitionKeyBytesMax) {
    return Fail(Invalid(
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit "
        "of2048 bytes"));
  }
  if (role == KeyRole::kSort && bytes > kSortKeyBytesMax) {
    return Fail(Invalid(
        "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size "
        "limit of 1024 bytes"));
  }
  return {};
}

Status CheckSizes(const KeySchema& schema, const Item& item) {
  RETURN_IF_ERROR(CheckSizes(schema.partition, KeyRole::kPartition, item));
  return CheckSizes(schema.sort, KeyRole::kSort, item);
}

Status CheckNotEmpty(const KeyElement& element, const AttributeValue& value) {
  if (!IsEmpty(value)) return {};
  return Fail(Invalid(
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty " +
      std::string(EmptyKind(value)) + " value. Key: " + element.name));
}

// Calls `check(element)` for every element until one fails.
template <class Check>
Status ForEachElement(const KeySchema& schema, Check check) {
  for (const auto* elements : {&schema.partition, &schema.sort}) {
    for (const KeyElement& element : *elements) RETURN_IF_ERROR(check(element));
  }
  return {};
}

}  // namespace

const KeyElement* KeySchema::Find(std::string_view name) const {
  for (const auto* elements : {&partition, &sort}) {
    for (const KeyElement& element : *elements) {
      if (element.name == name) return &element;
    }
  }
  return nullptr;
}

bool KeySchema::Contains(std::string_view name) const { return Find(name) != nullptr; }

Item KeyOf(const KeySchema& schema, const Item& item) {
  Item key;
  key.reserve(schema.element_count());
  for (const auto* elements : {&schema.partition, &schema.sort}) {
    for (const KeyElement& element : *elements) {
      const AttributeValue* value = item.Find(element.name);
      CHECK(value != nullptr, "the item has every key attribute");
      key.Set(element.name, *value);
    }
  }
  return key;
}

bool HasKey(const KeySchema& schema, const Item& item) {
  for (const auto* elements : {&schema.partition, &schema.sort}) {
    for (const KeyElement& element : *elements) {
      const AttributeValue* value = item.Find(element.name);
      if (value == nullptr || value->type() != element.type) return false;
    }
  }
  return true;
}

Status ValidateKey(const KeySchema& schema, const Item& key) {
  if (key.size() != schema.element_count() || !HasKey(schema, key)) {
    return Fail(Invalid("The provided key element does not match the schema"));
  }
  RETURN_IF_ERROR(ForEachElement(
      schema, [&](const KeyElement& element) { return CheckNotEmpty(element, *key.Find(element.name)); }));
  return CheckSizes(schema, key);
}

Status ValidateKeyInItem(const KeySchema& schema, const Item& item) {
  RETURN_IF_ERROR(ForEachElement(schema, [&](const KeyElement& element) -> Status {
    const AttributeValue* value = item.Find(element.name);
    if (value == nullptr) {
      return Fail(Invalid("One or more parameter values were invalid: Missing the key " + element.name +
                          " in the item"));
    }
    if (value->type() != element.type) {
      return Fail(Invalid("One or more parameter values were invalid: Type mismatch for key " + element.name +
                          " expected: " + std::string(TypeName(element.type)) +
                          " actual: " + std::string(TypeName(value->type()))));
    }
    return CheckNotEmpty(element, *value);
  }));
  return CheckSizes(schema, item);
}

Status ValidateIndexKeyInItem(const KeySchema& schema, std::string_view index_name, const Item& item) {
  RETURN_IF_ERROR(ForEachElement(schema, [&](const KeyElement& element) -> Status {
    const AttributeValue* value = item.Find(element.name);
    if (value == nullptr) return {};
    if (value->type() != element.type) {
      return Fail(Invalid("One or more parameter values were invalid: Type mismatch for Index Key " +
                          element.name + " Expected: " + std::string(TypeName(element.type)) + " Actual: " +
                          std::string(TypeName(value->type())) + " IndexName: " + std::string(index_name)));
    }
    if (IsEmpty(*value)) {
      return Fail(Invalid(
          "One or more parameter values are not valid. A value specified for a secondary index key is not "
          "supported. The AttributeValue for a key attribute cannot contain an empty " +
          std::string(EmptyKind(*value)) + " value. IndexName: " + std::string(index_name) +
          ", IndexKey: " + element.name));
    }
    return {};
  }));
  return CheckSizes(schema, item);
}

}  // namespace cairn::item
