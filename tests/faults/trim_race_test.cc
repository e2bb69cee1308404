// Trimming a stream while it is written: what is younger than a day stays.
#include <atomic>
#include <thread>

#include "store_for_test.h"

namespace cairn::faults {
namespace {

using TrimRace = StoreTest;

TEST_F(TrimRace, RecordsThatComeWhileOldOnesGoAreKept) {
  Fill(20);
  std::atomic<bool> done{false};
  std::thread writing([&] {
    while (!done && writer_.Step(*engine_)) {
    }
  });
  for (int i = 0; i < 200; ++i) {
    clock_.Advance(std::chrono::hours(25));
    engine_->RunJobs();
  }
  done = true;
  writing.join();
  const auto report = engine_->Verify({});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->findings, std::vector<std::string>());
}

}  // namespace
}  // namespace cairn::faults
