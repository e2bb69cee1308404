// Reading and writing calendars: files as others make them, and that what is written is read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domains/nexus/ics/date_time.h"
#include "domains/nexus/ics/read_calendar.h"
#include "domains/nexus/ics/write_calendar.h"
#include "domains/nexus/ics/zone_definition.h"
#include "domains/nexus/ics/zone_names.h"

namespace cairn::nexus::ics {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

LocalTime At(const char* text) { return ParseWhen(text, "").value().wall; }

Reading Read(const std::string& inside) {
  auto reading = ReadCalendar("BEGIN:VCALENDAR\nVERSION:2.0\n" + inside + "END:VCALENDAR\n");
  EXPECT_TRUE(reading);
  return *std::move(reading);
}
Reading ReadEvent(const std::string& properties) {
  return Read("BEGIN:VEVENT\nUID:u1\n" + properties + "END:VEVENT\n");
}
// The only event, of which nothing was left out.
Event EventOf(const std::string& properties) {
  Reading reading = ReadEvent(properties);
  EXPECT_THAT(reading.notes.first, IsEmpty()) << reading.notes.first.front().reason;
  EXPECT_EQ(reading.calendar.events.size(), 1u);
  return reading.calendar.events.at(0);
}
std::vector<std::string> ReasonsOf(const Reading& reading) {
  std::vector<std::string> reasons;
  for (const Note& note : reading.notes.first) reasons.push_back(note.property + ": " + note.reason);
  return reasons;
}

TEST(ReadCalendar, TimesOfEveryKind) {
  const Event zoned =
      EventOf("DTSTART;TZID=Europe/Berlin:20261116T090000\nDTEND;TZID=Europe/Berlin:20261116T100000\n");
  EXPECT_EQ(zoned.content.start, (When{At("20261116T090000"), "Europe/Berlin"}));
  EXPECT_EQ(zoned.content.end, (When{At("20261116T100000"), "Europe/Berlin"}));
  EXPECT_EQ(EventOf("DTSTART:20261116T090000Z\n").content.start, (When{At("20261116T090000"), "UTC"}));
  EXPECT_EQ(EventOf("DTSTART:20261116T090000\n").content.start, (When{At("20261116T090000"), ""}));
  const Event day = EventOf("DTSTART;VALUE=DATE:20261116\n");
  EXPECT_EQ(day.content.start, (When{At("20261116"), "", true}));
  EXPECT_EQ(day.content.end, (When{At("20261117"), "", true}));
}

TEST(ReadCalendar, AnEndFromItsDuration) {
  const auto end = [](const char* start, const char* duration) {
    return EventOf(std::string("DTSTART") + start + "\nDURATION:" + duration + "\n").content.end;
  };
  EXPECT_EQ(end(":20261116T090000", "PT1H30M"), (When{At("20261116T103000"), ""}));
  EXPECT_EQ(end(";VALUE=DATE:20261116", "P1W"), (When{At("20261123"), "", true}));
  // Over the change of the clocks a day is a day and 24 hours are 24 hours.
  EXPECT_EQ(end(";TZID=Europe/Berlin:20261024T120000", "P1D"),
            (When{At("20261025T120000"), "Europe/Berlin"}));
  EXPECT_EQ(end(";TZID=Europe/Berlin:20261024T120000", "PT24H"),
            (When{At("20261025T110000"), "Europe/Berlin"}));
  // The second 02:30 of that night has no local name.
  EXPECT_EQ(end(";TZID=Europe/Berlin:20261025T003000", "PT3H"), (When{At("20261025T013000"), "UTC"}));
}

TEST(ReadCalendar, WhatEndsWhenItBeginsLastsAMinute) {
  EXPECT_EQ(EventOf("DTSTART:20261116T090000Z\nDTEND:20261116T090000Z\n").content.end.wall,
            At("20261116T090100"));
  const Reading early = ReadEvent("DTSTART:20261116T090000Z\nDTEND:20261116T080000Z\n");
  EXPECT_THAT(ReasonsOf(early), ElementsAre("DTEND: is before the start"));
  EXPECT_EQ(early.calendar.events[0].content.end.wall, At("20261116T090100"));
  // Where the clocks go back within that minute.
  const Event late = EventOf("DTSTART;TZID=Europe/Berlin:20261025T025930\n");
  EXPECT_EQ(*InstantOf(late.content.end) - *InstantOf(late.content.start), std::chrono::minutes(1));
}

TEST(ReadCalendar, ZonesByTheNamesOthersHave) {
  EXPECT_EQ(FindZone("W. Europe Standard Time"), "Europe/Berlin");
  EXPECT_EQ(FindZone("/freeassociation.sourceforge.net/America/Argentina/Salta"), "America/Argentina/Salta");
  EXPECT_EQ(FindZone("GMT"), "UTC");
  for (const char* name : {"", "EST", "Customized Time Zone", "/", "../etc/passwd", "Mars/Olympus"})
    EXPECT_EQ(FindZone(name), std::nullopt) << name;
  const Reading unknown = ReadEvent("DTSTART;TZID=Home:20261116T090000\n");
  EXPECT_THAT(ReasonsOf(unknown), ElementsAre("DTSTART: the time zone \"Home\" is not known"));
  EXPECT_EQ(unknown.skipped, 1);
  const Reading told = Read(
      "BEGIN:VEVENT\nUID:u\nDTSTART;TZID=Home:20261116T090000\nEND:VEVENT\n"
      "BEGIN:VTIMEZONE\nTZID:Home\nX-LIC-LOCATION:Asia/Tokyo\nEND:VTIMEZONE\n");
  EXPECT_EQ(told.calendar.events.at(0).content.start.zone, "Asia/Tokyo");
}

TEST(ReadCalendar, SeriesWithDatesByItsOwnClock) {
  const Event event = EventOf(
      "DTSTART;TZID=Europe/Berlin:20261001T090000\nRRULE:FREQ=DAILY;COUNT=60\n"
      "EXDATE;TZID=Europe/Berlin:20261002T090000,20261003T090000\n"
      "EXDATE:20261026T080000Z\nEXDATE;VALUE=DATE:20261110\nRDATE;TZID=America/New_York:20261201T030000\n");
  EXPECT_EQ(event.rrule, "FREQ=DAILY;COUNT=60");
  EXPECT_THAT(event.exdates, ElementsAre(At("20261002T090000"), At("20261003T090000"), At("20261026T090000"),
                                         At("20261110T090000")));
  EXPECT_THAT(event.rdates, ElementsAre(At("20261201T090000")));
}

TEST(ReadCalendar, AStartOutsideOfItsRuleHappensAsWell) {
  Event event = EventOf("DTSTART:20261116T090000Z\nRRULE:FREQ=WEEKLY;BYDAY=TU\n");
  EXPECT_TRUE(CompleteSeries(event));
  EXPECT_THAT(event.rdates, ElementsAre(At("20261116T090000")));
  const Event listed = EventOf("DTSTART:20261116T090000Z\nRDATE:20261120T090000Z\n");
  EXPECT_EQ(listed.rrule, "FREQ=DAILY;COUNT=1");
  EXPECT_THAT(listed.rdates, ElementsAre(At("20261120T090000")));
  Event never = EventOf("DTSTART:20261116T090000Z\nRRULE:FREQ=DAILY;COUNT=1\nEXDATE:20261116T090000Z\n");
  EXPECT_FALSE(CompleteSeries(never));
}

TEST(ReadCalendar, RulesThatAreNotUnderstoodLeaveTheSeriesOut) {
  for (const char* rule :
       {"RRULE:FREQ=SOMETIMES", "RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY", "EXRULE:FREQ=DAILY"}) {
    const Reading reading = ReadEvent(std::string("DTSTART:20261116T090000Z\n") + rule + "\n");
    EXPECT_THAT(reading.calendar.events, IsEmpty()) << rule;
    EXPECT_EQ(reading.skipped, 1) << rule;
    EXPECT_EQ(reading.notes.total, 1) << rule;
  }
  const Reading days = ReadEvent("DTSTART;VALUE=DATE:20261116\nRRULE:FREQ=HOURLY\n");
  EXPECT_THAT(ReasonsOf(days), ElementsAre("RRULE: has times of the day, but the event is of whole days"));
}

TEST(ReadCalendar, EditedAndCancelledOccurrencesJoinTheirSeries) {
  const Reading reading = Read(
      "BEGIN:VEVENT\nUID:s\nRECURRENCE-ID:20261117T080000Z\nDTSTART;TZID=Europe/Berlin:20261117T110000\n"
      "SUMMARY:moved\nEND:VEVENT\n"
      "BEGIN:VEVENT\nUID:s\nRECURRENCE-ID;TZID=Europe/Berlin:20261118T090000\nSTATUS:CANCELLED\n"
      "DTSTART;TZID=Europe/Berlin:20261118T090000\nEND:VEVENT\n"
      "BEGIN:VEVENT\nUID:s\nDTSTART;TZID=Europe/Berlin:20261116T090000\nRRULE:FREQ=DAILY\nEND:VEVENT\n"
      "BEGIN:VEVENT\nUID:alone\nRECURRENCE-ID:20261117T080000Z\nDTSTART:20261117T100000Z\nEND:VEVENT\n");
  ASSERT_EQ(reading.calendar.events.size(), 2u);
  const Event& series = reading.calendar.events[0];
  ASSERT_EQ(series.overrides.size(), 1u);
  EXPECT_EQ(series.overrides[0].original, At("20261117T090000"));
  EXPECT_EQ(series.overrides[0].content.summary, "moved");
  EXPECT_THAT(series.exdates, ElementsAre(At("20261118T090000")));
  EXPECT_EQ(reading.calendar.events[1].uid, "alone/20261117T080000");
}

TEST(ReadCalendar, Alarms) {
  const auto minutes = [](const std::string& trigger) {
    return ReadEvent("DTSTART:20261116T090000Z\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER" + trigger +
                     "\nEND:VALARM\n")
        .calendar.events.at(0)
        .content.alarm_minutes;
  };
  EXPECT_THAT(minutes(":-PT15M"), ElementsAre(15));
  EXPECT_THAT(minutes(":-P1DT1H"), ElementsAre(1500));
  EXPECT_THAT(minutes(":PT0S"), ElementsAre(0));
  EXPECT_THAT(minutes(";VALUE=DATE-TIME:20261116T083000Z"), ElementsAre(30));
  for (const char* none : {":PT15M", ";RELATED=END:-PT5M", ":-P9000D", ":soon", ":-P99999999999999999999D"})
    EXPECT_THAT(minutes(none), IsEmpty()) << none;
}

TEST(ReadCalendar, Todos) {
  const Reading reading = Read(
      "BEGIN:VTODO\nUID:t1\nSUMMARY:write\nDUE;TZID=Europe/"
      "Berlin:20261116T180000\nPRIORITY:1\nSTATUS:IN-PROCESS\n"
      "CATEGORIES:work,home\nCATEGORIES:work\nEND:VTODO\n"
      "BEGIN:VTODO\nUID:t2\nSUMMARY:done\nCOMPLETED:20261116T180000Z\nEND:VTODO\n"
      "BEGIN:VTODO\nUID:t3\nRRULE:FREQ=DAILY\nEND:VTODO\nBEGIN:VJOURNAL\nEND:VJOURNAL\n");
  ASSERT_EQ(reading.calendar.todos.size(), 2u);
  EXPECT_EQ(reading.calendar.todos[0].status, TodoStatus::kInProcess);
  EXPECT_THAT(reading.calendar.todos[0].categories, ElementsAre("home", "work"));
  EXPECT_EQ(reading.calendar.todos[0].due, (When{At("20261116T180000"), "Europe/Berlin"}));
  EXPECT_EQ(reading.calendar.todos[1].status, TodoStatus::kCompleted);
  EXPECT_EQ(reading.skipped, 2);
  EXPECT_EQ(reading.notes.total, 2);
}

TEST(ReadCalendar, NonsenseIsNotedAndNeverTakesOthersAlong) {
  const auto reading = ReadCalendar(
      "garbage\nBEGIN:VCALENDAR\nEND:VEVENT\nBEGIN:VEVENT\nno "
      "property\nUID:a\nDTSTART:20261301T000000\nEND:VEVENT\n"
      "BEGIN:VEVENT\nUID:b\nDTSTART:20261116T090000Z\nEND:VEVENT\nBEGIN:VEVENT\nUID:c\nDTSTART:"
      "20261116T0900");
  ASSERT_TRUE(reading);
  ASSERT_EQ(reading->calendar.events.size(), 1u);
  EXPECT_EQ(reading->calendar.events[0].uid, "b");
  EXPECT_EQ(reading->skipped, 2);
  EXPECT_FALSE(ReadCalendar(""));
  EXPECT_FALSE(ReadCalendar("<html>"));
}

TEST(ReadCalendar, BoundsInNumberAndDepth) {
  std::string many = "BEGIN:VCALENDAR\n", deep;
  for (size_t i = 0; i < kComponentsMax; ++i) many += "BEGIN:VEVENT\nEND:VEVENT\n";
  EXPECT_EQ(ReadCalendar(many + "END:VCALENDAR\n").error().code, Code::kLimitExceeded);
  for (int i = 0; i < 100'000; ++i) deep += "BEGIN:VCALENDAR\n";
  EXPECT_EQ(ReadCalendar(deep).error().code, Code::kLimitExceeded);
}

TEST(WriteCalendar, IsReadBackTheSame) {
  const Reading first = Read(
      "BEGIN:VEVENT\nUID:a\\,b\nDTSTART;TZID=America/New_York:20240310T013000\nDURATION:PT3H\n"
      "SUMMARY:Caf\xC3\xA9\\; with \\\\ and\\na second line\nCATEGORIES:a\\,b,c\nLOCATION:here\n"
      "RRULE:FREQ=WEEKLY;UNTIL=20301231;BYDAY=SU,MO\nEXDATE;TZID=America/New_York:20240311T013000\n"
      "BEGIN:VALARM\nTRIGGER:-PT10M\nEND:VALARM\nEND:VEVENT\n"
      "BEGIN:VEVENT\nUID:a\\,b\nRECURRENCE-ID;TZID=America/New_York:20240317T013000\n"
      "DTSTART;TZID=Asia/Tokyo:20240318T090000\nSUMMARY:moved\nEND:VEVENT\n"
      "BEGIN:VEVENT\nUID:days\nDTSTART;VALUE=DATE:20240310\nDTEND;VALUE=DATE:20240312\n"
      "RRULE:FREQ=DAILY;UNTIL=20240401\nEND:VEVENT\n"
      "BEGIN:VTODO\nUID:t\nSUMMARY:x\nDUE;VALUE=DATE:20240310\nPRIORITY:5\nEND:VTODO\n");
  const std::string text = WriteCalendar(first.calendar);
  EXPECT_THAT(text, HasSubstr("UNTIL=20240401\r\n"));
  EXPECT_THAT(text, HasSubstr("TZID:Asia/Tokyo"));
  EXPECT_THAT(text, HasSubstr("\r\nRECURRENCE-ID;TZID=America/New_York:20240317T013000\r\n"));
  const auto again = ReadCalendar(text);
  ASSERT_TRUE(again);
  EXPECT_THAT(ReasonsOf(*again), IsEmpty());
  ASSERT_EQ(again->calendar.events.size(), first.calendar.events.size());
  for (size_t i = 0; i < first.calendar.events.size(); ++i) {
    EXPECT_EQ(again->calendar.events[i].uid, first.calendar.events[i].uid);
    EXPECT_EQ(again->calendar.events[i].content, first.calendar.events[i].content);
    EXPECT_EQ(again->calendar.events[i].rrule, first.calendar.events[i].rrule);
    EXPECT_EQ(again->calendar.events[i].exdates, first.calendar.events[i].exdates);
    EXPECT_EQ(again->calendar.events[i].overrides, first.calendar.events[i].overrides);
  }
  EXPECT_EQ(WriteCalendar(again->calendar), text);
}

TEST(ZoneDefinition, RulesWithoutEndForWhatGoesOn) {
  std::string berlin;
  ASSERT_TRUE(AppendZoneDefinition(berlin, {.zone = "Europe/Berlin", .first = 2026, .last = 2026}));
  EXPECT_THAT(berlin, HasSubstr("DTSTART:20260329T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n"
                                "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:DAYLIGHT"));
  EXPECT_THAT(berlin, HasSubstr("DTSTART:20261025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n"
                                "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nEND:STANDARD"));
  std::string new_york;
  ASSERT_TRUE(AppendZoneDefinition(new_york, {.zone = "America/New_York", .first = 2000, .last = 2026}));
  EXPECT_THAT(new_york, HasSubstr("BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z"));
  EXPECT_THAT(new_york, HasSubstr("RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU\r\n"));
  std::string tokyo;
  ASSERT_TRUE(AppendZoneDefinition(tokyo, {.zone = "Asia/Tokyo", .first = 2000, .last = 2026}));
  EXPECT_THAT(tokyo, Not(HasSubstr("RRULE")));
  EXPECT_THAT(tokyo, HasSubstr("TZOFFSETTO:+0900"));
}

}  // namespace
}  // namespace cairn::nexus::ics
