// StartingPartition: where a user may begin to look at stored items. Each domain contributes its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "model/session.h"

namespace cairn::data_api {

struct StartingPartition {
  std::string label;  // as a person would call it: "Today's plan"
  size_t table = 0;   // position in Model::tables
  std::string key;    // the partition key
};

// Asked with every request; the session is the caller's, on the domain's database.
using FindStarts = std::function<Task<Result<std::vector<StartingPartition>>>(model::Session& session)>;

// For tables in which a user has one partition, the one that the tenancy rule names.
struct TableLabel {
  std::string table;  // as the model calls it
  std::string label;
};
FindStarts OwnPartitions(std::vector<TableLabel> tables);

}  // namespace cairn::data_api
