// TimeBudget: how long the jobs of each user may run: so many seconds in a minute, saved up for one minute at
// most. Who has used more waits. Not thread-safe.
#pragma once

#include <chrono>
#include <string>
#include <unordered_map>

#include "base/clock.h"

namespace cairn::jobs {

class TimeBudget {
 public:
  // Zero: as long as they like.
  TimeBudget(const Clock& clock, std::chrono::microseconds per_minute)
      : clock_(clock), per_minute_(per_minute) {}

  bool HasTime(const std::string& user_id);
  // May take more than there was: the user waits until it has come back.
  void Charge(const std::string& user_id, std::chrono::microseconds used);

 private:
  struct Entry {
    std::chrono::microseconds left{};
    Time at;
  };

  std::chrono::microseconds LeftNow(const Entry& entry, Time now) const;
  void ForgetRested(Time now);

  const Clock& clock_;
  const std::chrono::microseconds per_minute_;
  std::unordered_map<std::string, Entry> entries_;  // of those who have used something lately
};

}  // namespace cairn::jobs
