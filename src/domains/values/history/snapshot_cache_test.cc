#include "domains/values/history/snapshot_cache.h"

#include <gtest/gtest.h>

namespace cairn::values {
namespace {

std::shared_ptr<const int> Content(int number) { return std::make_shared<const int>(number); }

TEST(SnapshotCache, BytesBoundWhatIsKept) {
  SnapshotCache<int> cache(100);
  cache.Put("a", Content(1), 40);
  cache.Put("b", Content(2), 40);
  ASSERT_NE(cache.Find("a"), nullptr);  // used last
  cache.Put("c", Content(3), 40);
  EXPECT_EQ(cache.Find("b"), nullptr);
  EXPECT_EQ(*cache.Find("a"), 1);
  EXPECT_EQ(*cache.Find("c"), 3);
}

TEST(SnapshotCache, TooLargeIsNotKeptAndPushesNothingOut) {
  SnapshotCache<int> cache(100);
  cache.Put("a", Content(1), 100);
  cache.Put("b", Content(2), 101);
  EXPECT_NE(cache.Find("a"), nullptr);
  EXPECT_EQ(cache.Find("b"), nullptr);
}

TEST(SnapshotCache, SecondPutCountsOnce) {
  SnapshotCache<int> cache(100);
  for (int i = 0; i < 10; ++i) cache.Put("a", Content(1), 60);
  cache.Put("b", Content(2), 40);
  EXPECT_NE(cache.Find("a"), nullptr);
  EXPECT_NE(cache.Find("b"), nullptr);
}

}  // namespace
}  // namespace cairn::values
