// Guard items: the items that keep values unique (Unique in model/definition.h), as they are stored.
#pragma once

#include <optional>

#include "base/result.h"
#include "item/attribute_value.h"
#include "model/definition.h"

namespace cairn::model {

// The guard that an item with these values and this primary key has; nothing when one of the attributes is
// absent: then nothing is guarded.
Result<std::optional<item::Item>> GuardOf(const Model& model, const Entity& entity, const Unique& unique,
                                          const item::Item& values, const item::Item& primary_key);
// Its primary key alone.
item::Item GuardKeyOf(const Table& table, const item::Item& guard);
// The primary key of the item that a guard belongs to; nothing when it is no guard.
std::optional<item::Item> GuardedKey(const Table& table, const item::Item& guard);

}  // namespace cairn::model
