#include "calendar/zone.h"

#include <cstring>

#include "base/check.h"
#include "base/temporal_text.h"
#include "calendar/internal/zone_rules.h"

namespace cairn::calendar {
namespace {

constexpr size_t kLocalBytes = 19;  // 2026-11-16T09:00:00

Result<Time> InCalendar(std::chrono::sys_seconds instant) {
  if (instant < kTimeMin || instant > kTimeMax)
    return Fail(Code::kInvalidArgument, "Moments go from the year 0001 to the year 9999 in UTC.");
  return Time(instant);
}

}  // namespace

Result<LocalTime> ParseLocal(std::string_view text) {
  if (text.size() == kLocalBytes) {
    char utc[kLocalBytes + 1];
    std::memcpy(utc, text.data(), kLocalBytes);
    utc[kLocalBytes] = 'Z';
    if (const auto time = cairn::ParseInstant({utc, sizeof utc}))
      return LocalTime(std::chrono::floor<std::chrono::seconds>(*time).time_since_epoch());
  }
  return Fail(Code::kInvalidArgument, "\"" + std::string(text.substr(0, 40)) +
                                          "\" is no local time. Write it like 2026-11-16T09:00:00.");
}

std::string FormatLocal(LocalTime time) {
  CHECK(time >= kLocalMin && time <= kLocalMax, "four digits of a year");
  std::string text;
  AppendInstant(text, Time(time.time_since_epoch()));
  text.pop_back();  // the Z
  return text;
}

bool IsKnownZone(std::string_view name) { return ZoneRules::Find(name).has_value(); }

Result<Time> ToInstant(LocalTime time, std::string_view zone) {
  ASSIGN_OR_RETURN(const ZoneRules* rules, ZoneRules::Find(zone));
  return InCalendar(rules->FirstPass(time).instant);
}

Result<Time> ToInstantNotAfter(LocalTime time, std::string_view zone) {
  ASSIGN_OR_RETURN(const ZoneRules* rules, ZoneRules::Find(zone));
  const ZoneRules::Pass pass = rules->FirstPass(time);
  return InCalendar(pass.is_skipped ? pass.change - std::chrono::seconds(1) : pass.instant);
}

Result<LocalTime> ToLocal(Time instant, std::string_view zone) {
  ASSIGN_OR_RETURN(const ZoneRules* rules, ZoneRules::Find(zone));
  const LocalTime local = rules->ToLocal(std::chrono::floor<std::chrono::seconds>(instant));
  if (local < kLocalMin || local > kLocalMax)
    return Fail(Code::kInvalidArgument, "Local times go from the year 0001 to the year 9999.");
  return local;
}

}  // namespace cairn::calendar
