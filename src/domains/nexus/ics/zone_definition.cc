#include "domains/nexus/ics/zone_definition.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "calendar/zone_changes.h"
#include "domains/nexus/ics/content_line.h"
#include "domains/nexus/ics/date_time.h"

namespace cairn::nexus::ics {
namespace {

using calendar::ZoneChange;
using std::chrono::days;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr int kYearsAhead = 30;
constexpr size_t kRuleFrom = 3;  // so many in a row make a rule
constexpr std::string_view kWeekdays[] = {"SU", "MO", "TU", "WE", "TH", "FR", "SA"};

std::string OffsetText(seconds offset) {
  const int64_t size = std::abs(offset.count());
  std::string text(offset.count() < 0 ? "-" : "+");
  const auto two = [&text](int64_t number) {
    text += static_cast<char>('0' + number / 10);
    text += static_cast<char>('0' + number % 10);
  };
  two(size / 3600);
  two(size / 60 % 60);
  if (size % 60 != 0) two(size % 60);
  return text;
}

// A change as the clocks before it show it.
struct Onset {
  ZoneChange change;
  LocalTime wall;
  int year;
  unsigned month, day, weekday;

  explicit Onset(const ZoneChange& of)
      : change(of), wall((of.at + of.before).time_since_epoch()), year(0), month(0), day(0), weekday(0) {
    const auto date = std::chrono::floor<days>(wall);
    const year_month_day parts{date};
    year = static_cast<int>(parts.year());
    month = static_cast<unsigned>(parts.month());
    day = static_cast<unsigned>(parts.day());
    weekday = std::chrono::weekday(date).c_encoding();
  }

  seconds time() const { return wall - std::chrono::floor<days>(wall); }
  int number() const { return static_cast<int>(day - 1) / 7 + 1; }  // the how-manieth of its weekday
  bool is_last() const {
    const auto in_a_week = year_month_day(std::chrono::floor<days>(wall) + days(7));
    return static_cast<unsigned>(in_a_week.month()) != month;
  }
};

// Changes of following years on the same weekday of a month.
struct Run {
  std::vector<Onset> onsets;
  bool all_last = true, all_numbered = true;

  bool Takes(const Onset& onset) const {
    if (onset.year != onsets.back().year + 1) return false;
    const bool last = all_last && onset.is_last();
    const bool numbered = all_numbered && onset.number() == onsets.front().number();
    return last || numbered;
  }
  void Add(const Onset& onset) {
    all_last = all_last && onset.is_last();
    all_numbered = all_numbered && (onsets.empty() || onset.number() == onsets.front().number());
    onsets.push_back(onset);
  }
};

void AppendObservance(std::string& out, seconds before, seconds after, LocalTime start,
                      const std::string& further) {
  const char* name = after > before ? "DAYLIGHT" : "STANDARD";
  AppendContentLine(out, std::string("BEGIN:") + name);
  AppendContentLine(out, WhenLine("DTSTART", {.wall = start}));
  AppendContentLine(out, "TZOFFSETFROM:" + OffsetText(before));
  AppendContentLine(out, "TZOFFSETTO:" + OffsetText(after));
  out += further;
  AppendContentLine(out, std::string("END:") + name);
}

void AppendRun(std::string& out, const Run& run, int last_year) {
  const Onset& first = run.onsets.front();
  if (run.onsets.size() < kRuleFrom) {
    // One by one, not as RDATEs: beside those ical.js 2.2 forgets the DTSTART.
    for (const Onset& onset : run.onsets)
      AppendObservance(out, onset.change.before, onset.change.after, onset.wall, "");
    return;
  }
  const std::string number = run.all_last ? "-1" : std::to_string(first.number());
  std::string rule = "RRULE:FREQ=YEARLY;BYMONTH=" + std::to_string(first.month) + ";BYDAY=" + number +
                     std::string(kWeekdays[first.weekday]);
  if (run.onsets.back().year < last_year)
    rule += ";UNTIL=" + FormatInstant(Time(run.onsets.back().change.at));
  std::string rule_line;
  AppendContentLine(rule_line, rule);
  AppendObservance(out, first.change.before, first.change.after, first.wall, rule_line);
}

// By what a rule of every year would have in common; each run in the order of time.
std::vector<Run> RunsOf(const std::vector<ZoneChange>& changes) {
  using Likeness = std::tuple<int64_t, int64_t, unsigned, unsigned, int64_t>;
  std::map<Likeness, std::vector<Run>> alike;
  for (const ZoneChange& change : changes) {
    const Onset onset(change);
    auto& runs = alike[{change.before.count(), change.after.count(), onset.month, onset.weekday,
                        onset.time().count()}];
    if (runs.empty() || !runs.back().Takes(onset)) runs.emplace_back();
    runs.back().Add(onset);
  }
  std::vector<Run> all;
  for (auto& [likeness, runs] : alike) std::ranges::move(runs, std::back_inserter(all));
  std::ranges::sort(all, {}, [](const Run& run) { return run.onsets.front().change.at; });
  return all;
}

}  // namespace

Status AppendZoneDefinition(std::string& out, const ZoneYears& years) {
  const auto first_day = [](int year) {
    return sys_days(std::chrono::year(year) / std::chrono::January / 1);
  };
  const int last_year = years.last + kYearsAhead;
  // A day early: no local time of the first year comes before.
  const sys_days from = first_day(years.first) - days(2);
  ASSIGN_OR_RETURN(const auto stretch, calendar::ZoneChanges(years.zone, from, first_day(last_year + 1)));
  AppendContentLine(out, "BEGIN:VTIMEZONE");
  AppendContentLine(out, "TZID:" + years.zone);
  AppendContentLine(out, "X-LIC-LOCATION:" + years.zone);
  AppendObservance(out, stretch.offset_at_start, stretch.offset_at_start,
                   LocalTime((from + stretch.offset_at_start).time_since_epoch()), "");
  for (const Run& run : RunsOf(stretch.changes)) AppendRun(out, run, last_year);
  AppendContentLine(out, "END:VTIMEZONE");
  return {};
}

}  // namespace cairn::nexus::ics
