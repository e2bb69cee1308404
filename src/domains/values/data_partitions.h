// What this domain shows a user of the stored items behind the pages: where to begin.
#pragma once

#include <vector>

#include "data_api/starting_partition.h"
#include "domains/values/values.h"

namespace cairn::values {

// The log and settings, the current tree, today's plan; only what is there. The session is the user's.
Task<Result<std::vector<data_api::StartingPartition>>> StartingPartitions(Values& values,
                                                                          model::Session& session);

}  // namespace cairn::values
