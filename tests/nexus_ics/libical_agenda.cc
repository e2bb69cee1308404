// What libical reads in a calendar.
//   ics_libical agenda <from> <to> < file   one line for each occurrence: start TAB end TAB summary, in UTC
//   ics_libical zones <instant>... < file   one line for each VTIMEZONE: its name and its offsets at the
//   instants
// Times are 20261116T090000Z. What floats is taken for UTC. Zones are those that the file defines.
#include <libical/ical.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

std::string Utc(icaltimetype time) {
  if (!time.is_date && time.zone != nullptr)
    time = icaltime_convert_to_zone(time, icaltimezone_get_utc_timezone());
  std::string text = icaltime_as_ical_string(time);
  if (time.is_date) text += "T000000";
  if (!text.ends_with("Z")) text += "Z";
  return text;
}

struct Edited {
  std::set<std::pair<std::string, std::string>> originals;  // uid and start, in UTC
};

struct Expansion {
  const Edited* edited;
  icalcomponent* event;
  std::string uid, summary;
};

time_t DurationOf(icalcomponent* event) {
  const icaltimetype start = icalcomponent_get_dtstart(event), end = icalcomponent_get_dtend(event);
  return icaltime_as_timet_with_zone(end, end.zone) - icaltime_as_timet_with_zone(start, start.zone);
}

void Print(time_t start, time_t end, const std::string& summary) {
  const auto text = [](time_t time) {
    return Utc(icaltime_from_timet_with_zone(time, 0, icaltimezone_get_utc_timezone()));
  };
  std::cout << text(start) << "\t" << text(end) << "\t" << summary << "\n";
}

void OnOccurrence(icalcomponent*, icaltime_span* span, void* data) {
  const auto& expansion = *static_cast<Expansion*>(data);
  const std::string start =
      Utc(icaltime_from_timet_with_zone(span->start, 0, icaltimezone_get_utc_timezone()));
  if (expansion.edited->originals.contains({expansion.uid, start})) return;
  // The span of whole days ends a second early, and a day late.
  const bool is_date = icalcomponent_get_dtstart(expansion.event).is_date;
  Print(span->start, is_date ? span->start + DurationOf(expansion.event) : span->end, expansion.summary);
}

// libical expands RDATEs without their zone, so they are taken out and printed here.
void PrintExtraDates(icalcomponent* event, const Expansion& expansion) {
  std::vector<icalproperty*> extra;
  for (icalproperty* one = icalcomponent_get_first_property(event, ICAL_RDATE_PROPERTY); one != nullptr;
       one = icalcomponent_get_next_property(event, ICAL_RDATE_PROPERTY)) {
    extra.push_back(one);
  }
  for (icalproperty* one : extra) {
    icaltimetype time = icalproperty_get_rdate(one).time;
    if (icalparameter* zone = icalproperty_get_first_parameter(one, ICAL_TZID_PARAMETER)) {
      icalcomponent* calendar = icalcomponent_get_parent(event);
      time = icaltime_set_timezone(&time, icalcomponent_get_timezone(calendar, icalparameter_get_tzid(zone)));
    }
    if (!expansion.edited->originals.contains({expansion.uid, Utc(time)})) {
      const time_t start = icaltime_as_timet_with_zone(time, time.zone);
      Print(start, start + DurationOf(event), expansion.summary);
    }
    icalcomponent_remove_property(event, one);
    icalproperty_free(one);
  }
}

template <class Do>
void ForEvents(icalcomponent* calendar, Do what) {
  for (icalcomponent* event = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT);
       event != nullptr; event = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)) {
    what(event);
  }
}

int Agenda(icalcomponent* calendar, const std::string& from, const std::string& to) {
  Edited edited;
  ForEvents(calendar, [&](icalcomponent* event) {
    icalproperty* id = icalcomponent_get_first_property(event, ICAL_RECURRENCEID_PROPERTY);
    if (id == nullptr) return;
    const icaltimetype original = icalproperty_get_datetime_with_component(id, event);
    edited.originals.emplace(icalcomponent_get_uid(event), Utc(original));
  });
  std::vector<icalcomponent*> events;
  ForEvents(calendar, [&](icalcomponent* event) { events.push_back(event); });
  for (icalcomponent* event : events) {
    const char* summary = icalcomponent_get_summary(event);
    const bool is_edited = icalcomponent_get_first_property(event, ICAL_RECURRENCEID_PROPERTY) != nullptr;
    if (is_edited) {
      std::cout << Utc(icalcomponent_get_dtstart(event)) << "\t" << Utc(icalcomponent_get_dtend(event))
                << "\t" << (summary == nullptr ? "" : summary) << "\n";
      continue;
    }
    Expansion expansion{&edited, event, icalcomponent_get_uid(event), summary == nullptr ? "" : summary};
    PrintExtraDates(event, expansion);
    icalcomponent_foreach_recurrence(event, icaltime_from_string(from.c_str()),
                                     icaltime_from_string(to.c_str()), &OnOccurrence, &expansion);
  }
  return 0;
}

int Zones(icalcomponent* calendar, const std::vector<std::string>& instants) {
  for (icalcomponent* component = icalcomponent_get_first_component(calendar, ICAL_VTIMEZONE_COMPONENT);
       component != nullptr;
       component = icalcomponent_get_next_component(calendar, ICAL_VTIMEZONE_COMPONENT)) {
    icaltimezone* zone = icaltimezone_new();
    if (!icaltimezone_set_component(zone, icalcomponent_new_clone(component))) return 1;
    std::cout << icaltimezone_get_tzid(zone);
    for (const std::string& instant : instants) {
      icaltimetype time = icaltime_from_string(instant.c_str());
      int is_daylight = 0;
      std::cout << "\t" << icaltimezone_get_utc_offset_of_utc_time(zone, &time, &is_daylight);
    }
    std::cout << "\n";
    icaltimezone_free(zone, 1);
  }
  return 0;
}

// What libical could not read became properties that say so.
bool HasErrors(icalcomponent* component) { return icalcomponent_count_errors(component) > 0; }

}  // namespace

int main(int count, char** arguments) {
  icalerror_set_errors_are_fatal(0);
  const std::vector<std::string> words(arguments + 1, arguments + count);
  const std::string text((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  icalcomponent* calendar = icalparser_parse_string(text.c_str());
  if (calendar == nullptr || icalcomponent_isa(calendar) != ICAL_VCALENDAR_COMPONENT || HasErrors(calendar)) {
    std::cerr << "libical finds errors\n"
              << (calendar == nullptr ? "" : icalcomponent_as_ical_string(calendar));
    return 1;
  }
  if (!icalrestriction_check(calendar)) {
    std::cerr << "libical finds broken rules\n" << icalcomponent_as_ical_string(calendar);
    return 1;
  }
  int code = 2;
  if (words.size() == 3 && words[0] == "agenda") code = Agenda(calendar, words[1], words[2]);
  if (!words.empty() && words[0] == "zones") code = Zones(calendar, {words.begin() + 1, words.end()});
  icalcomponent_free(calendar);
  icalmemory_free_ring();
  return code;
}
