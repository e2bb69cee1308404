// The jobs of this domain: firing reminders and delivering them, keeping series as far ahead as promised,
// finishing what a crash interrupted. And erasing all a user has.
#pragma once

#include <map>
#include <set>
#include <string>

#include "domains/nexus/nexus.h"
#include "jobs/job_runner.h"

namespace cairn::nexus {

std::map<std::string, jobs::Worker> Workers(Nexus& nexus);
// The kinds that may take long (jobs/job_queue.h).
std::set<std::string, std::less<>> PatientKinds();

// Every item of the user's partition. May be repeated after an interruption.
Task<Status> EraseUser(Nexus& nexus, std::string user_id);

}  // namespace cairn::nexus
