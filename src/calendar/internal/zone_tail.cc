#include "calendar/internal/zone_tail.h"

#include <algorithm>
#include <optional>

namespace cairn::calendar {
namespace {

using std::chrono::days;
using std::chrono::seconds;
using std::chrono::sys_days;

// A day of the year and a time on it, by the clock that is changed then.
struct YearlyTime {
  enum class Form { kMonthWeekDay, kJulian, kDayOfYear } form = Form::kMonthWeekDay;
  int month = 0, week = 0, day = 0;  // day: of the week, or of the year
  seconds time{7200};
};

class TailReader {
 public:
  explicit TailReader(std::string_view text) : rest_(text) {}

  bool Skip(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool AtEnd() const { return rest_.empty(); }

  // "CET", or "<+0330>".
  bool SkipName() {
    size_t length = 0;
    if (Skip('<')) {
      length = rest_.find('>');
      if (length == std::string_view::npos) return false;
      rest_.remove_prefix(length + 1);
      return length > 0;
    }
    while (length < rest_.size() && IsLetter(rest_[length])) ++length;
    rest_.remove_prefix(length);
    return length > 0;
  }

  std::optional<int> Number() {
    int value = 0;
    size_t digits = 0;
    for (; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9' && digits < 4; ++digits) {
      value = value * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return digits > 0 ? std::optional(value) : std::nullopt;
  }

  // "-3:30", up to "+167:59:59".
  std::optional<seconds> SignedTime() {
    const bool is_negative = Skip('-');
    if (!is_negative) Skip('+');
    const auto hours = Number();
    if (!hours) return std::nullopt;
    seconds total(*hours * 3600);
    for (const int unit : {60, 1}) {
      if (!Skip(':')) break;
      const auto part = Number();
      if (!part) return std::nullopt;
      total += seconds(*part * unit);
    }
    return is_negative ? -total : total;
  }

  // "M3.5.0/2", "J60/0", "59".
  std::optional<YearlyTime> Yearly() {
    YearlyTime yearly;
    std::optional<int> month(0), week(0), day;
    if (Skip('M')) {
      month = Number();
      week = Skip('.') ? Number() : std::nullopt;
      day = Skip('.') ? Number() : std::nullopt;
      if (!month || !week || !day || *month < 1 || *month > 12 || *week < 1 || *week > 5 || *day > 6)
        return std::nullopt;
    } else {
      yearly.form = Skip('J') ? YearlyTime::Form::kJulian : YearlyTime::Form::kDayOfYear;
      day = Number();
      if (!day || *day > 365) return std::nullopt;
    }
    yearly.month = *month;
    yearly.week = *week;
    yearly.day = *day;
    if (!Skip('/')) return yearly;
    const auto time = SignedTime();
    if (!time) return std::nullopt;
    yearly.time = *time;
    return yearly;
  }

 private:
  static bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

  std::string_view rest_;
};

seconds WallTimeIn(int year, const YearlyTime& yearly) {
  using namespace std::chrono;
  const std::chrono::year in(year);
  sys_days day(in / January / 1);
  switch (yearly.form) {
    case YearlyTime::Form::kMonthWeekDay: {
      const std::chrono::month month(static_cast<unsigned>(yearly.month));
      const weekday wanted(static_cast<unsigned>(yearly.day));
      day = yearly.week == 5 ? sys_days(in / month / wanted[last])
                             : sys_days(in / month / wanted[static_cast<unsigned>(yearly.week)]);
      break;
    }
    case YearlyTime::Form::kJulian:  // 1 to 365, 29 February is not counted
      day += days(yearly.day - 1 + (in.is_leap() && yearly.day >= 60 ? 1 : 0));
      break;
    case YearlyTime::Form::kDayOfYear:
      day += days(yearly.day);
      break;
  }
  return day.time_since_epoch() + yearly.time;
}

}  // namespace

std::vector<OffsetChange> ChangesByTail(std::string_view tail, int first, int last) {
  TailReader reader(tail);
  if (!reader.SkipName()) return {};
  const auto west = reader.SignedTime();  // POSIX counts westwards
  if (!west || !reader.SkipName()) return {};
  seconds summer = -*west + seconds(3600);
  if (!reader.Skip(',')) {
    const auto summer_west = reader.SignedTime();
    if (!summer_west || !reader.Skip(',')) return {};
    summer = -*summer_west;
  }
  const auto begin = reader.Yearly();
  if (!begin || !reader.Skip(',')) return {};
  const auto end = reader.Yearly();
  if (!end || !reader.AtEnd()) return {};

  std::vector<OffsetChange> changes;
  for (int year = first; year <= last; ++year) {
    changes.push_back({std::chrono::sys_seconds(WallTimeIn(year, *begin) + *west), summer});
    changes.push_back({std::chrono::sys_seconds(WallTimeIn(year, *end) - summer), -*west});
  }
  std::ranges::stable_sort(changes, {}, &OffsetChange::at);
  return changes;
}

}  // namespace cairn::calendar
