// Expands series for the Python tests beside it. One series per line of standard input, fields between tabs:
//   RRULE  start  zone ("" floats)  from  to  max  EXDATEs  RDATEs     (local times, lists between commas)
// One line of standard output each: "ok" or the code of the error, a tab, and "local/UTC" of every
// occurrence, or the error's message.
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "base/time_text.h"
#include "calendar/recurrence.h"

namespace cairn::calendar {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<LocalTime> Times(const std::string& text) {
  std::vector<LocalTime> times;
  for (const std::string& time : Split(text, ',')) times.push_back(ParseLocal(time).value());
  return times;
}

Result<std::string> Expand(const std::string& line) {
  std::vector<std::string> fields = Split(line, '\t');
  fields.resize(8);
  const std::string& zone = fields[2];
  ASSIGN_OR_RETURN(const LocalTime start, ParseLocal(fields[1]));
  ASSIGN_OR_RETURN(Rule rule, Rule::Parse(fields[0], start, zone));
  const Series series{
      .rule = std::move(rule), .start = start, .exdates = Times(fields[6]), .rdates = Times(fields[7])};
  ASSIGN_OR_RETURN(const LocalTime from, ParseLocal(fields[3]));
  ASSIGN_OR_RETURN(const LocalTime to, ParseLocal(fields[4]));
  ASSIGN_OR_RETURN(const auto occurrences,
                   Occurrences(series, from, to, std::strtoull(fields[5].c_str(), nullptr, 10)));
  std::string text;
  for (const LocalTime occurrence : occurrences) {
    ASSIGN_OR_RETURN(const Time instant, ToInstant(occurrence, zone.empty() ? "UTC" : zone));
    if (!text.empty()) text += ' ';
    text += FormatLocal(occurrence) + "/" + FormatIsoMilliseconds(instant).substr(0, 19);
  }
  return text;
}

}  // namespace
}  // namespace cairn::calendar

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto expanded = cairn::calendar::Expand(line);
    if (expanded)
      std::cout << "ok\t" << *expanded << '\n';
    else
      std::cout << cairn::CodeName(expanded.error().code) << '\t' << expanded.error().message << '\n';
  }
}
