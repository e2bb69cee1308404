#include "base/temporal_text.h"

#include <algorithm>

namespace cairn {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Two digits at `p`; a number above 99 for anything else.
unsigned TwoDigits(const char* p) {
  if (!IsDigit(p[0]) || !IsDigit(p[1])) return 1000;
  return static_cast<unsigned>(p[0] - '0') * 10 + static_cast<unsigned>(p[1] - '0');
}

std::optional<std::chrono::seconds> ParseClock(std::string_view text) {  // 19:42:30
  if (text[2] != ':' || text[5] != ':') return std::nullopt;
  const unsigned hour = TwoDigits(&text[0]);
  const unsigned minute = TwoDigits(&text[3]);
  const unsigned second = TwoDigits(&text[6]);
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return std::chrono::seconds(hour * 3600 + minute * 60 + second);
}

// Z or +hh:mm; nothing for anything else.
std::optional<std::chrono::minutes> ParseOffset(std::string_view text) {
  if (text == "Z") return std::chrono::minutes(0);
  if (text.size() != 6 || text[3] != ':' || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const unsigned hour = TwoDigits(&text[1]);
  const unsigned minute = TwoDigits(&text[4]);
  if (hour > 23 || minute > 59) return std::nullopt;
  const int total = static_cast<int>(hour * 60 + minute);
  return std::chrono::minutes(text[0] == '-' ? -total : total);
}

// Takes ".123" off the front of `rest`; nothing when there is a point without 1 to 9 digits behind it.
std::optional<std::chrono::microseconds> TakeFraction(std::string_view& rest) {
  if (!rest.starts_with('.')) return std::chrono::microseconds(0);
  size_t digits = 0;
  int64_t micros = 0;
  for (rest.remove_prefix(1); !rest.empty() && IsDigit(rest[0]); rest.remove_prefix(1), ++digits) {
    if (digits < 6) micros = micros * 10 + (rest[0] - '0');
  }
  if (digits == 0 || digits > 9) return std::nullopt;
  for (; digits < 6; ++digits) micros *= 10;
  return std::chrono::microseconds(micros);
}

void AppendSeconds(std::string& out, Time time) {
  AppendDate(out, time);
  const auto second_of_day = static_cast<uint64_t>(
      std::chrono::floor<std::chrono::seconds>(time - std::chrono::floor<days>(time)).count());
  out += 'T';
  AppendDigits(out, second_of_day / 3600, 2);
  out += ':';
  AppendDigits(out, second_of_day / 60 % 60, 2);
  out += ':';
  AppendDigits(out, second_of_day % 60, 2);
}

}  // namespace

std::optional<sys_days> ParseDate(std::string_view text) {
  if (text.size() != kDateBytes || text[4] != '-' || text[7] != '-') return std::nullopt;
  const unsigned century = TwoDigits(&text[0]);
  const unsigned year_of_century = TwoDigits(&text[2]);
  const unsigned month = TwoDigits(&text[5]);
  const unsigned day = TwoDigits(&text[8]);
  if (century > 99 || year_of_century > 99 || month > 12 || day > 31) return std::nullopt;
  const year_month_day date(std::chrono::year(static_cast<int>(century * 100 + year_of_century)),
                            std::chrono::month(month), std::chrono::day(day));
  if (!date.ok() || date < kFirstDay) return std::nullopt;
  return sys_days(date);
}

std::optional<Time> ParseInstant(std::string_view text) {
  constexpr size_t kClockEnd = 19;  // 2026-11-15T19:42:30
  if (text.size() < kInstantBytes || text[kDateBytes] != 'T') return std::nullopt;
  const auto day = ParseDate(text.substr(0, kDateBytes));
  const auto clock = ParseClock(text.substr(kDateBytes + 1));
  std::string_view rest = text.substr(kClockEnd);
  const auto fraction = TakeFraction(rest);
  const auto offset = ParseOffset(rest);
  if (!day || !clock || !fraction || !offset) return std::nullopt;
  const Time time = *day + *clock + *fraction - *offset;
  if (time < kTimeMin || time > kTimeMax) return std::nullopt;
  return time;
}

bool IsDateText(std::string_view text) { return ParseDate(text).has_value(); }

bool IsInstantText(std::string_view text) {
  return text.size() == kInstantBytes && text.back() == 'Z' && ParseInstant(text);
}

bool IsInstantMsText(std::string_view text) {
  return text.size() == kInstantMsBytes && text.back() == 'Z' && text[19] == '.' && ParseInstant(text);
}

void AppendDigits(std::string& out, uint64_t value, size_t digits) {
  const size_t begin = out.size();
  out.resize(begin + digits);
  for (size_t i = digits; i-- > 0; value /= 10) out[begin + i] = static_cast<char>('0' + value % 10);
}

std::optional<int64_t> ReadDigits(std::string_view text) {
  if (text.empty() || text.size() > 18 || !std::ranges::all_of(text, IsDigit)) return std::nullopt;
  int64_t value = 0;
  for (const char c : text) value = value * 10 + (c - '0');
  return value;
}

void AppendDate(std::string& out, Time time) {
  const year_month_day date(std::chrono::floor<days>(time));
  AppendDigits(out, static_cast<uint64_t>(static_cast<int>(date.year())), 4);
  out += '-';
  AppendDigits(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  AppendDigits(out, static_cast<unsigned>(date.day()), 2);
}

void AppendInstant(std::string& out, Time time) {
  AppendSeconds(out, time);
  out += 'Z';
}

void AppendInstantMs(std::string& out, Time time) {
  AppendSeconds(out, time);
  out += '.';
  const auto in_second = time - std::chrono::floor<std::chrono::seconds>(time);
  AppendDigits(out, static_cast<uint64_t>(in_second.count()) / 1000, 3);
  out += 'Z';
}

void AppendCompactDate(std::string& out, Time time, size_t digits) {
  const year_month_day date(std::chrono::floor<days>(time));
  const auto year = static_cast<uint64_t>(static_cast<int>(date.year()));
  const unsigned month = static_cast<unsigned>(date.month());
  const unsigned day = static_cast<unsigned>(date.day());
  const uint64_t value = digits == 4   ? year
                         : digits == 6 ? year * 100 + month
                                       : year * 10000 + month * 100 + day;
  AppendDigits(out, value, digits);
}

}  // namespace cairn
