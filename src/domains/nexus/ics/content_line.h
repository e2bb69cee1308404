// Content lines of RFC 5545 (3.1): "DTSTART;TZID=Europe/Berlin:20261116T090000", folded over several lines of
// the file. Pure. Reading takes what is found in the wild and never fails as a whole; what it gives is UTF-8
// without control characters but tabs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::nexus::ics {

struct ContentLine {
  int64_t line = 0;                                             // of the file, from 1: where it begins
  std::string name;                                             // in capitals
  std::vector<std::pair<std::string, std::string>> parameters;  // names in capitals, values without quotes
  std::string value;

  // "" when there is none.
  std::string_view Parameter(std::string_view parameter) const;
};

// Hands out a file's lines, unfolded. Ends of lines are CR LF, LF or CR; a byte order mark at the beginning
// is dropped, bytes that are not UTF-8 become U+FFFD (after unfolding: others fold inside of characters).
class LineReader {
 public:
  explicit LineReader(std::string_view text);

  struct Line {
    int64_t number = 0;
    std::string text;
  };
  // Skips empty lines; nothing at the end.
  std::optional<Line> Next();

 private:
  std::string_view TakePhysical();

  std::string_view rest_;
  int64_t number_ = 0;
};

// Nothing when it is no content line: no name, or no value.
std::optional<ContentLine> ParseContentLine(const LineReader::Line& line);

// Appends one line with CR LF, folded so that no line has more than 75 octets and no character is torn.
// Precondition: UTF-8 without ends of lines.
void AppendContentLine(std::string& out, std::string_view line);

// Values of type TEXT. Ends of lines become \n, other control characters but tabs are dropped.
std::string EscapeText(std::string_view text);
std::string UnescapeText(std::string_view value);
// The elements of a list of texts, unescaped.
std::vector<std::string> SplitTexts(std::string_view value);

}  // namespace cairn::nexus::ics
