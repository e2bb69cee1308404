// ReadFields: a few attributes of a packed item where they lie, in one pass and without copying; for checks
// that look at every item of a page.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "item/packed_item.h"

namespace cairn::item {

// A view into the item's bytes.
struct PackedField {
  Type type = Type::kNull;
  std::string_view text;  // of S and B, and the decimal text of N; empty for all others
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
