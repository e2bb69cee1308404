// Which rows an item has in the indexes of its table. Pure.
#pragma once

#include <optional>
#include <string>

#include "engine/internal/table.h"
#include "item/attribute_value.h"
#include "item/packed_item.h"

namespace cairn::engine::internal {

struct IndexRow {
  std::string key;
  item::PackedItem value;  // the projected item
};

// The item's row in `index`, or nothing: an item without a valid value for every key attribute is not in it.
// `watched` are the item's attributes named in Table::watched.
std::optional<IndexRow> RowIn(const Index& index, const item::Item& watched, const item::PackedItem& item,
                              std::string_view item_key);

// The second at which the item expires, when its expiry attribute is a positive number; never before the
// moment that the attribute names.
std::optional<int64_t> ExpiresAt(const Expiry& expiry, const item::Item& watched);

}  // namespace cairn::engine::internal
