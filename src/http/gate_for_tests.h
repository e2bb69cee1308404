// Gate: for tests that need a handler which has started and not finished.
#pragma once

#include <coroutine>
#include <future>

#include "base/executor.h"

namespace cairn::http {

// Holds one handler, at `co_await gate.Pass()`, until it is released through its executor.
class Gate {
 public:
  auto Pass() {
    struct Awaiter {
      bool await_ready() const { return false; }
      void await_suspend(std::coroutine_handle<> handle) const {
        gate->executor_ = Executor::Current();
        gate->waiting_.set_value(handle);
      }
      void await_resume() const {}
      Gate* gate;
    };
    return Awaiter{this};
  }

  // Returns when a handler has come to the gate.
  void WaitForHandler() { handle_ = waiting_.get_future().get(); }
  void Release() {
    executor_->Post([handle = handle_] { handle.resume(); });
  }

 private:
  Executor* executor_ = nullptr;
  std::promise<std::coroutine_handle<>> waiting_;
  std::coroutine_handle<> handle_;
};

}  // namespace cairn::http
