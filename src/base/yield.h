// co_await Yield(): other work of this thread's executor goes first. For requests that compute for long
// between their reads, so that they do not hold up those that share their thread. Without an executor nothing
// happens.
#pragma once

#include <coroutine>

#include "base/executor.h"

namespace cairn {

struct Yield {
  bool await_ready() const noexcept { return Executor::Current() == nullptr; }
  void await_suspend(std::coroutine_handle<> waiter) const {
    Executor::Current()->Post([waiter] { waiter.resume(); });
  }
  void await_resume() const noexcept {}
};

}  // namespace cairn
