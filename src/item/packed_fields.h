// The attributes of a packed item where they lie, in one pass and without copying: ReadFields for checks that
// look at a few of every item of a page, FieldWalk for whoever takes them all.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "item/packed_bytes.h"
#include "item/packed_item.h"

namespace cairn::item {

// A view into the item's bytes.
struct PackedField {
  Type type = Type::kNull;
  std::string_view text;  // of S and B, and the decimal text of N; empty for all others
};

// Goes through all attributes, in the order of their names. The item outlives it.
class FieldWalk {
 public:
  explicit FieldWalk(const PackedItem& item) : rest_(item.bytes()), value_(item.bytes()) {}

  // To the first attribute, then to the next; false: that was the last.
  bool Next() {
    if (rest_.count == 0) return false;
    --rest_.count;
    name_ = rest_.cursor.TakeText();
    value_ = rest_.cursor;
    rest_.cursor.SkipValue();
    return true;
  }
  std::string_view name() const { return name_; }
  Type type() const { return PackedCursor(value_).TakeType(); }
  // Of S, N (in decimals) and B.
  std::string_view text() const {
    PackedCursor value = value_;
    value.TakeType();
    return value.TakeText();
  }
  bool boolean() const {
    PackedCursor value = value_;
    value.TakeType();
    return value.TakeByte() != 0;
  }
  AttributeValue Unpack() const;

 private:
  PackedAttributes rest_;
  PackedCursor value_;
  std::string_view name_;
};

// `names` ascending, none empty, and at most as many as `fields`; a field of an absent attribute is empty
// afterwards.
void ReadFields(const PackedItem& item, std::span<const std::string_view> names,
                std::span<std::optional<PackedField>> fields);

// Whether the item may have a number of that name: false is certain, true wants a closer look. Much faster
// than looking, for an attribute that most items lack.
class NumberProbe {
 public:
  explicit NumberProbe(std::string_view name);
  bool MayHave(const PackedItem& item) const;

 private:
  std::string bytes_;  // as name and type lie in an item
};

}  // namespace cairn::item
