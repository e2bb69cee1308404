#include "http/loop_watch.h"

#include <time.h>

#include "base/log.h"

namespace cairn::http {
namespace {

constexpr std::chrono::milliseconds kNoticed{1};

std::chrono::nanoseconds CpuTime() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

void LoopWatch::Begin() {
  in_turn_ = true;
  begun_ = Clock::now();
  Slice::Begin(begun_);
  if (logged_.count() > 0) cpu_begun_ = CpuTime();
}

void LoopWatch::End() {
  in_turn_ = false;
  const auto taken = Clock::now() - begun_;
  if (taken < kNoticed) return;
  holds_.Observe(taken);
  if (logged_.count() == 0) return;
  const auto cpu = CpuTime() - cpu_begun_;
  if (cpu < logged_) return;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  log::Warning(
      "event loop held",
      {{"cpu_ms", Milliseconds(cpu).count()}, {"ms", Milliseconds(taken).count()}, {"request", request_}});
}

}  // namespace cairn::http
