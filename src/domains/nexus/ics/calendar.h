// A calendar as other programs exchange it (RFC 5545), as far as this domain has a place for it. What
// read_calendar.h returns and write_calendar.h takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "calendar/zone.h"

namespace cairn::nexus::ics {

using calendar::LocalTime;

// A day, a floating wall time, or a wall time in a zone.
struct When {
  LocalTime wall{};
  std::string zone = {};  // of the IANA database, "UTC"; "": it floats
  bool is_date = false;   // then it floats and is midnight
  friend bool operator==(const When&, const When&) = default;
};

struct Content {
  std::string summary, description, location;
  std::vector<std::string> categories;  // sorted, none twice
  std::vector<int64_t> alarm_minutes;   // before the start; sorted, none twice
  When start, end;                      // the end is after the start
  friend bool operator==(const Content&, const Content&) = default;
};

// An occurrence of a series that is not as the rule has it. It says everything anew.
struct Override {
  LocalTime original;  // by the clock of the series
  Content content;
  std::optional<Time> modified = {};
  friend bool operator==(const Override&, const Override&) = default;
};

struct Event {
  std::string uid;
  Content content;
  std::string rrule;                       // "": happens once
  std::vector<LocalTime> exdates, rdates;  // by the clock of the series; sorted, none twice
  std::vector<Override> overrides;         // in the order of the originals, one for each
  std::optional<Time> created = {}, modified = {};
  int64_t line = 0;  // where it was read
};

enum class TodoStatus { kNeedsAction, kInProcess, kCompleted, kCancelled };

struct Todo {
  std::string uid, summary, description;
  std::vector<std::string> categories;
  std::optional<When> due = {};
  int64_t priority = 0;  // 1 the highest, 9 the lowest; 0: not said
  TodoStatus status = TodoStatus::kNeedsAction;
  std::string own_status = {};  // what this program calls it (X-CAIRN-STATUS); "" from others
  std::optional<Time> completed = {}, created = {}, modified = {};
  int64_t line = 0;
};

struct Calendar {
  std::vector<Event> events;
  std::vector<Todo> todos;
};

}  // namespace cairn::nexus::ics
