// Lines "Europe/Berlin 2000 2026" become one calendar with their definitions.
#include <iostream>
#include <sstream>
#include <string>

#include "domains/nexus/ics/zone_definition.h"

int main() {
  std::string out = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:zones\r\n";
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    cairn::nexus::ics::ZoneYears years;
    words >> years.zone >> years.first >> years.last;
    if (!cairn::nexus::ics::AppendZoneDefinition(out, years)) {
      std::cerr << "unknown: " << years.zone << "\n";
      return 1;
    }
  }
  std::cout << out << "END:VCALENDAR\r\n";
}
