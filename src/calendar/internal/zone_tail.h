// The last line of a zone's file: the rule for all years after those that the file lists, in the form of
// POSIX's TZ
// ("CET-1CEST,M3.5.0,M10.5.0/3").
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

namespace cairn::calendar {

struct OffsetChange {
  std::chrono::sys_seconds at;
  std::chrono::seconds offset;  // to UTC, from then on
  friend bool operator==(const OffsetChange&, const OffsetChange&) = default;
};

// The changes that the rule makes in the years `first` to `last`, ascending. None when the clocks are never
// changed, and for text that is no such rule.
std::vector<OffsetChange> ChangesByTail(std::string_view tail, int first, int last);

}  // namespace cairn::calendar
