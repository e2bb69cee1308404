// Where the rules of time zones lie: TZDIR of the environment, as for every other program, or the system's
// tzdata.
#pragma once

#include <string>

namespace cairn {

// Ends with "/". The same as long as the process lives.
const std::string& ZoneFolder();

}  // namespace cairn
