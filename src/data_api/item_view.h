// A stored item as the answer shows it: entity, keys, attributes; secrets left out. Pure.
#pragma once

#include <vector>

#include "data_api/data_types.h"
#include "item/packed_item.h"
#include "model/definition.h"

namespace cairn::data_api {

// Positions of the entities that live in a table.
std::vector<size_t> EntitiesOf(const model::Model& model, size_t table);

// Without links. `entity` is null for an item that is of none. An attribute that any entity of the table
// declares secret is only named.
ItemView ViewOf(const model::Model& model, size_t table, const model::Entity* entity,
                const item::PackedItem& item);

EntityView ViewOf(const model::Entity& entity);

}  // namespace cairn::data_api
