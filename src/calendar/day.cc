#include "calendar/day.h"

#include "base/temporal_text.h"
#include "base/time_text.h"
#include "calendar/internal/zone_rules.h"

namespace cairn::calendar {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using Seconds = std::chrono::seconds;

// The calendar does not end here: it is all that four digits of a year can tell.
constexpr sys_days kFirst{
    std::chrono::year_month_day(std::chrono::year(1), std::chrono::month(1), std::chrono::day(1))};
constexpr sys_days kLast{
    std::chrono::year_month_day(std::chrono::year(9999), std::chrono::month(12), std::chrono::day(31))};

std::string Quoted(std::string_view text) { return std::string("\"").append(text) + "\""; }

// A zone with the hour at which days start in it.
class ZonedDays {
 public:
  static Result<ZonedDays> Of(const DayRules& rules) {
    if (rules.day_start_hour < 0 || rules.day_start_hour > 23)
      return Fail(Code::kInvalidArgument, "A day starts at an hour from 0 to 23.");
    ASSIGN_OR_RETURN(const ZoneRules* zone, ZoneRules::Find(rules.timezone));
    return ZonedDays(zone, std::chrono::hours(rules.day_start_hour));
  }

  Time Start(sys_days day) const {
    const ZoneRules::Pass pass = zone_->FirstPass(LocalTime(day.time_since_epoch() + start_hour_));
    return Time(pass.is_skipped ? pass.change : pass.instant);
  }

  // The last day that has started.
  sys_days DayAt(Time moment) const {
    const LocalTime local = zone_->ToLocal(std::chrono::floor<Seconds>(moment)) - start_hour_;
    sys_days day(std::chrono::floor<days>(local).time_since_epoch());
    // The difference to UTC may have changed since the day started.
    while (Start(day + days(1)) <= moment) day += days(1);
    while (Start(day) > moment) day -= days(1);
    return day;
  }

 private:
  ZonedDays(const ZoneRules* zone, Seconds start_hour) : zone_(zone), start_hour_(start_hour) {}

  const ZoneRules* zone_;
  Seconds start_hour_;
};

}  // namespace

Result<sys_days> ParseDay(std::string_view text) {
  const auto day = ParseDate(text);
  if (!day) return Fail(Code::kInvalidArgument, Quoted(text) + " is no day. Write days like 2026-11-16.");
  return *day;
}

bool IsDay(std::string_view text) { return ParseDay(text).has_value(); }

Result<std::string> FormatDay(sys_days day) {
  if (day < kFirst || day > kLast)
    return Fail(Code::kInvalidArgument, "Days go from 0001-01-01 to 9999-12-31.");
  return FormatIsoMilliseconds(day).substr(0, 10);
}

Result<std::string> AddDays(std::string_view day, int64_t count) {
  ASSIGN_OR_RETURN(const sys_days from, ParseDay(day));
  constexpr int64_t kCountMax = (kLast - kFirst).count();
  if (count < -kCountMax || count > kCountMax) return FormatDay(kLast + days(1));
  return FormatDay(from + days(count));
}

Result<int64_t> DaysBetween(std::string_view from, std::string_view to) {
  ASSIGN_OR_RETURN(const sys_days first, ParseDay(from));
  ASSIGN_OR_RETURN(const sys_days last, ParseDay(to));
  return (last - first).count();
}

Result<std::string> WeekOf(std::string_view day) {
  ASSIGN_OR_RETURN(const sys_days in_week, ParseDay(day));
  return FormatDay(in_week - (std::chrono::weekday(in_week) - std::chrono::Monday));
}

Result<DayBounds> BoundsOf(std::string_view day, const DayRules& rules) {
  ASSIGN_OR_RETURN(const sys_days date, ParseDay(day));
  ASSIGN_OR_RETURN(const ZonedDays zoned, ZonedDays::Of(rules));
  const DayBounds bounds{.start = zoned.Start(date), .end = zoned.Start(date + days(1))};
  // Moments have four digits for the year, too.
  if (bounds.start < Time(kFirst) || bounds.end >= Time(kLast + days(1)))
    return Fail(Code::kInvalidArgument, "Days go from 0001-01-02 to 9999-12-30.");
  return bounds;
}

Result<Time> DayStart(std::string_view day, const DayRules& rules) {
  ASSIGN_OR_RETURN(const DayBounds bounds, BoundsOf(day, rules));
  return bounds.start;
}

Result<Time> DayEnd(std::string_view day, const DayRules& rules) {
  ASSIGN_OR_RETURN(const DayBounds bounds, BoundsOf(day, rules));
  return bounds.end;
}

Result<std::string> DayOf(Time moment, const DayRules& rules) {
  ASSIGN_OR_RETURN(const ZonedDays zoned, ZonedDays::Of(rules));
  return FormatDay(zoned.DayAt(moment));
}

Result<Time> NextDayStart(Time moment, const DayRules& rules) {
  ASSIGN_OR_RETURN(const ZonedDays zoned, ZonedDays::Of(rules));
  return zoned.Start(zoned.DayAt(moment) + days(1));
}

Result<Time> ParseInstant(std::string_view text) {
  const auto time = cairn::ParseInstant(text);
  if (!time)
    return Fail(Code::kInvalidArgument,
                Quoted(text) + " is no moment. Write moments like 2026-11-16T09:30:00.000Z.");
  return std::chrono::floor<std::chrono::milliseconds>(*time);
}

Result<std::string> NormalInstant(std::string_view text) {
  ASSIGN_OR_RETURN(const Time time, ParseInstant(text));
  return FormatIsoMilliseconds(time);
}

}  // namespace cairn::calendar
