// Guard items: each keeps a value unique by lying at a key made of it, and says which item has the value, so
// that only that item gives it free. Stored: docs/storage-format.md. For commits, which write guards, and for
// those who check them.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "item/packed_item.h"
#include "model/definition.h"

namespace cairn::model {

inline constexpr std::string_view kGuardOf = "guardOf";

// Where the guard of these values lies; nothing when one of the attributes is absent: then nothing is
// guarded.
Result<std::optional<item::Item>> GuardKey(const Table& table, const Unique& unique,
                                           const item::Item& values);
// The guard that lies there and belongs to the item with this primary key.
item::Item GuardItem(const Table& table, item::Item guard_key, const item::Item& primary_key);

// A primary key as guards tell it, and back; nothing when it is not such a text.
std::string GuardedText(const Table& table, const item::Item& primary_key);
std::optional<item::Item> KeyOfGuarded(const Table& table, std::string_view guarded);

// What a stored guard says it guards; nothing when it is not a guard.
std::optional<std::string> GuardedOf(const item::PackedItem& guard);

// The primary key of any item of the table.
item::Item KeyOfItem(const Table& table, const item::Item& item);

}  // namespace cairn::model
