#include "domains/values/plan/day.h"

#include <date/tz.h>

#include <exception>
#include <limits>
#include <utility>

#include "base/time_text.h"
#include "item/attribute_value.h"
#include "model/value_type.h"

namespace cairn::values {
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

Result<const date::time_zone*> FindZone(const std::string& name) {
  // Names without a place are aliases, "localtime" among them, that differ from machine to machine.
  if (name == "UTC" || name.find('/') != std::string::npos) {
    try {
      return date::locate_zone(name);
    } catch (const std::exception&) {  // not in the database
    }
  }
  return Fail(Code::kInvalidArgument, "There is no time zone " + Quoted(name) +
                                          ". Use a name of the IANA database, such as Europe/Berlin.");
}

// A zone with the hour at which days start in it.
class ZonedDays {
 public:
  static Result<ZonedDays> Of(const DayRules& rules) {
    if (rules.day_start_hour < 0 || rules.day_start_hour > 23)
      return Fail(Code::kInvalidArgument, "A day starts at an hour from 0 to 23.");
    ASSIGN_OR_RETURN(const date::time_zone* zone, FindZone(rules.timezone));
    return ZonedDays(zone, std::chrono::hours(rules.day_start_hour));
  }

  // Throws what the library throws when the zone's file cannot be read.
  Time Start(sys_days day) const {
    const date::local_seconds local(day.time_since_epoch() + start_hour_);
    const date::local_info info = zone_->get_info(local);
    if (info.result == date::local_info::nonexistent) return Time(info.first.end);
    return Time(local.time_since_epoch() - info.first.offset);  // of ambiguous ones, the earlier
  }

  // The last day that has started.
  sys_days DayAt(Time moment) const {
    const auto seconds = std::chrono::floor<Seconds>(moment);
    const auto local = seconds + zone_->get_info(seconds).offset - start_hour_;
    auto day = std::chrono::floor<days>(local);
    // The difference to UTC may have changed since the day started.
    while (Start(day + days(1)) <= moment) day += days(1);
    while (Start(day) > moment) day -= days(1);
    return day;
  }

 private:
  ZonedDays(const date::time_zone* zone, Seconds start_hour) : zone_(zone), start_hour_(start_hour) {}

  const date::time_zone* zone_;
  Seconds start_hour_;
};

// What `read` makes of the zone's days; zone files are read on first use.
template <class Read>
auto WithZone(const DayRules& rules, Read read) -> Result<decltype(read(std::declval<ZonedDays>()))> {
  ASSIGN_OR_RETURN(const ZonedDays zoned, ZonedDays::Of(rules));
  try {
    return read(zoned);
  } catch (const std::exception& problem) {
    return Fail(Code::kInternal,
                "The time zone " + Quoted(rules.timezone) + " cannot be read: " + problem.what());
  }
}

}  // namespace

Result<sys_days> ParseDay(std::string_view text) {
  const auto time = model::ParseTime(model::Kind::kDate, item::AttributeValue(text));
  if (!time) return Fail(Code::kInvalidArgument, Quoted(text) + " is no day. Write days like 2026-11-16.");
  return std::chrono::floor<days>(*time);
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

bool IsKnownZone(std::string_view name) { return FindZone(std::string(name)).has_value(); }

Result<DayBounds> BoundsOf(std::string_view day, const DayRules& rules) {
  ASSIGN_OR_RETURN(const sys_days date, ParseDay(day));
  ASSIGN_OR_RETURN(const DayBounds bounds, WithZone(rules, [date](const ZonedDays& zoned) {
                     return DayBounds{.start = zoned.Start(date), .end = zoned.Start(date + days(1))};
                   }));
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
  ASSIGN_OR_RETURN(const sys_days day,
                   WithZone(rules, [moment](const ZonedDays& zoned) { return zoned.DayAt(moment); }));
  return FormatDay(day);
}

Result<Time> NextDayStart(Time moment, const DayRules& rules) {
  return WithZone(rules,
                  [moment](const ZonedDays& zoned) { return zoned.Start(zoned.DayAt(moment) + days(1)); });
}

Result<Time> ParseInstant(std::string_view text) {
  const auto time = model::ParseTime(model::Kind::kInstantMs, item::AttributeValue(text));
  if (!time)
    return Fail(Code::kInvalidArgument,
                Quoted(text) + " is no moment. Write moments like 2026-11-16T09:30:00.000Z.");
  return std::chrono::floor<std::chrono::milliseconds>(*time);
}

Result<std::string> NormalInstant(std::string_view text) {
  ASSIGN_OR_RETURN(const Time time, ParseInstant(text));
  return FormatIsoMilliseconds(time);
}

}  // namespace cairn::values
