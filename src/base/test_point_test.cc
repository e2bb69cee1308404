#include "base/test_point.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/log.h"
#include "base/run_here.h"

namespace cairn {
namespace {

class TestPointTest : public testing::Test {
 protected:
  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    folder_ = std::filesystem::temp_directory_path() / ("cairn_points_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    internal::test_points_on = false;
    std::filesystem::remove_all(folder_);
    log::SetLevel(log::Level::kInfo);
  }
  std::filesystem::path folder_;
};

Task<int> PassTwice() {
  co_await TestPoint("here");
  co_await TestPoint("here");
  co_return 1;
}

TEST_F(TestPointTest, OffNothingHappens) { EXPECT_EQ(RunHere(PassTwice()), 1); }

TEST_F(TestPointTest, PlansThatCannotBeReadAreRefused) {
  for (const char* wrong :
       {"here", "=1:kill", "here=0:kill", "here=x:kill", "here=1", "here=1:burn", "here=1:hold"})
    EXPECT_FALSE(SwitchOnTestPoints(wrong, "")) << wrong;
  EXPECT_FALSE(internal::test_points_on);
}

TEST_F(TestPointTest, KillsTheNthTimeItIsReached) {
  const pid_t child = fork();
  if (child == 0) {
    if (!SwitchOnTestPoints("here=3:kill elsewhere=1:kill", "")) _exit(1);
    RunHere(PassTwice());
    PassTestPoint("here");
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
}

TEST_F(TestPointTest, HoldsUntilItIsLetGoAndOthersGoOn) {
  ASSERT_TRUE(SwitchOnTestPoints("here=2:hold", folder_));
  LoopExecutor loop;
  Executor::Scope on_this_thread(&loop);
  bool done = false;
  Spawn(PassTwice(), [&](int) { done = true; });
  EXPECT_FALSE(done) << "this thread goes on while the coroutine is held";
  while (!std::filesystem::exists(folder_ / "here.reached")) std::this_thread::yield();
  EXPECT_FALSE(done);
  std::ofstream(folder_ / "here.go").flush();
  while (!done) loop.RunOne();
}

}  // namespace
}  // namespace cairn
