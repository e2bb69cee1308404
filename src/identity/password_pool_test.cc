#include "identity/password_pool.h"

#include <gtest/gtest.h>

#include <latch>

#include "base/run_here.h"

namespace cairn::identity {
namespace {

constexpr PasswordCost kCheap{.operations = 1, .memory_bytes = 8192};

TEST(WorkerPool, ValueArrivesOnTheAwaitingThread) {
  WorkerPool pool({.threads = 1, .queue_max = 1});
  std::thread::id worked, continued;
  auto task = [&]() -> Task<Result<int>> {
    auto work = [&] {
      worked = std::this_thread::get_id();
      return 7;
    };
    auto value = co_await pool.Run(work);
    continued = std::this_thread::get_id();
    co_return value;
  };
  EXPECT_EQ(RunHere(task()).value(), 7);
  EXPECT_EQ(continued, std::this_thread::get_id());
  EXPECT_NE(worked, std::this_thread::get_id());
}

TEST(WorkerPool, QueueIsBoundedAndTheRestRefusedAtOnce) {
  std::latch open(1);
  std::atomic<int> done = 0;
  int taken = 0;
  {
    WorkerPool pool({.threads = 2, .queue_max = 32});
    for (int i = 0; i < 200; ++i) {
      taken += pool.Post([&] {
        open.wait();
        ++done;
      });
    }
    EXPECT_EQ(taken, 34) << "one per thread, and the queue";
    EXPECT_EQ(done, 0);
    open.count_down();
  }
  EXPECT_EQ(done, 34) << "the destructor finishes what was taken";
}

TEST(WorkerPool, TakesWorkAgainAfterAFlood) {
  WorkerPool pool({.threads = 1, .queue_max = 0});
  std::latch open(1), finished(1);
  ASSERT_TRUE(pool.Post([&] { open.wait(); }));
  EXPECT_FALSE(pool.Post([] {}));
  open.count_down();
  while (!pool.Post([&] { finished.count_down(); })) std::this_thread::yield();
  finished.wait();
}

TEST(PasswordPool, HashesAndVerifies) {
  PasswordPool pool({.cost = kCheap});
  const auto hash = RunHere(pool.Hash("correct horse"));
  ASSERT_TRUE(hash) << hash.error().message;
  EXPECT_TRUE(RunHere(pool.Verify("correct horse", *hash)).value());
  EXPECT_FALSE(RunHere(pool.Verify("correct house", *hash)).value());
  EXPECT_FALSE(RunHere(pool.VerifyNobody("correct horse")).value());
  EXPECT_FALSE(pool.NeedsRehash(*hash));
  EXPECT_TRUE(pool.NeedsRehash(HashOfNobody({})));
  EXPECT_EQ(pool.done(), 4u);
}

TEST(PasswordPool, FailureOfOneHashIsItsOwn) {
  PasswordPool pool({.cost = kCheap});
  EXPECT_FALSE(RunHere(pool.Hash(std::string(kPasswordBytesMax + 1, 'x'))));
  EXPECT_TRUE(RunHere(pool.Hash("correct horse")));
}

// A flood of two hundred at once: some are done, the rest is told so without waiting.
TEST(PasswordPool, TwoHundredAtOnceAreBounded) {
  PasswordPool pool({.cost = {.operations = 2, .memory_bytes = size_t{16} << 20}});
  LoopExecutor loop;
  const Executor::Scope here(&loop);
  int hashed = 0, refused = 0;
  for (int i = 0; i < 200; ++i) {
    Spawn(pool.Hash("correct horse " + std::to_string(i)), [&](Result<std::string> hash) {
      if (hash) {
        ++hashed;
      } else {
        EXPECT_EQ(hash.error().code, Code::kOverloaded);
        ++refused;
      }
    });
  }
  EXPECT_GE(refused, 100) << "refused without waiting for any hash";
  while (hashed + refused < 200) loop.RunOne();
  EXPECT_GE(hashed, 34);
  EXPECT_EQ(pool.done(), static_cast<uint64_t>(hashed));
}

}  // namespace
}  // namespace cairn::identity
