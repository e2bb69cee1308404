#include "domains/values/history/snapshot_cache.h"

#include <gtest/gtest.h>

namespace cairn::values {
namespace {

std::shared_ptr<const int> Content(int number) { return std::make_shared<const int>(number); }

using Cache = SnapshotCache<int>;

constexpr size_t kRoom = 100'000;
// What is left of a size for the content under a key of one letter.
constexpr size_t In(size_t bytes) { return bytes - Cache::kEntryBytes - 2; }

TEST(SnapshotCache, BytesBoundWhatIsKept) {
  Cache cache(kRoom);
  cache.Put("a", Content(1), In(40'000));
  cache.Put("b", Content(2), In(40'000));
  ASSERT_NE(cache.Find("a"), nullptr);  // used last
  cache.Put("c", Content(3), In(40'000));
  EXPECT_EQ(cache.Find("b"), nullptr);
  EXPECT_EQ(*cache.Find("a"), 1);
  EXPECT_EQ(*cache.Find("c"), 3);
}

TEST(SnapshotCache, TooLargeIsNotKeptAndPushesNothingOut) {
  Cache cache(kRoom);
  cache.Put("a", Content(1), In(kRoom));
  cache.Put("b", Content(2), In(kRoom + 1));
  EXPECT_NE(cache.Find("a"), nullptr);
  EXPECT_EQ(cache.Find("b"), nullptr);
}

TEST(SnapshotCache, SecondPutCountsOnce) {
  Cache cache(kRoom);
  for (int i = 0; i < 10; ++i) cache.Put("a", Content(1), In(60'000));
  cache.Put("b", Content(2), In(40'000));
  EXPECT_NE(cache.Find("a"), nullptr);
  EXPECT_NE(cache.Find("b"), nullptr);
}

TEST(SnapshotCache, EmptyContentsAreBoundedToo) {
  Cache cache(kRoom);
  const auto key = [](int i) { return "user" + std::to_string(i); };
  for (int i = 0; i < 1'000; ++i) cache.Put(key(i), Content(i), 0);
  int kept = 0;
  for (int i = 0; i < 1'000; ++i) kept += cache.Find(key(i)) != nullptr ? 1 : 0;
  EXPECT_GT(kept, 0);
  EXPECT_LE(static_cast<size_t>(kept) * Cache::kEntryBytes, kRoom);
}

}  // namespace
}  // namespace cairn::values
