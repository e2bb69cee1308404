#include "domains/nexus/rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace cairn::nexus {
namespace {

void ExpectRank(const std::string& rank, const RankGap& gap) {
  EXPECT_GT(rank, gap.after);
  if (!gap.before.empty()) {
    EXPECT_LT(rank, gap.before);
  }
  EXPECT_LE(rank.size(), kRankBytesMax);
  EXPECT_NE(rank.back(), '$') << "nothing would fit before it: " << rank;
  EXPECT_TRUE(std::ranges::all_of(rank, [](char c) { return c > '#' && c <= '~'; })) << rank;
}

TEST(Rank, LiesInItsGap) {
  SeededRandom random(1);
  for (const RankGap& gap : std::vector<RankGap>{{"", ""},
                                                 {"n", ""},
                                                 {"", "n"},
                                                 {"a", "b"},
                                                 {"a", "aa"},
                                                 {"a", "a%"},
                                                 {"az", "b"},
                                                 {"a~~~~~~~~~~~~", "b"},
                                                 {"~~~~~~~~~~~~", ""},
                                                 {"", "$$$$$$$$$$$$$$%"},
                                                 {"", "%"},
                                                 {"n", "n$$$$$$$$$$$$%"}}) {
    const auto rank = RankIn(gap, random);
    ASSERT_TRUE(rank) << gap.after << " .. " << gap.before;
    ExpectRank(*rank, gap);
  }
}

TEST(Rank, NoRoomIsSaid) {
  SeededRandom random(2);
  EXPECT_FALSE(RankIn({"a", "a"}, random));
  EXPECT_FALSE(RankIn({"b", "a"}, random));
  EXPECT_FALSE(RankIn({"a", "a$"}, random)) << "there is no text between them";
  EXPECT_FALSE(RankIn({std::string(64, 'a'), std::string(63, 'a') + "b"}, random));
  EXPECT_FALSE(RankIn({kRankHighest, ""}, random));
  EXPECT_FALSE(RankIn({"", kRankLowest}, random));
  EXPECT_FALSE(RanksIn({"a", "a$"}, 3, random));
  EXPECT_FALSE(RanksIn({kRankHighest, ""}, 3, random));
}

// What something else than this domain may have stored.
TEST(Rank, StrangeNeighboursDoNotBreakTheOrder) {
  SeededRandom random(3);
  const std::vector<std::string> strange = {"\x01", " ", "#", "\x7f", "\xc3\xa4", std::string(300, 'x'), "n"};
  for (const std::string& one : strange) {
    for (const std::string& other : strange) {
      for (const RankGap& gap : std::vector<RankGap>{{one, other}, {one, ""}, {"", other}}) {
        if (const auto rank = RankIn(gap, random)) ExpectRank(*rank, gap);
      }
    }
  }
}

TEST(Rank, EndsStayOpenForMillions) {
  SeededRandom random(4);
  std::string first = *RankIn({"", ""}, random), last = first;
  for (int i = 0; i < 100'000; ++i) {
    const std::string next = *RankIn({last, ""}, random), before = *RankIn({"", first}, random);
    ASSERT_GT(next, last);
    ASSERT_LT(before, first);
    ASSERT_LE(std::max(next.size(), before.size()), 9u);
    last = next, first = before;
  }
}

TEST(Rank, TheSameGapTakesHundreds) {
  for (const bool downwards : {false, true}) {
    SeededRandom random(5);
    RankGap gap{"m", "n"};
    int taken = 0;
    while (const auto rank = RankIn(gap, random)) {
      ExpectRank(*rank, gap);
      (downwards ? gap.before : gap.after) = *rank;
      ++taken;
    }
    EXPECT_GT(taken, 200);
    EXPECT_LT(taken, 1'000) << "and then says so";
  }
}

TEST(Rank, TwoClientsDoNotMakeTheSame) {
  SeededRandom random(6);
  for (const RankGap& gap : std::vector<RankGap>{{"", ""}, {"n", ""}, {"", "n"}, {"a", "b"}, {"a", "a%"}}) {
    std::set<std::string> made;
    for (int i = 0; i < 2'000; ++i) made.insert(*RankIn(gap, random));
    EXPECT_EQ(made.size(), 2'000u) << gap.after << " .. " << gap.before;
  }
}

TEST(Rank, ManyAtOnceAscendAndLeaveRoom) {
  SeededRandom random(7);
  for (const RankGap& gap :
       std::vector<RankGap>{{"", ""}, {"n", ""}, {"", "n"}, {"a", "b"}, {std::string(64, 'a'), "b"}}) {
    const auto ranks = RanksIn(gap, 80, random);
    ASSERT_TRUE(ranks);
    ASSERT_EQ(ranks->size(), 80u);
    std::string before = gap.after;
    for (const std::string& rank : *ranks) {
      ExpectRank(rank, {before, gap.before});
      EXPECT_LT(rank.size(), 20u);
      if (!before.empty()) {
        EXPECT_TRUE(RankIn({before, rank}, random)) << "no room between two new ones";
      }
      before = rank;
    }
  }
  EXPECT_TRUE(RanksIn({"a", "b"}, 0, random)->empty());
}

// Random insertions against a plain list.
TEST(Rank, OrderIsThatOfAList) {
  SeededRandom random(8);
  std::vector<std::string> list;
  for (int i = 0; i < 3'000; ++i) {
    const size_t at = random.Next() % (list.size() + 1);
    const RankGap gap{at == 0 ? "" : list[at - 1], at == list.size() ? "" : list[at]};
    const auto rank = RankIn(gap, random);
    ASSERT_TRUE(rank);
    ExpectRank(*rank, gap);
    list.insert(list.begin() + static_cast<ptrdiff_t>(at), *rank);
  }
  EXPECT_TRUE(std::ranges::is_sorted(list));
  EXPECT_EQ(std::ranges::adjacent_find(list), list.end());
}

}  // namespace
}  // namespace cairn::nexus
