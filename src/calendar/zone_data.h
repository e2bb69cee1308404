// The rules of all zones as one thing: whether they are still those of before.
#pragma once

#include <string>

#include "base/result.h"

namespace cairn::calendar {

// A text that is the same as long as no zone's file differs. Reads all of them: some ten milliseconds. Fails
// with kUnavailable when there are none.
Result<std::string> ZoneDataVersion();

}  // namespace cairn::calendar
