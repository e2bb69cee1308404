#include "live/recent_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::live {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RecentEventsTest : public testing::Test {
 protected:
  void Add(uint64_t sequence, std::string room, std::string name) {
    recent_.Add({sequence, 0}, {sequence + 1, 0}, {std::move(room), std::move(name), "{}"});
  }
  std::vector<std::string> Names(std::string_view room, Place from) const {
    std::vector<std::string> names;
    for (const RecentEvents::Kept* kept : recent_.Find(room, from)) names.push_back(kept->event.name);
    return names;
  }

  RecentEvents recent_{{.events_max = 3, .bytes_max = 10'000}};
};

TEST_F(RecentEventsTest, FindsTheEventsOfARoomFromAPlaceOn) {
  recent_.Restart({10, 0});
  Add(11, "a", "first");
  Add(12, "b", "other");
  Add(15, "a", "second");
  EXPECT_THAT(Names("a", {10, 0}), ElementsAre("first", "second"));
  EXPECT_THAT(Names("a", {11, 0}), ElementsAre("first", "second"));
  EXPECT_THAT(Names("a", {12, 0}), ElementsAre("second"));
  EXPECT_THAT(Names("a", {16, 0}), IsEmpty());
  EXPECT_THAT(Names("", {10, 0}), IsEmpty());
  EXPECT_THAT(Names("ab", {10, 0}), IsEmpty());
  EXPECT_EQ(recent_.complete_from(), (Place{10, 0}));
}

TEST_F(RecentEventsTest, OldestGoWhenThereAreTooMany) {
  for (uint64_t sequence = 1; sequence <= 5; ++sequence) Add(sequence, "a", std::to_string(sequence));
  EXPECT_THAT(Names("a", {0, 0}), ElementsAre("3", "4", "5"));
  EXPECT_EQ(recent_.complete_from(), (Place{3, 0}));
}

TEST_F(RecentEventsTest, OldestGoWhenTheyAreTooLarge) {
  Add(1, "a", "small");
  Add(2, "a", std::string(8'000, 'n'));
  EXPECT_EQ(recent_.complete_from(), (Place{0, 0}));
  Add(3, "a", std::string(4'000, 'n'));
  EXPECT_EQ(recent_.complete_from(), (Place{3, 0}));
  Add(4, "a", std::string(20'000, 'n'));  // larger than everything
  EXPECT_EQ(recent_.complete_from(), (Place{5, 0}));
  EXPECT_THAT(Names("a", {0, 0}), IsEmpty());
}

TEST_F(RecentEventsTest, DroppedPartOfARecordIsTold) {
  for (uint64_t i = 0; i < 4; ++i) recent_.Add({7, i}, {7, i + 1}, {"a", std::to_string(i), "{}"});
  EXPECT_EQ(recent_.complete_from(), (Place{7, 1}));
  EXPECT_THAT(Names("a", {7, 2}), ElementsAre("2", "3"));
}

TEST_F(RecentEventsTest, RestartForgetsEverything) {
  Add(1, "a", "old");
  recent_.Restart({50, 0});
  EXPECT_THAT(Names("a", {0, 0}), IsEmpty());
  EXPECT_EQ(recent_.complete_from(), (Place{50, 0}));
}

}  // namespace
}  // namespace cairn::live
