// A thread that serves many requests gives each a slice of a few milliseconds at a time, so that nobody waits
// for another's long work. Whoever computes in a loop over something of a user's size writes in that loop:
//
//   co_await Breathe();   // goes on at once, unless the slice is used up: then all other work goes first
//
// A slice begins when the thread takes up a piece of work (http/event_loop.h). Breathe costs a look at the
// clock, some 25 ns: call it for things that cost a microsecond or more. Work that cannot be cut leaves the
// thread instead: base/aside.h.
#pragma once

#include <chrono>
#include <coroutine>

#include "base/executor.h"

namespace cairn {

class Slice {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kLength{2};

  // Of the calling thread.
  static void Begin(Clock::time_point now = Clock::now());
  static bool IsUsed(Clock::time_point now = Clock::now());
};

struct Breathe {
  bool await_ready() const noexcept { return Executor::Current() == nullptr || !Slice::IsUsed(); }
  void await_suspend(std::coroutine_handle<> waiter) const {
    Executor::Current()->Post([waiter] {
      Slice::Begin();
      waiter.resume();
    });
  }
  void await_resume() const noexcept {}
};

}  // namespace cairn
