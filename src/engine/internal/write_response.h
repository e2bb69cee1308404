// What a write reports of its cost.
#pragma once

#include "engine/internal/commit_group.h"
#include "engine/internal/database.h"
#include "store/item_requests.h"

namespace cairn::engine::internal {

// Adds capacity and collection size to the response as far as asked for.
void AddUsage(store::WriteResponse& response, const ItemChange& change, store::ReturnCapacity return_capacity,
              store::CollectionMetrics metrics, const Database& database);

// The collection a change belongs to; only for tables with local indexes.
std::optional<store::ItemCollection> CollectionOf(const ItemChange& change, const Database& database);

}  // namespace cairn::engine::internal
