#include "calendar/zone.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/time_text.h"
#include "calendar/internal/zone_tail.h"

namespace cairn::calendar {
namespace {

std::string InstantOf(std::string_view local, std::string_view zone) {
  const auto instant = ToInstant(ParseLocal(local).value(), zone);
  return instant ? FormatIsoMilliseconds(*instant).substr(0, 19) : instant.error().message;
}

std::string LocalOf(std::string_view utc, std::string_view zone) {
  const auto local = ToLocal(Time(ParseLocal(utc).value().time_since_epoch()), zone);
  return local ? FormatLocal(*local) : local.error().message;
}

TEST(LocalTime, IsReadAndWrittenInOneForm) {
  for (const auto text :
       {"2026-11-16T09:00:00", "2024-02-29T23:59:59", "0001-01-01T00:00:00", "9999-12-31T23:59:59"})
    EXPECT_EQ(FormatLocal(ParseLocal(text).value()), text);
  for (const auto text : {"", "2026-11-16", "2026-11-16T09:00", "2026-11-16T09:00:00Z", "2026-11-16T24:00:00",
                          "2026-02-29T00:00:00", "2026-11-16 09:00:00", "2026-11-16T09:00:60",
                          "0000-01-01T00:00:00", "2026-11-16T09:00:0Z"}) {
    const auto parsed = ParseLocal(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, Code::kInvalidArgument);
  }
}

TEST(Zone, AbbreviationsAndOffsetsAreNoZones) {
  for (const auto zone : {"UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kathmandu"})
    EXPECT_TRUE(IsKnownZone(zone)) << zone;
  for (const auto zone : {"", "EST", "CET", "+01:00", "UTC+1", "GMT", "Z", "localtime", "Europe/berlin",
                          "Mars/Olympus", "../../etc/passwd", "/etc/passwd"}) {
    EXPECT_FALSE(IsKnownZone(zone)) << zone;
    EXPECT_EQ(ToInstant(kLocalMin, zone).error().code, Code::kInvalidArgument);
    EXPECT_EQ(ToLocal(Time{}, zone).error().code, Code::kInvalidArgument);
  }
}

TEST(Zone, SkippedTimeIsShiftedForwardByTheGap) {
  EXPECT_EQ(InstantOf("2024-03-31T01:59:59", "Europe/Berlin"), "2024-03-31T00:59:59");
  EXPECT_EQ(InstantOf("2024-03-31T02:00:00", "Europe/Berlin"), "2024-03-31T01:00:00");
  EXPECT_EQ(InstantOf("2024-03-31T02:30:00", "Europe/Berlin"), "2024-03-31T01:30:00");  // shown as 03:30
  EXPECT_EQ(InstantOf("2024-03-31T03:00:00", "Europe/Berlin"), "2024-03-31T01:00:00");
  EXPECT_EQ(InstantOf("2024-03-10T02:30:00", "America/New_York"), "2024-03-10T07:30:00");
  EXPECT_EQ(InstantOf("2024-10-06T02:15:00", "Australia/Lord_Howe"), "2024-10-05T15:45:00");  // half an hour
  EXPECT_EQ(InstantOf("2011-12-30T12:00:00", "Pacific/Apia"), "2011-12-30T22:00:00");         // a whole day
}

TEST(Zone, TimeShownTwiceIsTheFirst) {
  EXPECT_EQ(InstantOf("2024-10-27T01:59:59", "Europe/Berlin"), "2024-10-26T23:59:59");
  EXPECT_EQ(InstantOf("2024-10-27T02:30:00", "Europe/Berlin"), "2024-10-27T00:30:00");
  EXPECT_EQ(InstantOf("2024-10-27T03:00:00", "Europe/Berlin"), "2024-10-27T02:00:00");
  EXPECT_EQ(InstantOf("2024-11-03T01:30:00", "America/New_York"), "2024-11-03T05:30:00");
  EXPECT_EQ(InstantOf("2024-04-07T01:45:00", "Australia/Lord_Howe"), "2024-04-06T14:45:00");
}

TEST(Zone, NotAfterEndsBeforeTheGap) {
  const auto at = [](std::string_view text) {
    return FormatIsoMilliseconds(ToInstantNotAfter(ParseLocal(text).value(), "Europe/Berlin").value())
        .substr(0, 19);
  };
  EXPECT_EQ(at("2024-03-31T02:30:00"), "2024-03-31T00:59:59");
  EXPECT_EQ(at("2024-03-31T03:00:00"), "2024-03-31T01:00:00");
  EXPECT_EQ(at("2024-10-27T02:30:00"), "2024-10-27T00:30:00");
}

TEST(Zone, InstantsHaveOneWallTime) {
  EXPECT_EQ(LocalOf("2024-03-31T00:59:59", "Europe/Berlin"), "2024-03-31T01:59:59");
  EXPECT_EQ(LocalOf("2024-03-31T01:00:00", "Europe/Berlin"), "2024-03-31T03:00:00");
  EXPECT_EQ(LocalOf("2024-10-27T00:30:00", "Europe/Berlin"), "2024-10-27T02:30:00");
  EXPECT_EQ(LocalOf("2024-10-27T01:30:00", "Europe/Berlin"), "2024-10-27T02:30:00");
  EXPECT_EQ(LocalOf("2026-11-16T09:00:00", "Asia/Kathmandu"), "2026-11-16T14:45:00");
}

TEST(Zone, ClocksGoOnBeingChangedAfter2037) {
  EXPECT_EQ(LocalOf("2037-07-01T12:00:00", "Europe/Berlin"), "2037-07-01T14:00:00");
  for (const auto year : {"2038", "2040", "2059", "2100", "2437", "2438", "2440", "5000", "9998"}) {
    const std::string summer = std::string(year) + "-07-01T12:00:00",
                      winter = std::string(year) + "-12-01T12:00:00";
    EXPECT_EQ(LocalOf(summer, "Europe/Berlin").substr(11), "14:00:00") << year;
    EXPECT_EQ(LocalOf(winter, "Europe/Berlin").substr(11), "13:00:00") << year;
    EXPECT_EQ(LocalOf(summer, "Australia/Sydney").substr(11), "22:00:00") << year;
    EXPECT_EQ(LocalOf(winter, "Australia/Sydney").substr(11), "23:00:00") << year;
  }
  // 2040: the last Sundays of March and October are the 25th and the 28th.
  EXPECT_EQ(InstantOf("2040-03-25T02:30:00", "Europe/Berlin"), "2040-03-25T01:30:00");
  EXPECT_EQ(LocalOf("2040-03-25T01:00:00", "Europe/Berlin"), "2040-03-25T03:00:00");
  EXPECT_EQ(InstantOf("2040-10-28T02:30:00", "Europe/Berlin"), "2040-10-28T00:30:00");
  // The same dates 400 years later.
  EXPECT_EQ(LocalOf("2440-03-25T01:00:00", "Europe/Berlin"), "2440-03-25T03:00:00");
  EXPECT_EQ(LocalOf("2440-03-25T00:59:59", "Europe/Berlin"), "2440-03-25T01:59:59");
}

// An equivalent year of the past would bring back laws that were abolished since: 2040 is like 2012.
TEST(Zone, LawsThatWereAbolishedStayAbolishedAfter2037) {
  EXPECT_EQ(LocalOf("2040-07-01T12:00:00", "Europe/Moscow"), "2040-07-01T15:00:00");
  EXPECT_EQ(LocalOf("2040-07-01T12:00:00", "America/Mexico_City"), "2040-07-01T06:00:00");
  EXPECT_EQ(LocalOf("2040-01-01T12:00:00", "Europe/Istanbul"), "2040-01-01T15:00:00");
}

TEST(Zone, TheFarPastHasTheSunsTime) {
  EXPECT_EQ(LocalOf("1800-01-01T12:00:00", "Europe/Berlin"), "1800-01-01T12:53:28");
  EXPECT_EQ(InstantOf("0001-01-02T00:53:28", "Europe/Berlin"), "0001-01-02T00:00:00");
}

TEST(Zone, CalendarsEndIsRefused) {
  EXPECT_EQ(InstantOf("9999-12-31T23:59:59", "UTC"), "9999-12-31T23:59:59");
  EXPECT_FALSE(ToInstant(kLocalMin, "Europe/Berlin"));
  EXPECT_FALSE(ToInstant(kLocalMax, "America/New_York"));
  EXPECT_FALSE(ToLocal(Time(kLocalMax.time_since_epoch()), "Europe/Berlin"));
}

TEST(Zone, AreReadByManyThreadsAtOnce) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] {
      for (const auto zone :
           {"Europe/Paris", "Europe/Rome", "Asia/Tokyo", "America/Chicago", "Africa/Cairo"}) {
        for (int hour = 0; hour < 100; ++hour) {
          const LocalTime local = ParseLocal("2026-11-16T00:00:00").value() + std::chrono::hours(hour);
          EXPECT_EQ(ToLocal(ToInstant(local, zone).value(), zone).value(), local);
        }
      }
    });
  }
}

TEST(ZoneTail, RulesOfEveryForm) {
  using std::chrono::seconds;
  const auto at = [](std::string_view text) {
    return std::chrono::sys_seconds(ParseLocal(text).value().time_since_epoch());
  };
  EXPECT_EQ(ChangesByTail("CET-1CEST,M3.5.0,M10.5.0/3", 2026, 2026),
            (std::vector<OffsetChange>{{at("2026-03-29T01:00:00"), seconds(7200)},
                                       {at("2026-10-25T01:00:00"), seconds(3600)}}));
  // Greenland: the day before, at an hour below zero.
  EXPECT_EQ(ChangesByTail("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2026, 2026),
            (std::vector<OffsetChange>{{at("2026-03-29T01:00:00"), seconds(-3600)},
                                       {at("2026-10-25T01:00:00"), seconds(-7200)}}));
  // Days counted without and with 29 February.
  EXPECT_EQ(ChangesByTail("A0B-0:30,J60/0,300/0", 2024, 2024),
            (std::vector<OffsetChange>{{at("2024-03-01T00:00:00"), seconds(1800)},
                                       {at("2024-10-26T23:30:00"), seconds(0)}}));
  for (const auto text : {"", "UTC0", "<+03>-3", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
                          "CET-1CEST,M3.5.0,M10.5.0x", "<+03", "1", "A0B,M3.6.0,J400", "A0B,,"}) {
    EXPECT_TRUE(ChangesByTail(text, 2026, 2026).empty()) << text;
  }
}

}  // namespace
}  // namespace cairn::calendar
