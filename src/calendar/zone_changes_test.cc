#include "calendar/zone_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::calendar {
namespace {

using std::chrono::hours;
using std::chrono::sys_days;
using std::chrono::year;

sys_days FirstDayOf(int y) { return sys_days(year(y) / std::chrono::January / 1); }

TEST(ZoneChanges, OfAYearInBerlin) {
  const auto berlin = ZoneChanges("Europe/Berlin", FirstDayOf(2026), FirstDayOf(2027));
  ASSERT_TRUE(berlin);
  EXPECT_EQ(berlin->offset_at_start, hours(1));
  EXPECT_THAT(
      berlin->changes,
      testing::ElementsAre(ZoneChange{sys_days(year(2026) / 3 / 29) + hours(1), hours(1), hours(2)},
                           ZoneChange{sys_days(year(2026) / 10 / 25) + hours(1), hours(2), hours(1)}));
}

TEST(ZoneChanges, AfterTheYearsThatTheFileLists) {
  const auto berlin = ZoneChanges("Europe/Berlin", FirstDayOf(2400), FirstDayOf(2410));
  ASSERT_TRUE(berlin);
  EXPECT_EQ(berlin->changes.size(), 20u);
}

TEST(ZoneChanges, ADayThatNeverWas) {
  const auto apia = ZoneChanges("Pacific/Apia", sys_days(year(2011) / 12 / 1), FirstDayOf(2012));
  ASSERT_TRUE(apia);
  ASSERT_EQ(apia->changes.size(), 1u);
  EXPECT_EQ(apia->changes[0].after - apia->changes[0].before, hours(24));
}

TEST(ZoneChanges, NoneWhereClocksStay) {
  const auto tokyo = ZoneChanges("Asia/Tokyo", FirstDayOf(2000), FirstDayOf(2030));
  ASSERT_TRUE(tokyo);
  EXPECT_THAT(tokyo->changes, testing::IsEmpty());
  EXPECT_FALSE(ZoneChanges("Mars/Olympus", FirstDayOf(2000), FirstDayOf(2030)));
}

}  // namespace
}  // namespace cairn::calendar
