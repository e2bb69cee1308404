// Tables, time to live, tags: requests and responses.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "store/table.h"

namespace cairn::store {

struct ListTablesRequest {
  std::string exclusive_start_name;  // empty: from the beginning
  size_t limit = 100;
};
struct ListTablesResponse {
  std::vector<std::string> names;
  std::string last_evaluated_name;  // empty: no more
};

struct CreateIndex {
  IndexDefinition index;
};
struct DeleteIndex {
  std::string name;
};
// Only what is set changes.
struct UpdateIndex {
  std::string name;
  std::optional<Throughput> throughput = {};
  std::optional<OnDemandThroughput> on_demand = {};
  std::optional<Throughput> warm = {};
};
struct DisableStream {};

// Only what is set changes. DynamoDB allows one index creation or deletion per call.
struct UpdateTableRequest {
  std::string table;
  std::vector<item::KeyElement> attribute_definitions;
  std::optional<BillingMode> billing_mode;
  std::optional<Throughput> throughput;
  std::vector<std::variant<CreateIndex, DeleteIndex, UpdateIndex>> index_changes;
  std::optional<std::variant<StreamSettings, DisableStream>> stream;
  std::optional<bool> deletion_protection;
  std::optional<std::string> table_class;
  std::optional<Encryption> encryption;
  std::optional<OnDemandThroughput> on_demand = {};
  std::optional<Throughput> warm = {};
};

struct UpdateTimeToLiveRequest {
  std::string table;
  TimeToLive setting;
};

}  // namespace cairn::store
