// The jobs of this domain: clearing away snapshots that were never published, rolling over by itself at the
// start of a user's day. And erasing all a user has, the only hard delete there is.
#pragma once

#include <map>
#include <string>

#include "domains/values/values.h"
#include "jobs/job_runner.h"

namespace cairn::values {

std::map<std::string, jobs::Worker> Workers(Values& values);

// Every item of the user's partitions. May be repeated after an interruption.
Task<Status> EraseUser(Values& values, std::string user_id);

}  // namespace cairn::values
