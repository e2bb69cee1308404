#include "live/feed_cursor.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace cairn::live {
namespace {

class FeedCursor : public testing::Test {
 protected:
  SeededRandom random_{3};
  model::CursorSealer sealer_{"secret", random_};
  const FeedPosition position_{.feed = "values", .stream = "2026-11-16T08:00:00.000", .next = {12'345, 6}};
};

TEST_F(FeedCursor, IsOpenedByItsUser) {
  EXPECT_EQ(OpenPosition(sealer_, SealPosition(sealer_, position_, "alice"), "alice"), position_);
  const FeedPosition largest{.feed = "", .stream = "", .next = {UINT64_MAX, UINT64_MAX}};
  EXPECT_EQ(OpenPosition(sealer_, SealPosition(sealer_, largest, "alice"), "alice"), largest);
}

TEST_F(FeedCursor, IsOpenedAfterARestart) {
  const std::string cursor = SealPosition(sealer_, position_, "alice");
  SeededRandom other_random(4);
  EXPECT_EQ(OpenPosition(model::CursorSealer("secret", other_random), cursor, "alice"), position_);
}

TEST_F(FeedCursor, IsRefusedForOthersAndWhenChanged) {
  std::string cursor = SealPosition(sealer_, position_, "alice");
  EXPECT_FALSE(OpenPosition(sealer_, cursor, "bob"));
  EXPECT_FALSE(OpenPosition(sealer_, cursor.substr(1), "alice"));
  cursor[10] = cursor[10] == 'A' ? 'B' : 'A';
  EXPECT_FALSE(OpenPosition(sealer_, cursor, "alice"));
  EXPECT_FALSE(OpenPosition(sealer_, "", "alice"));
  EXPECT_FALSE(OpenPosition(sealer_, "garbage", "alice"));
}

TEST_F(FeedCursor, CursorOfAListIsNone) {
  EXPECT_FALSE(OpenPosition(sealer_, sealer_.Seal("payload", "alice"), "alice"));
}

TEST_F(FeedCursor, TellsNothing) {
  const std::string cursor = SealPosition(sealer_, position_, "alice");
  EXPECT_EQ(cursor.find("12345"), cursor.npos);
  EXPECT_EQ(cursor.find("values"), cursor.npos);
  EXPECT_NE(cursor, SealPosition(sealer_, position_, "alice"));
}

}  // namespace
}  // namespace cairn::live
