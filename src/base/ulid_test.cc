#include "base/ulid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace cairn {
namespace {

class OnlyOnes : public Random {
 public:
  uint64_t Next() override { return ~uint64_t{0}; }
};

Time At(int64_t milliseconds) { return Time(std::chrono::milliseconds(milliseconds)); }

TEST(Ulid, BeginsWithTheTimeInCrockfordDigits) {
  SeededRandom random(1);
  UlidSource source(random);
  const std::string id = source.Next(At(1469918176385));  // the example of the ULID specification
  EXPECT_EQ(id.substr(0, 10), "01ARYZ6S41");
  EXPECT_TRUE(IsUlid(id)) << id;
}

TEST(Ulid, GrowsWithinAMillisecond) {
  SeededRandom random(2);
  UlidSource source(random);
  std::string last = source.Next(At(1000));
  for (int i = 0; i < 1000; ++i) {
    const std::string next = source.Next(At(1000));
    ASSERT_GT(next, last);
    ASSERT_EQ(next.substr(0, 10), last.substr(0, 10));
    last = next;
  }
}

TEST(Ulid, GrowsWhenTheClockStepsBack) {
  SeededRandom random(3);
  UlidSource source(random);
  const std::string first = source.Next(At(5000));
  const std::string second = source.Next(At(4000));
  const std::string third = source.Next(At(-7));
  const std::string fourth = source.Next(At(5001));
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_LT(third, fourth);
}

TEST(Ulid, ExhaustedChanceCarriesIntoTheTime) {
  OnlyOnes random;
  UlidSource source(random);
  const std::string last_of_its_millisecond = source.Next(At(7));
  const std::string next = source.Next(At(7));
  EXPECT_EQ(last_of_its_millisecond, "0000000007ZZZZZZZZZZZZZZZZ");
  EXPECT_EQ(next, "00000000080000000000000000");
}

TEST(Ulid, ThreadsNeverGetTheSameOne) {
  SeededRandom random(4);
  UlidSource source(random);
  constexpr size_t kThreads = 4, kEach = 500;
  std::vector<std::vector<std::string>> made(kThreads);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : made) {
      threads.emplace_back([&mine, &source] {
        for (size_t i = 0; i < kEach; ++i) mine.push_back(source.Next(At(1)));
      });
    }
  }
  std::vector<std::string> all;
  for (const auto& mine : made) {
    EXPECT_TRUE(std::ranges::is_sorted(mine));
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST(IsUlid, TellsUlidsFromOtherTexts) {
  EXPECT_TRUE(IsUlid("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
  EXPECT_TRUE(IsUlid("7ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
  for (const std::string_view wrong :
       {"", "01ARZ3NDEKTSV4RRFFQ69G5FA", "01ARZ3NDEKTSV4RRFFQ69G5FAVV", "01arz3ndektsv4rrffq69g5fav",
        "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "01ARZ3NDEKTSV4RRFFQ69G5FAI", "01ARZ3NDEKTSV4RRFFQ69G5FAU",
        "01ARZ3NDEK#SV4RRFFQ69G5FAV",
        "\xff"
        "1ARZ3NDEKTSV4RRFFQ69G5FAV"}) {
    EXPECT_FALSE(IsUlid(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace cairn
