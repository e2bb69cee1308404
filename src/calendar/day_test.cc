#include "calendar/day.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "base/time_text.h"
#include "calendar/zone.h"

namespace cairn::calendar {
namespace {

using std::chrono::hours;

// Clock changes are those of past years: laws about coming ones still change.
const DayRules kUtc{};
const DayRules kBerlin{.timezone = "Europe/Berlin", .day_start_hour = 0};
const DayRules kBerlinAtTwo{.timezone = "Europe/Berlin", .day_start_hour = 2};

Time At(std::string_view text) { return ParseInstant(text).value(); }

std::string StartOf(std::string_view day, const DayRules& rules) {
  const auto start = DayStart(day, rules);
  return start ? FormatIsoMilliseconds(*start) : start.error().message;
}

TEST(Day, OnlyRealDatesAreDays) {
  for (const auto day : {"2026-11-16", "2024-02-29", "0001-01-01", "9999-12-31"})
    EXPECT_TRUE(IsDay(day)) << day;
  for (const auto text : {"", "2026-11-31", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-16",
                          "2026-11-16Z", "2026/11/16", "0000-01-01", "20261116", "2026-11-1x"}) {
    EXPECT_FALSE(IsDay(text)) << text;
  }
}

TEST(Day, ParseDayRefusesWithTheTextAndAnExample) {
  const auto parsed = ParseDay("tomorrow");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, Code::kInvalidArgument);
  EXPECT_EQ(parsed.error().message, "\"tomorrow\" is no day. Write days like 2026-11-16.");
}

TEST(Day, AddDaysCrossesMonthsYearsAndLeapDays) {
  EXPECT_EQ(AddDays("2026-12-31", 1).value(), "2027-01-01");
  EXPECT_EQ(AddDays("2024-02-28", 1).value(), "2024-02-29");
  EXPECT_EQ(AddDays("2026-03-01", -1).value(), "2026-02-28");
  EXPECT_EQ(AddDays("2026-11-16", 0).value(), "2026-11-16");
}

TEST(Day, AddDaysEndsWithTheCalendar) {
  EXPECT_FALSE(AddDays("9999-12-31", 1));
  EXPECT_FALSE(AddDays("0001-01-01", -1));
  EXPECT_FALSE(AddDays("2026-11-16", std::numeric_limits<int64_t>::max()));
  EXPECT_FALSE(AddDays("2026-11-16", std::numeric_limits<int64_t>::min()));
  EXPECT_EQ(AddDays("0001-01-01", 3'652'058).value(), "9999-12-31");
}

TEST(Day, DaysBetweenHasASign) {
  EXPECT_EQ(DaysBetween("2026-11-16", "2026-11-23").value(), 7);
  EXPECT_EQ(DaysBetween("2026-11-16", "2026-11-15").value(), -1);
  EXPECT_FALSE(DaysBetween("2026-11-16", "x"));
}

TEST(Day, WeekBeginsOnMonday) {
  EXPECT_EQ(WeekOf("2026-11-16").value(), "2026-11-16");  // a Monday
  EXPECT_EQ(WeekOf("2026-11-22").value(), "2026-11-16");  // a Sunday
  EXPECT_EQ(WeekOf("2027-01-01").value(), "2026-12-28");
  EXPECT_EQ(WeekOf("0001-01-01").value(), "0001-01-01");
}

TEST(DayZone, KnowsZonesOfTheDatabaseOnly) {
  for (const auto zone : {"UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"}) {
    EXPECT_TRUE(IsKnownZone(zone)) << zone;
  }
  for (const auto zone : {"", "Mars/Olympus", "localtime", "CET", "posix/Europe/Berlin", "right/UTC",
                          "../etc/passwd", "europe/berlin", "Europe/", "/"}) {
    EXPECT_FALSE(IsKnownZone(zone)) << zone;
  }
}

TEST(DayZone, UnknownZoneIsRefusedEverywhere) {
  const DayRules rules{.timezone = "Mars/Olympus", .day_start_hour = 0};
  EXPECT_EQ(
      StartOf("2026-11-16", rules),
      "There is no time zone \"Mars/Olympus\". Use a name of the IANA database, such as Europe/Berlin.");
  EXPECT_FALSE(DayEnd("2026-11-16", rules));
  EXPECT_FALSE(DayOf(At("2026-11-16T00:00:00Z"), rules));
  EXPECT_FALSE(NextDayStart(At("2026-11-16T00:00:00Z"), rules));
}

TEST(DayZone, StartHourOutsideTheDayIsRefused) {
  EXPECT_FALSE(DayStart("2026-11-16", {.timezone = "UTC", .day_start_hour = 24}));
  EXPECT_FALSE(DayStart("2026-11-16", {.timezone = "UTC", .day_start_hour = -1}));
}

TEST(DayZone, DayStartsAtTheUsersHour) {
  EXPECT_EQ(StartOf("2026-11-16", kUtc), "2026-11-16T00:00:00.000Z");
  EXPECT_EQ(StartOf("2026-11-16", kBerlin), "2026-11-15T23:00:00.000Z");
  EXPECT_EQ(StartOf("2026-11-16", {.timezone = "Asia/Kolkata", .day_start_hour = 4}),
            "2026-11-15T22:30:00.000Z");
  EXPECT_EQ(StartOf("2026-11-16", {.timezone = "Pacific/Kiritimati", .day_start_hour = 0}),
            "2026-11-15T10:00:00.000Z");
}

TEST(DayZone, DayHas23HoursWhenTheClocksGoForward) {
  const auto bounds = BoundsOf("2024-03-31", kBerlin).value();
  EXPECT_EQ(bounds.end - bounds.start, hours(23));
}

TEST(DayZone, DayHas25HoursWhenTheClocksGoBack) {
  const auto bounds = BoundsOf("2024-10-27", kBerlin).value();
  EXPECT_EQ(bounds.end - bounds.start, hours(25));
}

TEST(DayZone, StartHourInTheGapBecomesTheFirstMomentAfter) {
  // At 02:00 the clocks of Berlin show 03:00, which is 01:00 UTC.
  EXPECT_EQ(StartOf("2024-03-31", kBerlinAtTwo), "2024-03-31T01:00:00.000Z");
  EXPECT_EQ(DayOf(At("2024-03-31T00:59:59.999Z"), kBerlinAtTwo).value(), "2024-03-30");
  EXPECT_EQ(DayOf(At("2024-03-31T01:00:00Z"), kBerlinAtTwo).value(), "2024-03-31");
}

TEST(DayZone, MidnightInTheGapBecomesTheFirstMomentAfter) {
  // Lebanon changes its clocks at midnight.
  EXPECT_EQ(StartOf("2024-03-31", {.timezone = "Asia/Beirut", .day_start_hour = 0}),
            "2024-03-30T22:00:00.000Z");
}

TEST(DayZone, StartHourShownTwiceIsTheFirst) {
  EXPECT_EQ(StartOf("2024-10-27", kBerlinAtTwo), "2024-10-27T00:00:00.000Z");
  EXPECT_EQ(DayOf(At("2024-10-26T23:59:59Z"), kBerlinAtTwo).value(), "2024-10-26");
  // 02:30 summer time, then 02:30 winter time: the day that started does not end again.
  EXPECT_EQ(DayOf(At("2024-10-27T00:30:00Z"), kBerlinAtTwo).value(), "2024-10-27");
  EXPECT_EQ(DayOf(At("2024-10-27T01:30:00Z"), kBerlinAtTwo).value(), "2024-10-27");
}

TEST(DayZone, ShownTwiceAcrossMidnightStaysOneDay) {
  // Cuba goes back from 01:00 to 00:00; the first midnight starts the day.
  const DayRules cuba{.timezone = "America/Havana", .day_start_hour = 0};
  EXPECT_EQ(StartOf("2025-11-02", cuba), "2025-11-02T04:00:00.000Z");
  const auto bounds = BoundsOf("2025-11-02", cuba).value();
  EXPECT_EQ(bounds.end - bounds.start, hours(25));
}

TEST(DayZone, SkippedDayIsEmptyAndNobodysDay) {
  // Samoa went from the 29th to the 31st of December 2011.
  const DayRules samoa{.timezone = "Pacific/Apia", .day_start_hour = 0};
  const auto skipped = BoundsOf("2011-12-30", samoa).value();
  EXPECT_EQ(skipped.start, skipped.end);
  EXPECT_EQ(DayOf(skipped.start, samoa).value(), "2011-12-31");
  EXPECT_EQ(DayOf(skipped.start - std::chrono::milliseconds(1), samoa).value(), "2011-12-29");
  EXPECT_EQ(NextDayStart(skipped.start - hours(1), samoa).value(), skipped.start);
}

TEST(DayZone, NextDayStartIsAfterTheMoment) {
  EXPECT_EQ(NextDayStart(At("2026-11-16T00:00:00Z"), kUtc).value(), At("2026-11-17T00:00:00Z"));
  EXPECT_EQ(NextDayStart(At("2026-11-16T23:59:59.999Z"), kUtc).value(), At("2026-11-17T00:00:00Z"));
  EXPECT_EQ(NextDayStart(At("2026-11-16T00:30:00Z"), {.timezone = "UTC", .day_start_hour = 4}).value(),
            At("2026-11-16T04:00:00Z"));
}

TEST(DayZone, CalendarsEndIsRefusedNotWrapped) {
  EXPECT_EQ(DayOf(At("9999-12-31T23:30:00Z"), kUtc).value(), "9999-12-31");
  EXPECT_FALSE(DayOf(At("9999-12-31T23:30:00Z"), kBerlin));
  EXPECT_FALSE(DayOf(At("0001-01-01T00:30:00Z"), {.timezone = "UTC", .day_start_hour = 1}));
}

// Every moment lies in the bounds of its day, and the days join without gap or overlap.
TEST(DayZone, MomentsLieInTheirDayProperty) {
  constexpr std::array kZones{
      "UTC",          "Europe/Berlin",    "America/New_York", "Asia/Kolkata",     "Australia/Lord_Howe",
      "Pacific/Apia", "America/St_Johns", "Asia/Beirut",      "Africa/Casablanca"};
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 3000; ++round) {
    const DayRules rules{.timezone = kZones[random() % kZones.size()],
                         .day_start_hour = static_cast<int>(random() % 24)};
    const Time moment = At("2005-01-01T00:00:00Z") + std::chrono::seconds(random() % (32ull * 365 * 86400));
    const std::string day = DayOf(moment, rules).value();
    const DayBounds bounds = BoundsOf(day, rules).value();
    ASSERT_LE(bounds.start, moment) << day << " " << rules.timezone << " " << rules.day_start_hour;
    ASSERT_LT(moment, bounds.end) << day << " " << rules.timezone << " " << rules.day_start_hour;
    ASSERT_EQ(NextDayStart(moment, rules).value(), bounds.end) << day << " " << rules.timezone;
    ASSERT_EQ(DayStart(AddDays(day, 1).value(), rules).value(), bounds.end);
  }
}

TEST(Instant, OffsetsAndFractionsBecomeTheStoredForm) {
  EXPECT_EQ(NormalInstant("2026-11-16T09:30:00Z").value(), "2026-11-16T09:30:00.000Z");
  EXPECT_EQ(NormalInstant("2026-11-16T09:30:00.5+01:00").value(), "2026-11-16T08:30:00.500Z");
  EXPECT_EQ(NormalInstant("2026-11-16T00:30:00.123999-05:30").value(), "2026-11-16T06:00:00.123Z");
}

TEST(Instant, OtherTextsAreRefused) {
  for (const auto text : {"", "2026-11-16", "2026-11-16T09:30:00", "2026-11-16T09:30Z",
                          "2026-11-16T24:00:00Z", "2026-11-16 09:30:00Z", "2026-11-31T09:30:00Z"}) {
    EXPECT_FALSE(ParseInstant(text)) << text;
  }
}

}  // namespace
}  // namespace cairn::calendar
