#include "base/task.h"

#include <deque>
#include <thread>

#include "base/result.h"

namespace cairn {
namespace {

// Hands its coroutine to whoever resumes it.
struct Suspend {
  std::coroutine_handle<>& handle;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) { handle = h; }
  void await_resume() {}
};

Task<int> Value(int value) { co_return value; }

Task<Result<int>> Half(int value) {
  if (value % 2 != 0) co_return Fail(Invalid("odd"));
  co_return value / 2;
}

Task<Result<int>> Quarter(int value) {
  CO_ASSIGN_OR_RETURN(const int half, co_await Half(value));
  CO_ASSIGN_OR_RETURN(const int quarter, co_await Half(half));
  co_return quarter;
}

Task<int> SumTo(int count) {
  int sum = 0;
  for (int i = 1; i <= count; ++i) sum += co_await Value(i);
  co_return sum;
}

Task<int> AfterResume(std::coroutine_handle<>& handle) {
  co_await Suspend{handle};
  co_return 7;
}

TEST(Task, ResultsPassThroughAwaits) {
  EXPECT_EQ(SyncWait(Quarter(8)).value(), 2);
  EXPECT_EQ(SyncWait(Quarter(6)).error().message, "odd");
}

TEST(Task, ManyAwaitsInALoopFinish) { EXPECT_EQ(SyncWait(SumTo(1000)), 500'500); }

TEST(Task, DoesNotStartBeforeItIsAwaited) {
  bool started = false;
  auto make = [&]() -> Task<int> {
    started = true;
    co_return 1;
  };
  { Task<int> never = make(); }
  EXPECT_FALSE(started);
}

TEST(Task, SyncWaitWaitsForAnotherThread) {
  std::coroutine_handle<> handle;
  std::optional<std::thread> other;
  auto outer = [&]() -> Task<int> {
    Task<int> inner = AfterResume(handle);
    co_return co_await inner;
  };
  Task<int> task = outer();
  int result = 0;
  Spawn(std::move(task), [&](int value) { result = value; });
  EXPECT_EQ(result, 0);
  other.emplace([&] { handle.resume(); });
  other->join();
  EXPECT_EQ(result, 7);
}

class ManualExecutor : public Executor {
 public:
  void Post(std::move_only_function<void()> work) override { queue_.push_back(std::move(work)); }
  void RunAll() {
    while (!queue_.empty()) {
      auto work = std::move(queue_.front());
      queue_.pop_front();
      work();
    }
  }

 private:
  std::deque<std::move_only_function<void()>> queue_;
};

TEST(Executor, ScopesNestPerThread) {
  ManualExecutor outer, inner;
  EXPECT_EQ(Executor::Current(), nullptr);
  {
    Executor::Scope a(&outer);
    {
      Executor::Scope b(&inner);
      EXPECT_EQ(Executor::Current(), &inner);
      std::thread([] { EXPECT_EQ(Executor::Current(), nullptr); }).join();
    }
    EXPECT_EQ(Executor::Current(), &outer);
  }
  EXPECT_EQ(Executor::Current(), nullptr);
}

TEST(Executor, PostedWorkRunsInOrder) {
  ManualExecutor executor;
  std::string order;
  executor.Post([&] { order += 'a'; });
  executor.Post([&] { order += 'b'; });
  EXPECT_EQ(order, "");
  executor.RunAll();
  EXPECT_EQ(order, "ab");
}

}  // namespace
}  // namespace cairn
