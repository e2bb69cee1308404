#include "domains/nexus/times.h"

#include <gmock/gmock.h>

namespace cairn::nexus {
namespace {

GivenTimes Local(const char* start, const char* end, std::optional<std::string> zone = {}) {
  GivenTimes given;
  given.start_local = start;
  given.end_local = end;
  given.tzid = std::move(zone);
  return given;
}

Times Made(const GivenTimes& given) {
  auto times = MakeTimes(given);
  EXPECT_TRUE(times) << (times ? "" : times.error().message);
  return times ? *times : Times();
}

TEST(Times, WallAndInstantGoTogether) {
  const Times summer = Made(Local("2026-07-01T09:00:00", "2026-07-01T10:00:00", "Europe/Berlin"));
  EXPECT_EQ(summer.start_utc, "2026-07-01T07:00:00Z");
  const Times floating = Made(Local("2026-07-01T09:00:00", "2026-07-01T10:00:00"));
  EXPECT_EQ(floating.start_utc, "2026-07-01T09:00:00Z");
  EXPECT_TRUE(floating.is_floating());
}

TEST(Times, HoursStayHoursAndDaysStayDaysOverTheChangeOfTheClocks) {
  // The clocks go back in the night to the 25th of October.
  const Times meeting = Made(Local("2026-10-20T22:00:00", "2026-10-20T23:30:00", "Europe/Berlin"));
  const Times night = Made(Local("2026-10-20T22:00:00", "2026-10-21T07:00:00", "Europe/Berlin"));
  const Times trip = Made(Local("2026-10-20T09:00:00", "2026-10-22T09:00:00", "Europe/Berlin"));
  const auto at = [](const char* local) { return *calendar::ParseLocal(local); };
  const auto late = TimesAt(at("2026-10-25T01:30:00"), meeting);
  ASSERT_TRUE(late);
  EXPECT_EQ(DurationOf(*late), std::chrono::minutes(90));
  EXPECT_EQ(late->end_local, "2026-10-25T02:00:00");  // by the wall clock only half an hour
  const auto away = TimesAt(at("2026-10-24T09:00:00"), trip);
  ASSERT_TRUE(away);
  EXPECT_EQ(away->end_local, "2026-10-26T09:00:00");
  EXPECT_EQ(DurationOf(*away), std::chrono::hours(49));
  const auto over = TimesAt(at("2026-10-24T22:00:00"), night);
  ASSERT_TRUE(over);
  EXPECT_EQ(over->end_local, "2026-10-25T07:00:00");
}

TEST(Times, TheEndCannotComeFirst) {
  for (const char* end : {"2026-07-01T09:00:00", "2026-07-01T08:00:00"}) {
    const auto times = MakeTimes(Local("2026-07-01T09:00:00", end));
    ASSERT_FALSE(times);
    EXPECT_EQ(times.error().fields.at(0).field, "endUtc");
  }
  // Also by the clock: from the first to the second pass of half past two an hour goes by, but not back.
  GivenTimes backwards = Local("2026-10-25T02:45:00", "2026-10-25T02:30:00", "Europe/Berlin");
  EXPECT_FALSE(MakeTimes(backwards));
}

TEST(Times, ResizingKeepsTheStart) {
  const Times before = Made(Local("2026-07-01T09:00:00", "2026-07-01T10:00:00", "Europe/Berlin"));
  GivenTimes change;
  change.end_utc = "2026-07-01T09:15:00Z";
  const auto after = ChangeTimes(before, change);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->start_utc, before.start_utc);
  EXPECT_EQ(after->end_local, "2026-07-01T11:15:00");
}

TEST(Times, ShownWhereTheViewerIs) {
  const Times floating = Made(Local("2026-07-01T07:00:00", "2026-07-01T08:00:00"));
  const auto tokyo = SpanIn(floating, "Asia/Tokyo");
  const auto utc = SpanIn(floating, "UTC");
  ASSERT_TRUE(tokyo && utc);
  EXPECT_EQ(utc->start - tokyo->start, std::chrono::hours(9));
  EXPECT_FALSE(SpanIn(floating, "Mars/Olympus"));
}

}  // namespace
}  // namespace cairn::nexus
