// Clock: the only way the code learns the time, so that tests can move it.
#pragma once

#include <atomic>
#include <chrono>

namespace cairn {

using Time = std::chrono::sys_time<std::chrono::microseconds>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time Now() const = 0;
};

class SystemClock : public Clock {
 public:
  Time Now() const override;
};

// Stands still until told otherwise. Safe to read and move from several threads.
class FakeClock : public Clock {
 public:
  explicit FakeClock(Time start) : now_us_(start.time_since_epoch().count()) {}
  Time Now() const override { return Time(std::chrono::microseconds(now_us_.load())); }
  void Advance(std::chrono::microseconds by) { now_us_ += by.count(); }

 private:
  std::atomic<int64_t> now_us_;
};

inline int64_t EpochSeconds(Time time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}
inline int64_t EpochMilliseconds(Time time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

}  // namespace cairn
