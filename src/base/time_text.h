// Times as text.
#pragma once

#include <string>

#include "base/clock.h"

namespace cairn {

// "2026-11-15T19:42:30.123Z"
std::string FormatIsoMilliseconds(Time time);
// "2026-11-15T19:42:30.123", the form of a stream label.
std::string FormatStreamLabel(Time time);

}  // namespace cairn
