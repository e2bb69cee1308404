#include "calendar/series_move.h"

#include <gmock/gmock.h>

#include "base/check.h"

namespace cairn::calendar {
namespace {

using testing::HasSubstr;

LocalTime At(std::string_view text) {
  const auto time = ParseLocal(std::string(text) + (text.size() == 10 ? "T09:00:00" : ""));
  CHECK(time.has_value(), "tests write local times");
  return *time;
}

struct Moved {
  std::string text;  // of the rule, or why not
  LocalTime start;
  std::vector<LocalTime> before, mapped, after;  // occurrences, where they are said to go, and the moved ones
};
Moved Move(const std::string& rrule, std::string_view start, std::string_view at, std::string_view to,
           std::string_view zone = "", std::optional<std::string_view> zone_after = {}) {
  const auto rule = Rule::Parse(rrule, At(start), zone);
  CHECK(rule.has_value(), rrule.c_str());
  const auto move = SeriesMove::Plan(*rule, At(start), At(at), At(to), zone_after.value_or(zone));
  if (!move) return {.text = move.error().message, .start = {}, .before = {}, .mapped = {}, .after = {}};
  Moved moved{.text = move->rule().text(), .start = move->start(), .before = {}, .mapped = {}, .after = {}};
  const LocalTime end = At("2035-01-01");
  moved.before = *Occurrences({*rule, At(start), {}, {}}, kLocalMin, end, 1'000'000);
  moved.after = *Occurrences({move->rule(), move->start(), {}, {}}, kLocalMin, kLocalMax, 1'000'000);
  for (const LocalTime one : moved.before) {
    if (const auto then = move->Map(one)) moved.mapped.push_back(*then);
  }
  return moved;
}

struct Case {
  const char *rule, *start, *at, *to, *expected;
};
class Exact : public testing::TestWithParam<Case> {};
// Every occurrence moves as far as the dragged one, and there is no other.
TEST_P(Exact, EveryOccurrenceMovesAsFar) {
  const Case& c = GetParam();
  const Moved moved = Move(c.rule, c.start, c.at, c.to);
  EXPECT_EQ(moved.text, c.expected);
  std::vector<LocalTime> shifted = moved.before;
  for (LocalTime& time : shifted) time += At(c.to) - At(c.at);
  EXPECT_EQ(moved.after, shifted);
  EXPECT_EQ(moved.mapped, shifted);
}
INSTANTIATE_TEST_SUITE_P(
    Rules, Exact,
    testing::Values(
        Case{"FREQ=DAILY;COUNT=5", "2026-11-16", "2026-11-18", "2026-11-19", "FREQ=DAILY;COUNT=5"},
        Case{"FREQ=WEEKLY;BYDAY=MO;COUNT=4", "2026-11-16", "2026-11-23", "2026-11-24",
             "FREQ=WEEKLY;COUNT=4;BYDAY=TU"},
        Case{"FREQ=WEEKLY;BYDAY=MO,SU;COUNT=9", "2026-11-16", "2026-11-22", "2026-11-23",
             "FREQ=WEEKLY;COUNT=9;BYDAY=MO,TU"},
        Case{"FREQ=WEEKLY;BYDAY=MO,FR;INTERVAL=2;COUNT=9", "2026-11-16", "2026-11-20", "2026-11-21",
             "FREQ=WEEKLY;COUNT=9;INTERVAL=2;BYDAY=TU,SA"},
        Case{"FREQ=WEEKLY;BYDAY=MO,FR;INTERVAL=2;COUNT=9", "2026-11-16", "2026-11-20", "2026-11-23",
             "FREQ=WEEKLY;COUNT=9;INTERVAL=2;BYDAY=MO,TH;WKST=TH"},
        Case{"FREQ=WEEKLY;BYDAY=TU,FR;INTERVAL=2;COUNT=9", "2026-11-17", "2026-11-20", "2026-11-12",
             "FREQ=WEEKLY;COUNT=9;INTERVAL=2;BYDAY=MO,TH"},
        Case{"FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=-1;COUNT=3", "2026-11-16", "2026-11-18", "2026-11-23",
             "FREQ=WEEKLY;COUNT=3;BYDAY=MO,SA,SU;BYSETPOS=-1;WKST=SA"},
        Case{"FREQ=WEEKLY;COUNT=4", "2026-11-16", "2026-11-16", "2026-11-19", "FREQ=WEEKLY;COUNT=4"},
        Case{"FREQ=DAILY;BYDAY=MO,TU;INTERVAL=3;COUNT=5", "2026-11-16", "2026-11-16", "2026-11-14",
             "FREQ=DAILY;COUNT=5;INTERVAL=3;BYDAY=SA,SU"},
        Case{"FREQ=MONTHLY;BYMONTHDAY=10,20;COUNT=6", "2026-11-10", "2026-12-20", "2026-12-24",
             "FREQ=MONTHLY;COUNT=6;BYMONTHDAY=14,24"},
        Case{"FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=6", "2026-11-30", "2026-12-31", "2026-12-29",
             "FREQ=MONTHLY;COUNT=6;BYMONTHDAY=-3"},
        Case{"FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", "2026-11-13", "2026-11-13", "2026-11-14",
             "FREQ=MONTHLY;COUNT=3;BYMONTHDAY=14;BYDAY=SA"},
        Case{"FREQ=MONTHLY;BYDAY=MO;COUNT=30", "2026-11-16", "2026-11-30", "2026-12-01",
             "FREQ=MONTHLY;COUNT=30;BYDAY=TU"},
        Case{"FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=10;COUNT=4", "2026-06-10", "2027-06-10", "2027-06-12",
             "FREQ=YEARLY;COUNT=4;BYMONTHDAY=12;BYMONTH=6"},
        Case{"FREQ=YEARLY;BYYEARDAY=100,200;COUNT=4", "2026-04-10", "2026-04-10", "2026-04-15",
             "FREQ=YEARLY;COUNT=4;BYYEARDAY=105,205"},
        Case{"FREQ=YEARLY;BYYEARDAY=-100;COUNT=4", "2026-09-23", "2026-09-23", "2026-09-24",
             "FREQ=YEARLY;COUNT=4;BYYEARDAY=-99"},
        Case{"FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO,WE;COUNT=4", "2026-05-11", "2026-05-13", "2026-05-22",
             "FREQ=YEARLY;COUNT=4;BYWEEKNO=21;BYDAY=WE,FR"},
        Case{"FREQ=DAILY;BYHOUR=9,14;COUNT=4", "2026-11-16", "2026-11-17", "2026-11-17T10:30:00",
             "FREQ=DAILY;COUNT=4;BYHOUR=10,15"},
        Case{"FREQ=DAILY;BYHOUR=22,23;COUNT=4", "2026-11-16T22:00:00", "2026-11-16T22:00:00",
             "2026-11-17T01:00:00", "FREQ=DAILY;COUNT=4;BYHOUR=1,2"},
        Case{"FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0,30;COUNT=4", "2026-11-16", "2026-11-16",
             "2026-11-17T09:15:00", "FREQ=WEEKLY;COUNT=4;BYMINUTE=15,45;BYHOUR=9;BYDAY=TU"},
        Case{"FREQ=HOURLY;INTERVAL=5;COUNT=9", "2026-11-16", "2026-11-16T14:00:00", "2026-11-16T14:20:00",
             "FREQ=HOURLY;COUNT=9;INTERVAL=5"},
        Case{"FREQ=HOURLY;BYHOUR=9,10,11;COUNT=9", "2026-11-16", "2026-11-16", "2026-11-17T11:00:00",
             "FREQ=HOURLY;COUNT=9;BYHOUR=11,12,13"},
        // The start is no occurrence.
        Case{"FREQ=WEEKLY;BYDAY=MO;COUNT=4", "2026-11-18", "2026-11-23", "2026-11-24",
             "FREQ=WEEKLY;COUNT=4;BYDAY=TU"},
        Case{"FREQ=DAILY;BYMINUTE=0;COUNT=3", "2026-11-16T23:50:00", "2026-11-17T23:00:00",
             "2026-11-17T23:30:00", "FREQ=DAILY;COUNT=3;BYMINUTE=30;BYHOUR=23"},
        // The end moves with the last one, unless it bounds it anyway.
        Case{"FREQ=DAILY;UNTIL=20261120T085959", "2026-11-16", "2026-11-16", "2026-11-16T08:00:00",
             "FREQ=DAILY;UNTIL=20261120T075959"},
        Case{"FREQ=DAILY;UNTIL=20261120T085959", "2026-11-16", "2026-11-16", "2026-11-16T15:00:00",
             "FREQ=DAILY;UNTIL=20261120T085959"},
        Case{"FREQ=WEEKLY;UNTIL=20261231;BYDAY=MO", "2026-11-16", "2026-11-16", "2026-11-17",
             "FREQ=WEEKLY;UNTIL=20261231;BYDAY=TU"},
        Case{"FREQ=WEEKLY;UNTIL=20261228T090000;BYDAY=MO", "2026-11-16", "2026-12-28", "2026-12-29",
             "FREQ=WEEKLY;UNTIL=20261229T090000;BYDAY=TU"}));

class Placed : public testing::TestWithParam<Case> {};
// "The second Monday" becomes "the second Tuesday": the dragged one is where it was dragged to, and in every
// month or year there is one for the one that was.
TEST_P(Placed, TheDraggedOnesPlaceIsTheNewPlace) {
  const Case& c = GetParam();
  const Moved moved = Move(c.rule, c.start, c.at, c.to);
  EXPECT_EQ(moved.text, c.expected);
  EXPECT_THAT(moved.after, testing::Contains(At(c.to)));
  ASSERT_FALSE(moved.mapped.empty());
  EXPECT_EQ(moved.after.front(), moved.start);
  if (moved.mapped.size() == moved.before.size()) {
    EXPECT_EQ(moved.after, moved.mapped);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Rules, Placed,
    testing::Values(
        Case{"FREQ=MONTHLY;BYDAY=2MO;COUNT=12", "2026-09-14", "2026-10-12", "2026-10-13",
             "FREQ=MONTHLY;COUNT=12;BYDAY=2TU"},
        Case{"FREQ=MONTHLY;BYDAY=2MO;COUNT=12", "2026-09-14", "2026-09-14", "2026-09-15",
             "FREQ=MONTHLY;COUNT=12;BYDAY=3TU"},
        Case{"FREQ=MONTHLY;BYDAY=2MO;COUNT=12", "2026-09-14", "2026-10-12", "2026-11-03",
             "FREQ=MONTHLY;COUNT=12;BYDAY=1TU"},
        Case{"FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20270630T090000", "2026-09-25", "2026-10-30", "2026-10-29",
             "FREQ=MONTHLY;UNTIL=20270630T090000;BYDAY=-1TH"},
        Case{"FREQ=MONTHLY;BYDAY=1MO,3MO;COUNT=12", "2026-09-07", "2026-10-05", "2026-10-06",
             "FREQ=MONTHLY;COUNT=12;BYDAY=1TU,3TU"},
        Case{"FREQ=MONTHLY;BYMONTHDAY=28;COUNT=12", "2026-09-28", "2026-10-28", "2026-10-30",
             "FREQ=MONTHLY;COUNT=12;BYMONTHDAY=30"},
        Case{"FREQ=MONTHLY;COUNT=12", "2027-02-28", "2027-03-28", "2027-03-31", "FREQ=MONTHLY;COUNT=12"},
        Case{"FREQ=MONTHLY;BYMONTHDAY=15;COUNT=12", "2026-09-15", "2026-10-15", "2026-11-02",
             "FREQ=MONTHLY;COUNT=12;BYMONTHDAY=2"},
        Case{"FREQ=YEARLY;COUNT=5", "2026-02-28", "2026-02-28", "2026-03-01", "FREQ=YEARLY;COUNT=5"},
        Case{"FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=31;COUNT=5", "2026-12-31", "2027-12-31", "2028-01-01",
             "FREQ=YEARLY;COUNT=5;BYMONTHDAY=1;BYMONTH=1"},
        Case{"FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=5", "2026-11-26", "2026-11-26", "2026-11-27",
             "FREQ=YEARLY;COUNT=5;BYMONTH=11;BYDAY=4FR"},
        Case{"FREQ=YEARLY;BYDAY=20MO;COUNT=5", "2026-05-18", "2026-05-18", "2026-05-19",
             "FREQ=YEARLY;COUNT=5;BYDAY=20TU"},
        Case{"FREQ=MONTHLY;BYDAY=2MO;UNTIL=20270111T090000", "2026-09-14", "2026-10-12", "2026-10-13",
             "FREQ=MONTHLY;UNTIL=20270112T090000;BYDAY=2TU"}));

TEST(SeriesMove, RulesWithoutSuchAFormAreRefused) {
  const Case cases[] = {
      {"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-11-30", "2026-11-30", "2026-11-29", "BYSETPOS"},
      {"FREQ=DAILY;BYMONTH=6", "2026-06-01", "2026-06-05", "2026-06-06", "some months"},
      {"FREQ=MONTHLY;BYMONTHDAY=1,31", "2026-10-01", "2026-10-01", "2026-10-02", "not every month"},
      {"FREQ=MONTHLY;BYDAY=1MO,1TU", "2026-09-01", "2026-09-01", "2026-09-02", "several days"},
      {"FREQ=DAILY;BYHOUR=9,23", "2026-11-16", "2026-11-16", "2026-11-16T12:00:00", "times of the day"},
      {"FREQ=HOURLY;BYDAY=MO", "2026-11-16", "2026-11-16", "2026-11-16T12:00:00", "next day"},
      {"FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,SU", "2025-12-29", "2025-12-29", "2025-12-30", "weeks"}};
  for (const Case& c : cases) {
    EXPECT_THAT(Move(c.rule, c.start, c.at, c.to).text, HasSubstr(c.expected)) << c.rule;
  }
}

TEST(SeriesMove, TheEndIsTheSameWallTimeInAnotherZone) {
  const auto text = [](std::string_view zone, std::string_view after) {
    const std::string until = zone.empty() ? "T090000" : "T080000Z";
    return Move("FREQ=DAILY;UNTIL=20261120" + until, "2026-11-16", "2026-11-17", "2026-11-17", zone, after)
        .text;
  };
  EXPECT_EQ(text("Europe/Berlin", "America/New_York"), "FREQ=DAILY;UNTIL=20261120T140000Z");
  EXPECT_EQ(text("Europe/Berlin", ""), "FREQ=DAILY;UNTIL=20261120T090000");
  EXPECT_EQ(text("", "Europe/Berlin"), "FREQ=DAILY;UNTIL=20261120T080000Z");
}

TEST(SeriesMove, WhatTheRuleDoesNotHaveMovesAsFar) {
  const auto rule = Rule::Parse("FREQ=MONTHLY;BYDAY=2MO", At("2026-09-14"), "");
  const auto move = SeriesMove::Plan(*rule, At("2026-09-14"), At("2026-10-12"), At("2026-10-13"), "");
  ASSERT_TRUE(move);
  EXPECT_EQ(move->Map(At("2026-10-20T12:00:00")), At("2026-10-21T12:00:00"));
  EXPECT_EQ(move->Map(At("2027-03-08")), At("2027-03-09"));
  EXPECT_EQ(move->Map(At("2026-09-14")), At("2026-09-08"));
}

// Of several months in a year, each occurrence goes to the new place in its own month.
TEST(SeriesMove, MonthsWithoutThePlaceDoNotMoveTheOthers) {
  const auto rule = Rule::Parse("FREQ=YEARLY;BYMONTH=2,3;BYMONTHDAY=28;COUNT=6", At("2027-02-28"), "");
  const auto move = SeriesMove::Plan(*rule, At("2027-02-28"), At("2027-03-28"), At("2027-03-30"), "");
  ASSERT_TRUE(move);
  EXPECT_EQ(move->rule().text(), "FREQ=YEARLY;COUNT=6;BYMONTHDAY=30;BYMONTH=2,3");
  EXPECT_EQ(move->start(), At("2027-03-30"));
  EXPECT_EQ(move->Map(At("2027-02-28")), std::nullopt);
  EXPECT_EQ(move->Map(At("2027-03-28")), At("2027-03-30"));
  EXPECT_EQ(move->Map(At("2028-03-28")), At("2028-03-30"));
}

// September has no fifth Monday, and November's is after the end that the series had.
TEST(SeriesMove, TheEndStaysInItsMonthWhereTheLastHasNoPlace) {
  const Moved moved =
      Move("FREQ=MONTHLY;BYDAY=5WE;UNTIL=20271203T090000", "2027-03-31", "2027-03-31", "2027-03-29");
  EXPECT_EQ(moved.text, "FREQ=MONTHLY;UNTIL=20270930T235959;BYDAY=5MO");
  EXPECT_EQ(moved.after, (std::vector{At("2027-03-29"), At("2027-05-31"), At("2027-08-30")}));
}

TEST(SeriesMove, ADateOfTheYearMovesOverNewYear) {
  const auto rule = Rule::Parse("FREQ=YEARLY;INTERVAL=2;BYMONTH=12;BYMONTHDAY=31", At("2027-12-31"), "");
  const auto move = SeriesMove::Plan(*rule, At("2027-12-31"), At("2029-12-31"), At("2030-01-01"), "");
  ASSERT_TRUE(move);
  EXPECT_EQ(move->rule().text(), "FREQ=YEARLY;INTERVAL=2;BYMONTHDAY=1;BYMONTH=1");
  EXPECT_EQ(move->start(), At("2028-01-01"));
  EXPECT_EQ(move->Map(At("2031-12-31")), At("2032-01-01"));
}

}  // namespace
}  // namespace cairn::calendar
