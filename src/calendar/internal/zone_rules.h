// One time zone as a list of stretches with the same difference to UTC. Read once from the system's tzdata,
// then constant, so that any thread looks things up without a lock.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calendar/internal/zone_tail.h"
#include "calendar/zone.h"

namespace cairn::calendar {

class ZoneRules {
 public:
  // Lives as long as the process. Fails with kInvalidArgument when there is no such zone, kInternal when its
  // file cannot be read.
  static Result<const ZoneRules*> Find(std::string_view name);

  struct Pass {
    std::chrono::sys_seconds instant;  // of a skipped wall time: shifted forward by what the clocks skip
    bool is_skipped = false;
    std::chrono::sys_seconds change;  // if it is skipped: when the clocks are changed
  };
  // The first time that the clocks show `time`.
  Pass FirstPass(LocalTime time) const;

  LocalTime ToLocal(std::chrono::sys_seconds instant) const;

  // `changes` ascend, the first holds since ever; `tail` is the rule after the last of them.
  ZoneRules(std::vector<OffsetChange> changes, std::string_view tail);

 private:
  // The same moment of the calendar's cycle of 400 years, where stretches are listed.
  std::chrono::seconds CyclesAfterList(std::chrono::seconds since_epoch) const;
  size_t StretchAt(std::chrono::sys_seconds instant) const;

  std::vector<OffsetChange> changes_;
  std::chrono::seconds list_end_ = std::chrono::seconds::max();
};

}  // namespace cairn::calendar
