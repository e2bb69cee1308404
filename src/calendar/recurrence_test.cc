#include "calendar/recurrence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "base/time_text.h"

namespace cairn::calendar {
namespace {

using std::chrono::days;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

LocalTime At(std::string_view text) { return ParseLocal(text).value(); }

Rule RuleOf(std::string_view rrule, std::string_view zone = "") {
  auto rule = Rule::Parse(rrule, At("2026-11-16T09:00:00"), zone);
  EXPECT_TRUE(rule) << rrule << ": " << rule.error().message;
  return *rule;
}

std::string Refusal(std::string_view rrule, std::string_view zone = "") {
  const auto rule = Rule::Parse(rrule, At("2026-11-16T09:00:00"), zone);
  if (rule) return "accepted as " + rule->text();
  EXPECT_EQ(rule.error().code, Code::kInvalidArgument);
  return rule.error().message;
}

std::vector<std::string> Texts(const Result<std::vector<LocalTime>>& times) {
  if (!times) return {times.error().message};
  std::vector<std::string> texts;
  for (const LocalTime time : *times) texts.push_back(FormatLocal(time));
  return texts;
}

std::vector<std::string> Expand(std::string_view rrule, std::string_view start, std::string_view from,
                                std::string_view to) {
  return Texts(Occurrences({.rule = RuleOf(rrule), .start = At(start)}, At(from), At(to), 1000));
}

// ---- Rules as text

TEST(RuleText, HasOneForm) {
  EXPECT_EQ(RuleOf("freq=weekly;byday=fr,mo,Mo;wkst=mo;interval=1").text(), "FREQ=WEEKLY;BYDAY=MO,FR");
  EXPECT_EQ(RuleOf("RRULE:FREQ=MONTHLY;BYDAY=+2TU,-1FR;COUNT=10;INTERVAL=2").text(),
            "FREQ=MONTHLY;COUNT=10;INTERVAL=2;BYDAY=-1FR,2TU");
  EXPECT_EQ(RuleOf("WKST=SU;BYSETPOS=-1;BYHOUR=9,8;BYDAY=MO;FREQ=YEARLY;BYMONTH=2").text(),
            "FREQ=YEARLY;BYHOUR=8,9;BYMONTH=2;BYDAY=MO;BYSETPOS=-1;WKST=SU");
  EXPECT_EQ(RuleOf("FREQ=DAILY;COUNT=2;").text(), "FREQ=DAILY;COUNT=2") << "seen in the wild";
  EXPECT_EQ(RuleOf("FREQ=DAILY;BYSECOND=59,60").text(), "FREQ=DAILY;BYSECOND=59") << "no leap seconds";
}

TEST(RuleText, IsTakenBack) {
  for (const auto text :
       {"FREQ=SECONDLY;COUNT=5;INTERVAL=7", "FREQ=YEARLY;BYWEEKNO=-1,1,53;BYDAY=MO;WKST=SU",
        "FREQ=YEARLY;UNTIL=20301231T090000Z;BYYEARDAY=-366,1", "FREQ=HOURLY;BYMONTHDAY=-31,31"}) {
    const Rule rule = RuleOf(text, "Europe/Berlin");
    EXPECT_EQ(rule.text(), text);
    EXPECT_EQ(RuleOf(rule.text(), "Europe/Berlin"), rule);
  }
}

TEST(RuleText, WhatTheRfcForbidsIsRefusedWithASentence) {
  EXPECT_THAT(Refusal(""), HasSubstr("is empty"));
  EXPECT_THAT(Refusal("RRULE:"), HasSubstr("is empty"));
  EXPECT_THAT(Refusal("INTERVAL=2"), HasSubstr("needs FREQ"));
  EXPECT_EQ(
      Refusal("FREQ=FORTNIGHTLY"),
      "FREQ is one of SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY and YEARLY, not \"FORTNIGHTLY\".");
  EXPECT_EQ(Refusal("FREQ=DAILY;FREQ=DAILY"), "FREQ stands in the rule twice.");
  EXPECT_EQ(Refusal("FREQ=DAILY;X=1"), "\"X\" is no part of a recurrence rule.");
  EXPECT_THAT(Refusal("FREQ=DAILY;;"), HasSubstr("\"\" is no part"));
  EXPECT_THAT(Refusal("FREQ=DAILY;COUNT"), HasSubstr("\"COUNT\" is no part"));
  EXPECT_THAT(Refusal("FREQ=DAILY;=1"), HasSubstr("is no part"));
  EXPECT_THAT(Refusal("FREQ=DAILY;RSCALE=HEBREW"), HasSubstr("Gregorian"));
  EXPECT_EQ(Refusal("FREQ=DAILY;COUNT=1;UNTIL=20270101"), "A rule has COUNT or UNTIL, not both.");
  EXPECT_EQ(Refusal("FREQ=DAILY;INTERVAL=0"), "INTERVAL is a whole number from 1 to 999999999, not \"0\".");
  for (const auto value : {"", "-1", "+1", "1000000000", "99999999999999999999", "0x1", "1,2"}) {
    EXPECT_THAT(Refusal(std::string("FREQ=DAILY;INTERVAL=") + value), HasSubstr("INTERVAL")) << value;
    EXPECT_THAT(Refusal(std::string("FREQ=DAILY;COUNT=") + value), HasSubstr("COUNT")) << value;
  }
  EXPECT_EQ(Refusal("FREQ=WEEKLY;BYDAY=2MO"),
            "Numbered days in BYDAY, such as 2MO, go with FREQ=MONTHLY and YEARLY only.");
  EXPECT_THAT(Refusal("FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO"), HasSubstr("do not go with BYWEEKNO"));
  EXPECT_THAT(Refusal("FREQ=MONTHLY;BYWEEKNO=20"), HasSubstr("FREQ=YEARLY only"));
  for (const auto frequency : {"DAILY", "WEEKLY", "MONTHLY"})
    EXPECT_THAT(Refusal(std::string("FREQ=") + frequency + ";BYYEARDAY=1"),
                HasSubstr("BYYEARDAY does not go"));
  EXPECT_THAT(Refusal("FREQ=WEEKLY;BYMONTHDAY=1"), HasSubstr("BYMONTHDAY does not go"));
  EXPECT_THAT(Refusal("FREQ=MONTHLY;BYSETPOS=1"), HasSubstr("there is none"));
}

TEST(RuleText, ValuesOutOfRangeAreRefused) {
  for (const auto part :
       {"BYSECOND=61",   "BYSECOND=-1", "BYMINUTE=60",  "BYHOUR=24",     "BYHOUR=",
        "BYHOUR=1,",     "BYHOUR=,1",   "BYMONTHDAY=0", "BYMONTHDAY=32", "BYMONTHDAY=-32",
        "BYYEARDAY=367", "BYYEARDAY=0", "BYWEEKNO=54",  "BYWEEKNO=0",    "BYMONTH=13",
        "BYMONTH=0",     "BYMONTH=-1",  "BYSETPOS=0",   "BYSETPOS=367",  "BYDAY=XX",
        "BYDAY=0MO",     "BYDAY=54MO",  "BYDAY=M",      "BYDAY=",        "BYDAY=-MO",
        "BYDAY=1.MO",    "WKST=XX",     "WKST=",        "BYHOUR=--1",    "BYMONTHDAY=+-1"}) {
    EXPECT_THAT(Refusal(std::string("FREQ=YEARLY;") + part), testing::Not(HasSubstr("accepted"))) << part;
  }
}

TEST(RuleText, NonsenseIsRefusedWithoutEchoingIt) {
  for (const std::string& text :
       {std::string("FREQ=DAILY\0", 11), std::string("\xff\xfe"), std::string("FREQ=DAILY\r\n"),
        std::string("FREQ = DAILY"), std::string("FREQ=DAILY;X=\xc3\xa4")}) {
    EXPECT_EQ(Refusal(text), "A recurrence rule has only letters, digits and = ; , + -");
  }
  EXPECT_EQ(Refusal("FREQ=DAILY;BYHOUR=" + std::string(2000, '1')),
            "A recurrence rule has at most 2000 characters.");
  EXPECT_LT(Refusal("FREQ=DAILY;" + std::string(1500, 'A') + "=1").size(), 120u);
}

TEST(RuleText, EndIsInUtcWithAZoneAndLocalWithout) {
  const Rule zoned = RuleOf("FREQ=DAILY;UNTIL=20270101T080000Z", "Europe/Berlin");
  EXPECT_EQ(zoned.until(), At("2027-01-01T09:00:00"));
  EXPECT_EQ(zoned.text(), "FREQ=DAILY;UNTIL=20270101T080000Z");
  EXPECT_EQ(RuleOf("FREQ=DAILY;UNTIL=20270101T090000", "Europe/Berlin"), zoned) << "taken as the zone's time";
  EXPECT_EQ(RuleOf("FREQ=DAILY;UNTIL=20270101", "Europe/Berlin").text(), "FREQ=DAILY;UNTIL=20270101T225959Z");
  const Rule floating = RuleOf("FREQ=DAILY;UNTIL=20270101T090000");
  EXPECT_EQ(floating.until(), At("2027-01-01T09:00:00"));
  EXPECT_EQ(floating.text(), "FREQ=DAILY;UNTIL=20270101T090000");
  const Rule by_date = RuleOf("FREQ=DAILY;UNTIL=20270101");
  EXPECT_EQ(by_date.until(), At("2027-01-01T23:59:59"));
  EXPECT_EQ(by_date.text(), "FREQ=DAILY;UNTIL=20270101");
  EXPECT_THAT(Refusal("FREQ=DAILY;UNTIL=20270101T080000Z"), HasSubstr("without the Z"));
  for (const auto value : {"", "Z", "2027", "20270230", "20270101T250000Z", "20270101T0800",
                           "20270101T080000ZZ", "20270101Z", "00000101", "2027010-", "20270101T08-000"}) {
    EXPECT_THAT(Refusal(std::string("FREQ=DAILY;UNTIL=") + value, "UTC"), HasSubstr("UNTIL is a time like"))
        << value;
  }
  EXPECT_THAT(Refusal("FREQ=DAILY", "Mars/Olympus"), HasSubstr("no time zone"));
}

TEST(RuleText, EndInTheSecondPassKeepsWhatHappenedInTheFirst) {
  // 01:15 UTC is the second 02:15 in Berlin; 02:30 was shown before it.
  EXPECT_EQ(RuleOf("FREQ=DAILY;UNTIL=20241027T011500Z", "Europe/Berlin").until(), At("2024-10-27T02:59:59"));
  EXPECT_EQ(RuleOf("FREQ=DAILY;UNTIL=20241027T001500Z", "Europe/Berlin").until(), At("2024-10-27T02:15:00"));
}

TEST(RuleText, KnowsWhetherItEnds) {
  EXPECT_FALSE(RuleOf("FREQ=DAILY").has_times());
  EXPECT_TRUE(RuleOf("FREQ=HOURLY").has_times());
  EXPECT_TRUE(RuleOf("FREQ=DAILY;BYMINUTE=1").has_times());
  EXPECT_TRUE(RuleOf("FREQ=DAILY").is_endless());
  EXPECT_EQ(RuleOf("FREQ=DAILY;COUNT=3").count(), 3);
  EXPECT_FALSE(RuleOf("FREQ=DAILY;COUNT=3").is_endless());
  EXPECT_FALSE(RuleOf("FREQ=DAILY;UNTIL=20270101").is_endless());
}

// ---- A series cut in two

TEST(RuleSplit, EndingBeforeIsExclusiveAndDropsCount) {
  const Rule rule = RuleOf("FREQ=DAILY;COUNT=10", "Europe/Berlin");
  const Rule ending = EndingBefore(rule, At("2026-11-20T09:00:00"));
  EXPECT_EQ(ending.text(), "FREQ=DAILY;UNTIL=20261120T075959Z");
  EXPECT_EQ(RuleOf(ending.text(), "Europe/Berlin"), ending);
  EXPECT_EQ(
      Occurrences({.rule = ending, .start = At("2026-11-16T09:00:00")}, kLocalMin, kLocalMax, 100)->size(),
      4u);
  EXPECT_EQ(EndingBefore(RuleOf("FREQ=DAILY"), At("2026-11-20T00:00:00")).text(),
            "FREQ=DAILY;UNTIL=20261119T235959");
}

TEST(RuleSplit, EndingBeforeNeverProlongs) {
  const Rule rule = RuleOf("FREQ=DAILY;UNTIL=20261118T080000Z", "Europe/Berlin");
  EXPECT_EQ(EndingBefore(rule, At("2027-01-01T00:00:00")), rule);
}

TEST(RuleSplit, EndingBeforeATimeNextToAGapExcludesIt) {
  // A second before 03:00 the clocks show 01:59:59; taken as 03:59:59 the cut would be too late.
  const Rule ending = EndingBefore(RuleOf("FREQ=HOURLY", "Europe/Berlin"), At("2024-03-31T03:00:00"));
  EXPECT_EQ(ending.text(), "FREQ=HOURLY;UNTIL=20240331T005959Z");
  EXPECT_EQ(RuleOf(ending.text(), "Europe/Berlin"), ending);
}

TEST(RuleSplit, EndingBeforeHoldsAtTheEndsOfTheCalendar) {
  for (const auto zone : {"", "UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"}) {
    for (const LocalTime time : {LocalTime::min(), kLocalMin, kLocalMax, LocalTime::max()}) {
      const Rule ending = EndingBefore(RuleOf("FREQ=DAILY", zone), time);
      ASSERT_TRUE(ending.until()) << zone;
      EXPECT_LT(*ending.until(), std::max(time, kLocalMin + seconds(1)));
    }
  }
}

TEST(RuleSplit, PartsTogetherAreTheWhole) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (const auto text : {"FREQ=DAILY;COUNT=40", "FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=31;INTERVAL=2",
                          "FREQ=MONTHLY;BYDAY=-1FR;COUNT=20", "FREQ=YEARLY;BYMONTHDAY=29;BYMONTH=2;COUNT=5",
                          "FREQ=HOURLY;INTERVAL=5;COUNT=300;BYMINUTE=0,30"}) {
    const Series whole{.rule = RuleOf(text, "Europe/Berlin"), .start = At("2024-02-29T09:00:00")};
    const auto all = Occurrences(whole, kLocalMin, kLocalMax, 1000).value();
    ASSERT_EQ(static_cast<int64_t>(all.size()), whole.rule.count()) << text;
    const size_t cut = 1 + random() % (all.size() - 1);
    EXPECT_EQ(CountBefore(whole.rule, whole.start, all[cut]).value(), static_cast<int64_t>(cut));
    const Series first{.rule = EndingBefore(whole.rule, all[cut]), .start = whole.start};
    auto joined = Occurrences(first, kLocalMin, kLocalMax, 1000).value();
    EXPECT_EQ(joined.size(), cut);
    const auto rest = Continuing(whole.rule, static_cast<int64_t>(cut)).value();
    EXPECT_EQ(rest.count(), *whole.rule.count() - static_cast<int64_t>(cut));
    for (size_t i = joined.size(); i < all.size(); ++i) joined.push_back(all[i]);
    EXPECT_EQ(joined, all) << text;
  }
}

TEST(RuleSplit, ContinuingEndsWhenNothingIsLeft) {
  EXPECT_EQ(Continuing(RuleOf("FREQ=DAILY;COUNT=3"), 1)->text(), "FREQ=DAILY;COUNT=2");
  EXPECT_FALSE(Continuing(RuleOf("FREQ=DAILY;COUNT=3"), 3));
  EXPECT_EQ(Continuing(RuleOf("FREQ=DAILY"), 3)->text(), "FREQ=DAILY");
  EXPECT_EQ(Continuing(RuleOf("FREQ=DAILY;COUNT=3"), 0)->text(), "FREQ=DAILY;COUNT=3");
}

// ---- Occurrences; cases of every BY part are in tests/recurrence

TEST(Occurrences, WindowIsHalfOpen) {
  EXPECT_THAT(Expand("FREQ=DAILY", "2026-11-16T09:00:00", "2026-11-17T09:00:00", "2026-11-19T09:00:00"),
              ElementsAre("2026-11-17T09:00:00", "2026-11-18T09:00:00"));
  EXPECT_THAT(Expand("FREQ=DAILY", "2026-11-16T09:00:00", "2026-11-17T09:00:00", "2026-11-17T09:00:00"),
              IsEmpty());
  EXPECT_THAT(Expand("FREQ=DAILY", "2026-11-16T09:00:00", "2026-11-18T00:00:00", "2026-11-17T00:00:00"),
              IsEmpty());
  EXPECT_THAT(Expand("FREQ=DAILY", "2026-11-16T09:00:00", "2020-01-01T00:00:00", "2026-11-16T09:00:01"),
              ElementsAre("2026-11-16T09:00:00"));
}

TEST(Occurrences, StartThatTheRuleDoesNotMeanIsNone) {
  EXPECT_THAT(Expand("FREQ=WEEKLY;BYDAY=TU;COUNT=2", "2026-11-16T09:00:00", "2026-11-01T00:00:00",
                     "2027-01-01T00:00:00"),
              ElementsAre("2026-11-17T09:00:00", "2026-11-24T09:00:00"));
}

TEST(Occurrences, ExdatesAndRdatesAreWallTimes) {
  const Series series{
      .rule = RuleOf("FREQ=DAILY;COUNT=4"),
      .start = At("2026-11-16T09:00:00"),
      .exdates = {At("2026-11-18T09:00:00"), At("2026-11-17T08:59:59"), At("2026-11-20T12:00:00")},
      .rdates = {At("2026-11-21T10:00:00"), At("2026-11-16T09:00:00"), At("2026-11-15T07:00:00"),
                 At("2026-11-20T12:00:00"), At("2026-11-21T10:00:00")}};
  EXPECT_THAT(Texts(Occurrences(series, At("2026-11-01T00:00:00"), At("2026-12-01T00:00:00"), 10)),
              ElementsAre("2026-11-15T07:00:00", "2026-11-16T09:00:00", "2026-11-17T09:00:00",
                          "2026-11-19T09:00:00", "2026-11-21T10:00:00"));
  EXPECT_THAT(Texts(Occurrences(series, At("2026-11-17T00:00:00"), At("2026-11-21T10:00:00"), 10)),
              ElementsAre("2026-11-17T09:00:00", "2026-11-19T09:00:00"));
}

TEST(Occurrences, MoreThanMaxIsRefused) {
  const Series series{.rule = RuleOf("FREQ=DAILY"), .start = At("2026-11-16T09:00:00")};
  EXPECT_EQ(Occurrences(series, At("2026-11-16T00:00:00"), At("2026-11-26T00:00:00"), 10)->size(), 10u);
  const auto refused = Occurrences(series, At("2026-11-16T00:00:00"), At("2026-11-27T00:00:00"), 10);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kLimitExceeded);
  EXPECT_EQ(refused.error().message, "The series happens more than 10 times in this stretch of time.");
  EXPECT_FALSE(
      Occurrences({.rule = RuleOf("FREQ=SECONDLY"), .start = kLocalMin}, kLocalMin, kLocalMax, 1000));
}

TEST(Occurrences, UntilIsInclusive) {
  EXPECT_THAT(Expand("FREQ=DAILY;UNTIL=20261117T090000", "2026-11-16T09:00:00", "2026-11-01T00:00:00",
                     "2027-01-01T00:00:00"),
              ElementsAre("2026-11-16T09:00:00", "2026-11-17T09:00:00"));
  EXPECT_THAT(Expand("FREQ=DAILY;UNTIL=20261117T085959", "2026-11-16T09:00:00", "2026-11-01T00:00:00",
                     "2027-01-01T00:00:00"),
              ElementsAre("2026-11-16T09:00:00"));
  EXPECT_THAT(Expand("FREQ=DAILY;UNTIL=20250101", "2026-11-16T09:00:00", "2020-01-01T00:00:00",
                     "2030-01-01T00:00:00"),
              IsEmpty());
}

TEST(Occurrences, CountIsCountedFromTheStartWhereverOneLooks) {
  // Long after the start, and with more than 400 years of occurrences before the window.
  EXPECT_THAT(
      Expand("FREQ=YEARLY;COUNT=600", "2000-01-01T00:00:00", "2597-06-01T00:00:00", "2700-01-01T00:00:00"),
      ElementsAre("2598-01-01T00:00:00", "2599-01-01T00:00:00"));
  EXPECT_THAT(Expand("FREQ=SECONDLY;COUNT=999999999", "2000-01-01T00:00:00", "2031-09-09T01:46:37",
                     "2040-01-01T00:00:00"),
              ElementsAre("2031-09-09T01:46:37", "2031-09-09T01:46:38"));
  EXPECT_THAT(Expand("FREQ=WEEKLY;COUNT=999999999;INTERVAL=999999999", "2000-01-01T00:00:00",
                     "2000-01-01T00:00:00", "9999-01-01T00:00:00"),
              ElementsAre("2000-01-01T00:00:00"));
}

TEST(Occurrences, JumpingAheadChangesNothing) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const LocalTime start = At("2016-02-29T09:30:15");
  for (const auto text :
       {"FREQ=YEARLY", "FREQ=YEARLY;INTERVAL=3;BYMONTH=2,7;BYDAY=2MO,-1FR",
        "FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=SU,MO", "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=-1,31,1",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2,1", "FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,MO;WKST=SU",
        "FREQ=DAILY;INTERVAL=11;BYMONTH=1,3,12", "FREQ=DAILY;BYHOUR=3,21",
        "FREQ=HOURLY;INTERVAL=37;BYDAY=MO,SA;BYMINUTE=0,59", "FREQ=MINUTELY;INTERVAL=1441;BYHOUR=1,2,3,4,5",
        "FREQ=SECONDLY;INTERVAL=86399;BYMONTH=5,6"}) {
    const Series series{.rule = RuleOf(text), .start = start};
    const auto all = Occurrences(series, start, start + days(4000), 200'000).value();
    ASSERT_FALSE(all.empty()) << text;
    for (int round = 0; round < 50; ++round) {
      const LocalTime from = start + seconds(random() % (3990ull * 86400)),
                      to = from + seconds(random() % (300 * 86400));
      const LocalTime end = std::min(to, start + days(4000));
      std::vector<LocalTime> expected;
      for (const LocalTime time : all) {
        if (time >= from && time < end) expected.push_back(time);
      }
      ASSERT_EQ(Occurrences(series, from, end, 200'000).value(), expected)
          << text << " from " << FormatLocal(from);
      const auto next = NextOccurrence(series, from).value();
      const auto after = std::ranges::upper_bound(all, from);
      if (after != all.end()) {
        ASSERT_EQ(next, *after) << text << " after " << FormatLocal(from);
      }
      ASSERT_EQ(CountBefore(series.rule, start, from).value(),
                std::ranges::lower_bound(all, from) - all.begin());
    }
  }
}

TEST(Occurrences, RulesThatNeverMatchEnd) {
  for (const auto text :
       {"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MINUTELY;BYMONTH=4;BYMONTHDAY=31", "FREQ=HOURLY;BYYEARDAY=1;BYMONTH=12",
        "FREQ=YEARLY;BYDAY=MO;BYSETPOS=366", "FREQ=YEARLY;BYWEEKNO=30;BYMONTH=1", "FREQ=MONTHLY;BYDAY=6MO",
        "FREQ=DAILY;BYHOUR=1;BYSETPOS=2", "FREQ=YEARLY;INTERVAL=4;BYYEARDAY=366"}) {
    const Series series{.rule = RuleOf(text), .start = At("2026-11-16T09:00:00")};
    const auto next = NextOccurrence(series, series.start);
    ASSERT_TRUE(next) << text << ": " << next.error().message;
    EXPECT_EQ(*next, std::nullopt) << text;
    EXPECT_TRUE(Occurrences(series, kLocalMin, kLocalMax, 10)->empty());
  }
}

TEST(Occurrences, RulesThatTakeTooLongAreRefused) {
  // Every other second from an even one, and only odd ones: each minute has thirty candidates and no match.
  const Series series{.rule = RuleOf("FREQ=SECONDLY;INTERVAL=2;BYSECOND=1"),
                      .start = At("2026-11-16T09:00:00")};
  const auto next = NextOccurrence(series, series.start);
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().code, Code::kLimitExceeded);
  EXPECT_TRUE(Occurrences(series, At("2026-11-16T09:00:00"), At("2026-11-26T09:00:00"), 10)->empty());
}

TEST(Occurrences, LimitingPartsAreJumpedOver) {
  const Series series{
      .rule = RuleOf("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=23;BYMINUTE=59;BYSECOND=59"),
      .start = At("2026-11-16T09:00:00")};
  EXPECT_EQ(NextOccurrence(series, series.start).value(), At("2028-02-29T23:59:59"));
  EXPECT_EQ(NextOccurrence(series, At("2096-03-01T00:00:00")).value(), At("2104-02-29T23:59:59"));
}

TEST(Occurrences, ManyTimesADayAreNotBuiltToChooseOne) {
  std::string every = "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=0";
  for (int i = 1; i < 24; ++i) every += "," + std::to_string(i);
  for (const auto part : {";BYMINUTE=0", ";BYSECOND=0"}) {
    every += part;
    for (int i = 1; i < 60; ++i) every += "," + std::to_string(i);
  }
  EXPECT_THAT(
      Expand(every + ";BYSETPOS=1,-1", "2026-01-01T00:00:00", "2026-01-01T00:00:00", "2028-01-01T00:00:00"),
      ElementsAre("2026-01-01T00:00:00", "2026-12-31T23:59:59", "2027-01-01T00:00:00",
                  "2027-12-31T23:59:59"));
}

TEST(Occurrences, CalendarsEndIsTheEnd) {
  EXPECT_THAT(Expand("FREQ=DAILY", "9999-12-30T09:00:00", "9999-01-01T00:00:00", "9999-12-31T23:59:59"),
              ElementsAre("9999-12-30T09:00:00", "9999-12-31T09:00:00"));
  const Series series{.rule = RuleOf("FREQ=DAILY"), .start = At("9999-12-30T09:00:00")};
  EXPECT_EQ(NextOccurrence(series, At("9999-12-31T09:00:00")).value(), std::nullopt);
  EXPECT_EQ(NextOccurrence(series, kLocalMax).value(), std::nullopt);
  EXPECT_EQ(NextOccurrence(series, LocalTime::min()).value(), At("9999-12-30T09:00:00"));
  EXPECT_EQ(Occurrences(series, LocalTime::min(), LocalTime::max(), 10)->size(), 2u);
  EXPECT_EQ(NextOccurrence({.rule = RuleOf("FREQ=YEARLY;INTERVAL=999999999"), .start = kLocalMin}, kLocalMin)
                .value(),
            std::nullopt);
  EXPECT_THAT(Expand("FREQ=WEEKLY;BYDAY=SU;WKST=SU;COUNT=1", "0001-01-01T00:00:00", "0001-01-01T00:00:00",
                     "0002-01-01T00:00:00"),
              ElementsAre("0001-01-07T00:00:00"));
}

TEST(Next, SkipsWhatIsExcluded) {
  Series series{.rule = RuleOf("FREQ=DAILY;COUNT=3"), .start = At("2026-11-16T09:00:00")};
  series.exdates = {At("2026-11-17T09:00:00")};
  series.rdates = {At("2026-11-18T09:00:00"), At("2026-12-01T00:00:00")};
  EXPECT_EQ(NextOccurrence(series, At("2026-11-16T09:00:00")).value(), At("2026-11-18T09:00:00"));
  EXPECT_EQ(NextOccurrence(series, At("2026-11-18T09:00:00")).value(), At("2026-12-01T00:00:00"));
  EXPECT_EQ(NextOccurrence(series, At("2026-12-01T00:00:00")).value(), std::nullopt);
}

TEST(Wall, TheSameHourInSummerAndWinterAndInTheGap) {
  const Series series{.rule = RuleOf("FREQ=DAILY;COUNT=3", "Europe/Berlin"),
                      .start = At("2024-03-30T02:30:00")};
  std::vector<std::string> instants;
  const auto occurrences = Occurrences(series, kLocalMin, kLocalMax, 10).value();
  for (const LocalTime time : occurrences)
    instants.push_back(FormatIsoMilliseconds(ToInstant(time, "Europe/Berlin").value()).substr(0, 16));
  EXPECT_THAT(instants, ElementsAre("2024-03-30T01:30", "2024-03-31T01:30", "2024-04-01T00:30"));
}

}  // namespace
}  // namespace cairn::calendar
