// The same series as expand.cc takes, as libical expands them: another hand's opinion, for the tests beside
// it. Reads RRULE, start, from, to and max of the same lines; zones, EXDATE and RDATE do not matter to it.
// Answers "ok" and the local times in [from, to), or "refused".
#include <libical/ical.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct FreeIterator {
  void operator()(icalrecur_iterator* iterator) const { icalrecur_iterator_free(iterator); }
};

// 2026-11-16T09:00:00 -> 20261116T090000
std::string Compact(std::string text) {
  std::erase(text, '-');
  std::erase(text, ':');
  return text;
}

std::string Expand(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  fields.resize(8);
  const icalrecurrencetype rule = icalrecurrencetype_from_string(fields[0].c_str());
  if (rule.freq == ICAL_NO_RECURRENCE) return "refused\t";
  const std::string from = Compact(fields[3]), to = Compact(fields[4]);
  const std::unique_ptr<icalrecur_iterator, FreeIterator> iterator(
      icalrecur_iterator_new(rule, icaltime_from_string(Compact(fields[1]).c_str())));
  if (!iterator) return "refused\t";
  std::string text = "ok\t";
  for (size_t left = std::strtoull(fields[5].c_str(), nullptr, 10); left > 0;) {
    const icaltimetype time = icalrecur_iterator_next(iterator.get());
    if (icaltime_is_null_time(time)) break;
    const std::string local = icaltime_as_ical_string(time);
    if (local >= to) break;
    if (local < from) continue;
    text += local + " ";
    --left;
  }
  return text;
}

}  // namespace

int main() {
  icalerror_set_errors_are_fatal(0);
  for (std::string line; std::getline(std::cin, line);) std::cout << Expand(line) << std::endl;
}
