#include "base/run_here.h"

#include <gtest/gtest.h>

#include <thread>

namespace cairn {
namespace {

// Completes on another thread, and resumes as the engine does: where the waiter's executor says.
struct Elsewhere {
  std::thread& thread;

  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiter) {
    Executor* executor = Executor::Current();
    thread = std::thread([waiter, executor] { executor->Post([waiter] { waiter.resume(); }); });
  }
  void await_resume() {}
};

Task<bool> StaysOnItsThread(std::thread& helper) {
  const auto before = std::this_thread::get_id();
  Elsewhere elsewhere{helper};
  co_await elsewhere;
  co_return std::this_thread::get_id() == before;
}

TEST(RunHere, WorkContinuesOnTheCallingThread) {
  std::thread helper;
  EXPECT_TRUE(RunHere(StaysOnItsThread(helper)));
  helper.join();
  EXPECT_EQ(Executor::Current(), nullptr);
}

Task<int> Immediate() { co_return 7; }

TEST(RunHere, TaskThatNeverWaitsIsDone) { EXPECT_EQ(RunHere(Immediate()), 7); }

}  // namespace
}  // namespace cairn
