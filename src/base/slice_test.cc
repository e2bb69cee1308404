#include "base/slice.h"

#include <gtest/gtest.h>

#include <string>

#include "base/aside.h"
#include "base/run_here.h"
#include "base/task.h"
#include "base/worker_pool.h"

namespace cairn {
namespace {

using std::chrono::milliseconds;

// As if the slice of this thread had begun that long ago.
void SpendOfSlice(milliseconds time) { Slice::Begin(Slice::Clock::now() - time); }

Task<int> WriteThrice(std::string& log, char name, milliseconds each) {
  for (int i = 0; i < 3; ++i) {
    log += name;
    SpendOfSlice(each);
    co_await Breathe();
  }
  co_return 0;
}

std::string LogOfTwo(milliseconds each) {
  LoopExecutor loop;
  Executor::Scope here(&loop);
  std::string log;
  int done = 0;
  for (const char name : {'a', 'b'}) Spawn(WriteThrice(log, name, each), [&](int) { ++done; });
  while (done < 2) loop.RunOne();
  return log;
}

TEST(Slice, OthersGoFirstOnceItIsUsed) { EXPECT_EQ(LogOfTwo(Slice::kLength), "ababab"); }

TEST(Slice, GoesOnWhileThereIsSomeLeft) { EXPECT_EQ(LogOfTwo(milliseconds(-10'000)), "aaabbb"); }

TEST(Slice, WithoutExecutorGoesOnAtOnce) {
  std::string log;
  EXPECT_EQ(SyncWait(WriteThrice(log, 'a', Slice::kLength)), 0);
  EXPECT_EQ(log, "aaa");
}

// An executor with a helper thread.
class HelpedExecutor final : public Executor {
 public:
  void Post(std::move_only_function<void()> work) override { loop_.Post(std::move(work)); }
  bool PostAside(std::move_only_function<void()> work) override { return helpers_.Post(std::move(work)); }
  void RunOne() { loop_.RunOne(); }

 private:
  LoopExecutor loop_;
  WorkerPool helpers_{{.threads = 1, .queue_max = 4, .niceness = 10}};
};

struct Places {
  std::thread::id of_work, of_rest;
};

Task<Places> DoAside() {
  const auto work = [] { return std::this_thread::get_id(); };
  const std::thread::id of_work = co_await Aside(work);
  co_return Places{of_work, std::this_thread::get_id()};
}

TEST(Aside, HelperWorksAndLoopGoesOn) {
  HelpedExecutor loop;
  Executor::Scope here(&loop);
  std::optional<Places> places;
  Spawn(DoAside(), [&](Places value) { places = value; });
  EXPECT_FALSE(places);
  while (!places) loop.RunOne();
  EXPECT_NE(places->of_work, std::this_thread::get_id());
  EXPECT_EQ(places->of_rest, std::this_thread::get_id());
}

TEST(Aside, WithoutHelpersOnTheSpot) {
  EXPECT_EQ(RunHere(DoAside()).of_work, std::this_thread::get_id());
  EXPECT_EQ(SyncWait(DoAside()).of_work, std::this_thread::get_id());
}

}  // namespace
}  // namespace cairn
