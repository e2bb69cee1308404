// PackedItem: an item as bytes: how it lies on disk and how read answers carry it. Immutable.
//
// A read that returns whole items never builds a tree: the stored bytes go straight to the JSON writer.
// Layout in docs/storage-format.md.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "item/attribute_value.h"

namespace cairn::item {

class PackedItem {
 public:
  PackedItem();  // the empty item
  static PackedItem Pack(const Item& item);
  // Packs only the attributes named in `names`, which is sorted.
  static PackedItem PackOnly(const Item& item, std::span<const std::string> names);
  // Takes stored bytes and checks them completely: a later read of them cannot fail.
  static Result<PackedItem> FromStored(std::string bytes);
  // Takes bytes() of another PackedItem without checking them: for bytes that were checksummed since.
  static PackedItem Trusted(std::string bytes) { return PackedItem(std::move(bytes)); }

  Item Unpack() const;
  // Unpacks only the attributes named in `names` (any order, and few); absent ones are left out.
  Item UnpackOnly(std::span<const std::string> names) const;
  // The same for as many names as a request may bring.
  Item UnpackSorted(std::span<const std::string> sorted_names) const;
  std::optional<AttributeValue> Find(std::string_view name) const;
  // Keeps only the attributes named in `sorted_names`, from bytes to bytes; ItemBytes is counted anew.
  PackedItem Only(std::span<const std::string> sorted_names) const;

  // The same item with another text for `name`, a string attribute that it has; from bytes to bytes.
  PackedItem WithText(std::string_view name, std::string_view text) const;

  // The item's size as DynamoDB counts it; read from the header.
  size_t ItemBytes() const;
  const std::string& bytes() const { return bytes_; }

  friend bool operator==(const PackedItem&, const PackedItem&) = default;

 private:
  explicit PackedItem(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string bytes_;
};

// One packed value without a header; for records that embed values (streams, catalog).
void AppendPackedValue(std::string& out, const AttributeValue& value);
// Splits a value that AppendPackedValue wrote off the front of `bytes`; checks it like FromStored.
Result<AttributeValue> TakePackedValue(std::string_view& bytes);

}  // namespace cairn::item
