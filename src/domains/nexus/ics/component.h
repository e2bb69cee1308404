// The components of a calendar file: BEGIN and END with properties between them. Pure; knows no meaning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domains/nexus/ics/content_line.h"

namespace cairn::nexus::ics {

inline constexpr size_t kComponentsMax = 20'000;
inline constexpr size_t kDepthMax = 8;
inline constexpr size_t kNotesMax = 1'000;  // those behind are only counted

// Something that was not taken over, for whoever wants to mend the file.
struct Note {
  int64_t line = 0;
  std::string component, property;  // "VEVENT", "RRULE"; may be ""
  std::string reason;
  friend bool operator==(const Note&, const Note&) = default;
};
struct Notes {
  std::vector<Note> first;
  int64_t total = 0;

  void Add(int64_t line, std::string_view component, std::string_view property, std::string reason);
};

struct Component {
  std::string name;  // in capitals
  int64_t line = 0;
  std::vector<ContentLine> properties;
  std::vector<Component> components;
  bool is_closed = false;  // false: the file ended first

  // The first of that name; null when there is none.
  const ContentLine* Find(std::string_view property) const;
};

// The outermost components. Lines that are none and ENDs that close nothing are noted. Fails with
// kLimitExceeded.
Result<std::vector<Component>> ReadComponents(std::string_view text, Notes& notes);

}  // namespace cairn::nexus::ics
