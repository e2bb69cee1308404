// What the properties of one component say: texts, times, alarms. Pure; used by read_calendar.cc only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domains/nexus/ics/calendar.h"
#include "domains/nexus/ics/component.h"

namespace cairn::nexus::ics {

// The zones that a file defines, by the names it has for them.
using ZonesOfFile = std::map<std::string, std::string, std::less<>>;

// Reads one component; what it cannot use is noted.
class PropertyReader {
 public:
  PropertyReader(const Component& component, const ZonesOfFile& zones, Notes& notes)
      : component_(component), zones_(zones), notes_(notes) {}

  const Component& component() const { return component_; }
  void Note(const ContentLine& property, std::string reason) const {
    notes_.Add(property.line, component_.name, property.name, std::move(reason));
  }
  void Note(std::string_view property, std::string reason) const {
    notes_.Add(component_.line, component_.name, property, std::move(reason));
  }

  // A text, cut to what can be stored; "" when there is none.
  std::string Text(std::string_view property, size_t bytes_max) const;
  std::vector<std::string> Categories() const;
  // Nothing, and a note, when the zone is unknown or the text is no time.
  std::optional<When> WhenOf(const ContentLine& property, std::string_view text) const;
  std::optional<When> WhenOf(const ContentLine& property) const { return WhenOf(property, property.value); }
  // Of a list of times, those that are some.
  std::vector<When> WhensOf(std::string_view property) const;
  std::vector<int64_t> AlarmMinutes(const When& start) const;
  // Nothing when there is no usable start.
  std::optional<Content> ContentOf() const;

 private:
  When EndOf(const When& start) const;
  std::optional<int64_t> MinutesBefore(const ContentLine& trigger, const When& start) const;

  const Component& component_;
  const ZonesOfFile& zones_;
  Notes& notes_;
};

// A time by the clock of the series that begins at `start`.
LocalTime BySeries(const When& when, const When& start);

// start + duration: days by the calendar, then hours exactly.
std::optional<When> Later(const When& start, std::string_view duration);

}  // namespace cairn::nexus::ics
