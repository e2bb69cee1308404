// Writes a calendar for other programs (RFC 5545). Pure but for the zone database.
#pragma once

#include <map>
#include <string>

#include "domains/nexus/ics/calendar.h"

namespace cairn::nexus::ics {

// The same text for the same calendar. Precondition: zones are known, texts are UTF-8.
std::string WriteCalendar(const Calendar& calendar);

// ---- The same in parts, for a calendar that is too large to be at hand as a whole.

// The zones that times are in, and the years for which they must be right.
class ZonesInUse {
 public:
  void Add(const Event& event);
  void Add(const Todo& todo);
  // Leaves those out that `others` has, too.
  void Subtract(const ZonesInUse& others);
  // Their definitions.
  void AppendTo(std::string& out) const;

 private:
  struct Years {
    int first = 9999, last = 0;
  };
  void Add(const std::string& zone, LocalTime wall);
  void Add(const When& when) { Add(when.zone, when.wall); }
  void Add(const Content& content);

  std::map<std::string, Years> years_;
};

void AppendBeginning(std::string& out, const ZonesInUse& zones);
void AppendEvent(std::string& out, const Event& event);
void AppendTodo(std::string& out, const Todo& todo);
void AppendEnd(std::string& out);

// Whether others would read the same in both, whenever they were changed.
bool MeansTheSame(const Event& a, const Event& b);

}  // namespace cairn::nexus::ics
