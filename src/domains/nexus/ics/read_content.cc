#include "domains/nexus/ics/read_content.h"

#include <algorithm>

#include "base/utf8.h"
#include "domains/nexus/ics/date_time.h"
#include "domains/nexus/ics/zone_names.h"

namespace cairn::nexus::ics {
namespace {

using std::chrono::days;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr size_t kTitleBytesMax = 500, kDescriptionBytesMax = 50'000, kLocationBytesMax = 1'000;
constexpr size_t kTagsMax = 50, kTagBytesMax = 100;
constexpr size_t kAlarmsMax = 10;
constexpr int64_t kAlarmMinutesMax = 525'600;
constexpr minutes kShortest{1};  // what others let end when it begins

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

template <class T>
void SortUnique(std::vector<T>& values) {
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
}

// Whether one comes after the other; of what floats, as the walls show it.
bool IsAfter(const When& a, const When& b) {
  const auto instant_a = InstantOf(a), instant_b = InstantOf(b);
  return instant_a && instant_b && *instant_a > *instant_b;
}

bool IsInRange(LocalTime wall) {
  return wall >= std::chrono::local_days(std::chrono::year(1900) / 1 / 1) &&
         wall < std::chrono::local_days(std::chrono::year(3000) / 1 / 1);
}

}  // namespace

LocalTime BySeries(const When& when, const When& start) {
  const LocalTime day = std::chrono::floor<days>(when.wall);
  if (start.is_date) return day;
  if (when.is_date) return day + (start.wall - std::chrono::floor<days>(start.wall));
  if (when.zone == start.zone || when.zone.empty() || start.zone.empty()) return when.wall;
  const auto instant = InstantOf(when);
  const auto there = instant ? calendar::ToLocal(*instant, start.zone) : calendar::ToLocal({}, "UTC");
  return instant && there ? *there : when.wall;
}

std::optional<When> Later(const When& start, std::string_view text) {
  const auto duration = ParseDuration(text);
  if (!duration) return std::nullopt;
  When end = start;
  end.wall += duration->days;
  if (duration->seconds != seconds(0)) {
    const auto instant = start.zone.empty() ? std::nullopt : InstantOf(end);
    if (instant) {
      end = InZone(*instant + duration->seconds, start.zone);
    } else {
      end.wall += duration->seconds;
    }
  }
  if (end.is_date) end.wall = std::chrono::ceil<days>(end.wall);
  if (!IsInRange(end.wall)) return std::nullopt;
  return end;
}

std::string PropertyReader::Text(std::string_view property, size_t bytes_max) const {
  const ContentLine* found = component_.Find(property);
  if (found == nullptr) return "";
  std::string text = UnescapeText(found->value);
  if (text.size() <= bytes_max) return text;
  Note(*found, "is longer than " + std::to_string(bytes_max) + " bytes: the end is left out");
  return std::string(CutUtf8(text, bytes_max));
}

std::vector<std::string> PropertyReader::Categories() const {
  std::vector<std::string> categories;
  for (const ContentLine& property : component_.properties) {
    if (property.name != "CATEGORIES") continue;
    for (const std::string& text : SplitTexts(property.value)) {
      const std::string_view category = Trimmed(text);
      if (category.size() > kTagBytesMax) {
        Note(property, "has a category of more than 100 bytes, which is left out");
      } else if (!category.empty()) {
        categories.emplace_back(category);
      }
    }
  }
  SortUnique(categories);
  if (categories.size() > kTagsMax) {
    Note("CATEGORIES", "has more than 50 categories: the others are left out");
    categories.resize(kTagsMax);
  }
  return categories;
}

std::optional<When> PropertyReader::WhenOf(const ContentLine& property, std::string_view text) const {
  const std::string_view tzid = property.Parameter("TZID");
  std::string zone;
  text = Trimmed(text);
  const bool needs_zone =
      !tzid.empty() && text.find_first_of("Tt") != text.npos && !text.ends_with('Z') && !text.ends_with('z');
  if (needs_zone) {
    auto known = FindZone(tzid);
    if (const auto defined = zones_.find(tzid); !known && defined != zones_.end()) known = defined->second;
    if (!known) {
      Note(property, "the time zone \"" + std::string(CutUtf8(tzid, 60)) + "\" is not known");
      return std::nullopt;
    }
    zone = *std::move(known);
  }
  const auto when = ParseWhen(text, zone);
  if (!when) Note(property, "is no date or time of the years 1900 to 2999");
  return when;
}

std::vector<When> PropertyReader::WhensOf(std::string_view name) const {
  std::vector<When> whens;
  for (const ContentLine& property : component_.properties) {
    if (property.name != name) continue;
    const bool are_periods = property.Parameter("VALUE") == "PERIOD";
    if (are_periods) Note(property, "periods: their lengths are ignored, the series' own is taken");
    std::string_view rest = property.value;
    while (!rest.empty()) {
      const size_t comma = std::min(rest.find(','), rest.size());
      std::string_view text = rest.substr(0, comma);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      if (are_periods) text = text.substr(0, text.find('/'));
      if (auto when = WhenOf(property, text)) whens.push_back(*std::move(when));
    }
  }
  return whens;
}

std::optional<int64_t> PropertyReader::MinutesBefore(const ContentLine& trigger, const When& start) const {
  const std::string_view text = Trimmed(trigger.value);
  seconds before{};
  if (const auto duration = ParseDuration(text)) {
    if (trigger.Parameter("RELATED") == "END") {
      Note(trigger, "an alarm before the end is not understood");
      return std::nullopt;
    }
    before = -(duration->days + duration->seconds);
  } else {
    const auto at = ParseWhen(text, "UTC");
    const auto moment = at ? InstantOf(*at) : std::nullopt, begins = InstantOf(start);
    if (!moment || !begins || start.zone.empty()) {
      Note(trigger, "is neither a duration nor a moment before a start in a time zone");
      return std::nullopt;
    }
    before = std::chrono::duration_cast<seconds>(*begins - *moment);
  }
  const int64_t minutes_before = std::chrono::floor<minutes>(before).count();
  if (minutes_before < 0 || minutes_before > kAlarmMinutesMax) {
    Note(trigger, "an alarm after the start, or more than a year before, is not understood");
    return std::nullopt;
  }
  return minutes_before;
}

std::vector<int64_t> PropertyReader::AlarmMinutes(const When& start) const {
  std::vector<int64_t> all;
  for (const Component& alarm : component_.components) {
    if (alarm.name != "VALARM") continue;
    const ContentLine* action = alarm.Find("ACTION");
    if (action != nullptr && action->value == "NONE") continue;  // Apple's way to say that there is none
    const ContentLine* trigger = alarm.Find("TRIGGER");
    const PropertyReader reader(alarm, zones_, notes_);
    if (trigger == nullptr) {
      reader.Note("TRIGGER", "is missing");
    } else if (const auto minutes_before = reader.MinutesBefore(*trigger, start)) {
      all.push_back(*minutes_before);
    }
  }
  SortUnique(all);
  if (all.size() > kAlarmsMax) {
    Note("VALARM", "has more than 10 alarms: the earliest are left out");
    all.resize(kAlarmsMax);
  }
  return all;
}

When PropertyReader::EndOf(const When& start) const {
  When shortest = start;
  if (start.zone.empty()) {
    shortest.wall += start.is_date ? seconds(days(1)) : seconds(kShortest);
  } else {
    shortest = InZone(*InstantOf(start) + kShortest, start.zone);
  }
  std::optional<When> end;
  const ContentLine* property = component_.Find("DTEND");
  if (property != nullptr) {
    end = WhenOf(*property);
  } else if ((property = component_.Find("DURATION")) != nullptr) {
    end = Later(start, Trimmed(property->value));
    if (!end) Note(*property, "is no duration");
  }
  if (!end) return shortest;
  if (end->is_date != start.is_date || end->zone.empty() != start.zone.empty()) {
    Note(*property, "is of another kind than the start: read by the start's clock");
    *end = {.wall = BySeries(*end, start), .zone = start.zone, .is_date = start.is_date};
  }
  if (IsAfter(*end, start)) return *end;
  if (end->wall != start.wall) Note(*property, "is before the start");
  return shortest;
}

std::optional<Content> PropertyReader::ContentOf() const {
  const ContentLine* property = component_.Find("DTSTART");
  if (property == nullptr) {
    Note("DTSTART", "is missing");
    return std::nullopt;
  }
  const auto start = WhenOf(*property);
  if (!start) return std::nullopt;
  if (!InstantOf(*start)) {
    Note(*property, "is too far away");
    return std::nullopt;
  }
  Content content{.summary = Text("SUMMARY", kTitleBytesMax),
                  .description = Text("DESCRIPTION", kDescriptionBytesMax),
                  .location = Text("LOCATION", kLocationBytesMax),
                  .categories = Categories(),
                  .alarm_minutes = AlarmMinutes(*start),
                  .start = *start,
                  .end = EndOf(*start)};
  return content;
}

}  // namespace cairn::nexus::ics
