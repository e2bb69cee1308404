// MovedItem: an item that was stored under another state of a model, as the model of now stores it: its type,
// its key, names of attributes. Pure; `cairn model verify --repair` writes it.
#pragma once

#include <optional>

#include "item/packed_item.h"
#include "model/database.h"

namespace cairn::model {

// Nothing when the item is where it should be, or when the model before does not know it either. Fails when
// the values do not make an item of the entity of now: a person must decide.
Result<std::optional<item::Item>> MovedItem(const Model& before, size_t before_table,
                                            const Database& database, size_t table,
                                            const item::PackedItem& item);

}  // namespace cairn::model
