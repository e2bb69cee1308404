// Consumed capacity and item collection metrics as JSON.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dynamodb/json_writer.h"
#include "store/item_requests.h"

namespace cairn::dynamodb {

// Transactions report reads and writes separately, next to the sum.
enum class CapacityForm { kPlain, kTransaction };

// The member ConsumedCapacity; nothing when it was not asked for.
void AppendCapacity(JsonWriter& json, const std::optional<store::ConsumedCapacity>& capacity,
                    store::ReturnCapacity detail);
// The same for requests on several tables: a list.
void AppendCapacities(JsonWriter& json, const std::vector<store::ConsumedCapacity>& capacities,
                      store::ReturnCapacity detail, CapacityForm form);

// The member ItemCollectionMetrics; nothing when there is none.
void AppendCollection(JsonWriter& json, const std::optional<store::ItemCollection>& collection);
void AppendCollections(JsonWriter& json,
                       const std::map<std::string, std::vector<store::ItemCollection>>& collections);

}  // namespace cairn::dynamodb
