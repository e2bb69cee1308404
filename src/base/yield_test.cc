#include "base/yield.h"

#include <gtest/gtest.h>

#include <string>

#include "base/run_here.h"
#include "base/task.h"

namespace cairn {
namespace {

Task<int> WriteTwice(std::string& log, char name) {
  log += name;
  co_await Yield();
  log += name;
  co_return 0;
}

TEST(Yield, OtherWorkGoesFirst) {
  LoopExecutor loop;
  Executor::Scope here(&loop);
  std::string log;
  int done = 0;
  for (const char name : {'a', 'b'}) Spawn(WriteTwice(log, name), [&](int) { ++done; });
  EXPECT_EQ(log, "ab");
  while (done < 2) loop.RunOne();
  EXPECT_EQ(log, "abab");
}

TEST(Yield, WithoutExecutorGoesOnAtOnce) {
  std::string log;
  EXPECT_EQ(SyncWait(WriteTwice(log, 'a')), 0);
  EXPECT_EQ(log, "aa");
}

}  // namespace
}  // namespace cairn
