// Guard items: each keeps a value unique by lying at a key made of it, and says which item has the value, so
// that only that item gives it free. Stored: docs/storage-format.md. Private to commits.
#pragma once

#include <optional>
#include <string>

#include "item/packed_item.h"
#include "model/definition.h"

namespace cairn::model {

inline constexpr std::string_view kGuardOf = "guardOf";
inline constexpr std::string_view kGuardType = "unique";

// A primary key as guards tell it, and back.
std::string GuardedText(const Table& table, const item::Item& primary);
item::Item KeyOfGuarded(const Table& table, std::string_view guarded);

// What a stored guard says it guards; nothing when it is no guard.
std::optional<std::string> GuardedOf(const item::PackedItem& guard);

}  // namespace cairn::model
