#include "http/loop_watch.h"

#include <gtest/gtest.h>

namespace cairn::http {
namespace {

void Spend(std::chrono::milliseconds time) {
  const auto end = LoopWatch::Clock::now() + time;
  while (LoopWatch::Clock::now() < end) {
  }
}

TEST(LoopWatch, LongTurnsAreCountedOnce) {
  metrics::Histogram holds(metrics::SecondBounds());
  LoopWatch watch(holds, std::chrono::milliseconds(0));
  {
    const LoopWatch::Turn turn(watch);
    const LoopWatch::Turn inside(watch);
    Spend(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(holds.count(), 1u);
}

TEST(LoopWatch, ATurnBeginsASlice) {
  metrics::Histogram holds(metrics::SecondBounds());
  LoopWatch watch(holds, std::chrono::milliseconds(0));
  const LoopWatch::Turn turn(watch);
  Spend(Slice::kLength);
  EXPECT_TRUE(Slice::IsUsed());
  {
    const LoopWatch::Turn inside(watch);
    EXPECT_TRUE(Slice::IsUsed()) << "the outer one goes on";
  }
}

}  // namespace
}  // namespace cairn::http
