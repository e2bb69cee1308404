#include "domains/nexus/ics/date_time.h"

#include "base/temporal_text.h"

namespace cairn::nexus::ics {
namespace {

using std::chrono::days;
using std::chrono::seconds;

constexpr size_t kDateChars = 8, kTimeChars = 15;

const LocalTime kFirst = std::chrono::local_days(std::chrono::year(1900) / 1 / 1);
const LocalTime kLast = std::chrono::local_days(std::chrono::year(3000) / 1 / 1);

std::optional<seconds> TimeOfDay(std::string_view hhmmss) {
  const auto hour = ReadDigits(hhmmss.substr(0, 2)), minute = ReadDigits(hhmmss.substr(2, 2)),
             second = ReadDigits(hhmmss.substr(4, 2));
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return seconds(*hour * 3600 + *minute * 60 + std::min<int64_t>(*second, 59));  // no leap seconds
}

}  // namespace

std::optional<When> ParseWhen(std::string_view text, std::string_view zone) {
  const bool is_utc = text.size() == kTimeChars + 1 && (text.back() == 'Z' || text.back() == 'z');
  if (is_utc) text.remove_suffix(1);
  if (text.size() != kDateChars && text.size() != kTimeChars) return std::nullopt;
  const auto year = ReadDigits(text.substr(0, 4)), month = ReadDigits(text.substr(4, 2)),
             day = ReadDigits(text.substr(6, 2));
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  When when{.wall = std::chrono::local_days(date), .is_date = text.size() == kDateChars};
  if (!when.is_date) {
    const auto time = TimeOfDay(text.substr(9));
    if ((text[8] != 'T' && text[8] != 't') || !time) return std::nullopt;
    when.wall += *time;
    when.zone = is_utc ? "UTC" : zone;
  }
  if (when.wall < kFirst || when.wall >= kLast) return std::nullopt;
  return when;
}

std::string FormatWhen(const When& when) {
  std::string text = calendar::FormatLocal(when.wall);
  std::erase(text, '-');
  std::erase(text, ':');
  if (when.is_date) return text.substr(0, kDateChars);
  return when.zone == "UTC" ? text + "Z" : text;
}

std::string WhenLine(std::string_view property, const When& when) {
  std::string line(property);
  if (when.is_date) {
    line += ";VALUE=DATE";
  } else if (!when.zone.empty() && when.zone != "UTC") {
    line += ";TZID=" + when.zone;
  }
  return line + ":" + FormatWhen(when);
}

std::string FormatInstant(Time time) {
  const auto since_epoch = std::chrono::floor<seconds>(time).time_since_epoch();
  return FormatWhen({.wall = LocalTime(since_epoch), .zone = "UTC"});
}

std::optional<Duration> ParseDuration(std::string_view text) {
  int sign = 1;
  if (text.starts_with('-') || text.starts_with('+')) {
    sign = text.front() == '-' ? -1 : 1;
    text.remove_prefix(1);
  }
  if (!text.starts_with('P') && !text.starts_with('p')) return std::nullopt;
  text.remove_prefix(1);
  constexpr int64_t kSecondsMax = 36'525LL * 86'400;
  int64_t day_count = 0, second_count = 0;
  bool in_time = false, has_part = false;
  while (!text.empty()) {
    if (text.front() == 'T' || text.front() == 't') {
      if (in_time) return std::nullopt;
      in_time = true;
      text.remove_prefix(1);
      continue;
    }
    size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
    const auto count = digits > 12 ? std::nullopt : ReadDigits(text.substr(0, digits));
    if (!count || digits == text.size() || *count > kSecondsMax) return std::nullopt;
    switch (text[digits] & ~0x20) {
      case 'W':
        day_count += *count * 7;
        break;
      case 'D':
        day_count += *count;
        break;
      case 'H':
        second_count += *count * 3600;
        break;
      case 'M':
        second_count += *count * 60;
        break;
      case 'S':
        second_count += *count;
        break;
      default:
        return std::nullopt;
    }
    has_part = true;
    if (day_count > kSecondsMax / 86'400 || second_count > kSecondsMax) return std::nullopt;
    text.remove_prefix(digits + 1);
  }
  if (!has_part) return std::nullopt;
  return Duration{.days = days(sign * day_count), .seconds = seconds(sign * second_count)};
}

std::optional<Time> InstantOf(const When& when, std::string_view floating_zone) {
  const auto instant =
      calendar::ToInstant(when.wall, when.zone.empty() ? floating_zone : std::string_view(when.zone));
  return instant ? std::optional(*instant) : std::nullopt;
}

When InZone(Time instant, const std::string& zone) {
  if (const auto wall = calendar::ToLocal(instant, zone)) {
    const auto back = calendar::ToInstant(*wall, zone);
    if (back && *back == instant) return {.wall = *wall, .zone = zone};
  }
  return {.wall = LocalTime(std::chrono::floor<seconds>(instant).time_since_epoch()), .zone = "UTC"};
}

}  // namespace cairn::nexus::ics
