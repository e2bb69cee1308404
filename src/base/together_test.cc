#include "base/together.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "base/run_here.h"

namespace cairn {
namespace {

// Finishes on a thread of its own, or where it was called from.
struct Elsewhere {
  std::vector<std::thread>& threads;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) const {
    Executor* executor = Executor::Current();
    threads.emplace_back([handle, executor] {
      if (executor == nullptr) return handle.resume();
      executor->Post([handle] { handle.resume(); });
    });
  }
  void await_resume() const {}
};

Task<std::string> AtOnce(int number) { co_return std::to_string(number); }
Task<std::string> Later(int number, std::vector<std::thread>& threads) {
  co_await Elsewhere{threads};
  co_return std::to_string(number);
}

std::vector<std::string> Numbers(int count) {
  std::vector<std::string> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

TEST(Together, NoTasksFinishAtOnce) {
  EXPECT_EQ(SyncWait(Together(std::vector<Task<std::string>>())), Numbers(0));
}

TEST(Together, TasksThatNeverWaitKeepTheirOrder) {
  std::vector<Task<std::string>> tasks;
  for (int i = 0; i < 10; ++i) tasks.push_back(AtOnce(i));
  EXPECT_EQ(SyncWait(Together(std::move(tasks))), Numbers(10));
}

TEST(Together, TasksThatEndOnOtherThreadsKeepTheirOrder) {
  std::vector<std::thread> threads;
  std::vector<Task<std::string>> tasks;
  for (int i = 0; i < 40; ++i) tasks.push_back(i % 3 == 0 ? AtOnce(i) : Later(i, threads));
  EXPECT_EQ(SyncWait(Together(std::move(tasks))), Numbers(40));
  for (std::thread& thread : threads) thread.join();
}

TEST(Together, OnAnExecutorEverythingStaysThere) {
  std::vector<std::thread> threads;
  std::vector<Task<std::string>> tasks;
  for (int i = 0; i < 40; ++i) tasks.push_back(Later(i, threads));
  EXPECT_EQ(RunHere(Together(std::move(tasks))), Numbers(40));
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace cairn
