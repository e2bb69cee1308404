// Order-preserving key bytes: memcmp of the bytes orders keys as DynamoDB orders their values.
//
// One part per key attribute, self-delimiting, so that parts can be concatenated:
//   S, B   the bytes with 0x00 written as 0x00 0xff, closed by 0x00 0x01
//   N      Number::AppendOrderedTo
// Stored on disk: see docs/storage-format.md.
#pragma once

#include <string>
#include <string_view>

#include "item/attribute_value.h"
#include "item/key_schema.h"

namespace cairn::item {

// Precondition: the value is of type S, N or B.
void AppendKeyPart(std::string& out, const AttributeValue& value);

// For begins_with on S and B: the part without its closing bytes.
void AppendKeyPrefix(std::string& out, const AttributeValue& value);

// Splits off the first part of `bytes` and returns it; the rest stays in `bytes`. Empty when damaged.
std::string_view TakeKeyPart(std::string_view& bytes, Type type);

// All parts of the schema's partition (or sort) attributes, in order. Precondition: HasKey(schema, item).
void AppendPartition(std::string& out, const KeySchema& schema, const Item& item);
void AppendSort(std::string& out, const KeySchema& schema, const Item& item);

// The smallest string above every string that starts with `prefix`; empty if there is none (all 0xff).
std::string PrefixEnd(std::string_view prefix);

}  // namespace cairn::item
