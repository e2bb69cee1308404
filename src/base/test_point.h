// Test points: named places where a test has the server stop, die or wait, so that "in the middle of
// something" is brought about and not hit by luck.
//
//   co_await TestPoint("import.portion");   // in a coroutine: others on its thread go on while it is held
//   PassTestPoint("sweep.claimed");         // elsewhere: holds the thread
//
// Off, which is always but in tests, a point costs one load. They are switched on when the server starts
// (CAIRN_TEST_POINTS, tests/README.md), and the log says so.
#pragma once

#include <atomic>
#include <coroutine>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cairn {

// `plan` is a list of "name=n:action" with spaces between: what happens when the point is reached for the
// n-th time. Actions:
//   kill   as kill -9 would
//   stop   SIGSTOP: the whole process stands still until it gets SIGCONT, or SIGKILL
//   hold   from then on waits until the file `folder`/name.go is there; `folder`/name.reached tells that it
//   waits
// Fails with a sentence when the plan cannot be read. Call it before any thread reaches a point.
Status SwitchOnTestPoints(std::string_view plan, std::string folder);

namespace internal {

inline std::atomic<bool> test_points_on{false};

// Whether the caller may go on. Does what the plan says, except for holding.
bool ReachTestPoint(std::string_view name);
void HoldThread(std::string_view name);
void HoldCoroutine(std::string_view name, std::coroutine_handle<> waiter);

}  // namespace internal

class [[nodiscard]] TestPoint {
 public:
  // `name` outlives the point: a literal.
  explicit TestPoint(std::string_view name) : name_(name) {}

  bool await_ready() const {
    return !internal::test_points_on.load(std::memory_order_relaxed) || internal::ReachTestPoint(name_);
  }
  void await_suspend(std::coroutine_handle<> waiter) const { internal::HoldCoroutine(name_, waiter); }
  void await_resume() const noexcept {}

 private:
  std::string_view name_;
};

inline void PassTestPoint(std::string_view name) {
  if (!internal::test_points_on.load(std::memory_order_relaxed)) return;
  if (!internal::ReachTestPoint(name)) internal::HoldThread(name);
}

}  // namespace cairn
