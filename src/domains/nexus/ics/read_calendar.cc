#include "domains/nexus/ics/read_calendar.h"

#include <algorithm>
#include <map>

#include "base/utf8.h"
#include "calendar/recurrence.h"
#include "domains/nexus/ics/date_time.h"
#include "domains/nexus/ics/read_content.h"
#include "domains/nexus/ics/zone_names.h"

namespace cairn::nexus::ics {
namespace {

constexpr size_t kUidBytesMax = 255;
constexpr size_t kDatesMax = 1'000;  // excluded or extra, of a series
constexpr size_t kTitleBytesMax = 500, kDescriptionBytesMax = 50'000;

// Whoever has only extra dates repeats without a rule: the start, and those.
constexpr std::string_view kOnceRule = "FREQ=DAILY;COUNT=1";

void SortUnique(std::vector<LocalTime>& locals) {
  std::ranges::sort(locals);
  const auto repeated = std::ranges::unique(locals);
  locals.erase(repeated.begin(), repeated.end());
}

bool IsCancelled(const Component& component) {
  const ContentLine* status = component.Find("STATUS");
  return status != nullptr && status->value == "CANCELLED";
}

std::string CompactLocal(LocalTime local) { return FormatWhen({.wall = local}); }

class CalendarReader {
 public:
  explicit CalendarReader(Reading& reading) : reading_(reading) {}

  // Zones first: they may stand behind what uses them.
  void ReadZones(const Component& calendar) {
    for (const Component& zone : calendar.components) {
      if (zone.name != "VTIMEZONE") continue;
      const ContentLine* id = zone.Find("TZID");
      const ContentLine* place = zone.Find("X-LIC-LOCATION");
      if (id == nullptr || place == nullptr) continue;
      if (const auto known = FindZone(place->value)) zones_[id->value] = *known;
    }
  }

  void Read(const Component& calendar) {
    for (const Component& component : calendar.components) {
      if (component.name == "VTIMEZONE") continue;
      const PropertyReader reader(component, zones_, reading_.notes);
      bool taken = false;
      if (!component.is_closed) {
        // Noted already.
      } else if (component.name == "VEVENT") {
        taken = ReadEvent(reader);
      } else if (component.name == "VTODO") {
        taken = ReadTodo(reader);
      } else {
        reader.Note("", "components of this kind are not understood");
      }
      if (!taken) ++reading_.skipped;
    }
  }

  // What was edited joins its series.
  void Finish() {
    for (Edited& edited : edited_) {
      const auto found = event_of_.find(edited.uid);
      Event* master = found == event_of_.end() ? nullptr : &reading_.calendar.events[found->second];
      if (master != nullptr && !master->rrule.empty()) {
        Join(*master, std::move(edited));
      } else if (edited.is_cancelled) {
        ++reading_.skipped;
      } else {
        // An occurrence without its series, as an invitation to it alone: an event.
        const std::string suffix = "/" + CompactLocal(edited.recurrence_id.wall);
        Add({.uid = std::string(CutUtf8(edited.uid, kUidBytesMax - suffix.size())) + suffix,
             .content = std::move(edited.content),
             .rrule = {},
             .exdates = {},
             .rdates = {},
             .overrides = {},
             .line = edited.line});
      }
    }
    for (Event& event : reading_.calendar.events) {
      SortUnique(event.exdates);
      if (event.exdates.size() > kDatesMax) {
        reading_.notes.Add(event.line, "VEVENT", "EXDATE",
                           "more than 1,000 excluded dates: the others are left out");
        event.exdates.resize(kDatesMax);
      }
      // Excluded is excluded, whatever else was said of it.
      std::erase_if(event.overrides, [&](const Override& one) {
        return std::ranges::binary_search(event.exdates, one.original);
      });
      std::ranges::sort(event.overrides, {}, &Override::original);
    }
  }

 private:
  struct Edited {
    std::string uid;
    When recurrence_id;
    Content content;
    bool is_cancelled = false;
    int64_t line = 0;
  };

  void Add(Event event) {
    auto& events = reading_.calendar.events;
    const auto [place, is_new] = event_of_.emplace(event.uid, events.size());
    if (is_new) {
      events.push_back(std::move(event));
    } else {
      reading_.notes.Add(event.line, "VEVENT", "UID", "stands in the file twice: the last one counts");
      ++reading_.skipped;
      events[place->second] = std::move(event);
    }
  }

  void Join(Event& master, Edited edited) {
    const LocalTime original = BySeries(edited.recurrence_id, master.content.start);
    if (edited.is_cancelled) {
      master.exdates.push_back(original);
      return;
    }
    auto& place = override_of_[{master.uid, original}];
    if (place == 0) {
      master.overrides.emplace_back();
      place = master.overrides.size();
    }
    master.overrides[place - 1] = {.original = original, .content = std::move(edited.content)};
  }

  // "" when it cannot be one.
  std::string UidOf(const PropertyReader& reader, const std::string& instead) const {
    const ContentLine* property = reader.component().Find("UID");
    std::string uid = property == nullptr ? "" : UnescapeText(property->value);
    std::erase_if(uid, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (uid.empty()) {
      // The same file then still means the same.
      uid = "without-uid/" + instead;
      return std::string(CutUtf8(uid, kUidBytesMax));
    }
    if (uid.size() <= kUidBytesMax) return uid;
    reader.Note(*property, "is longer than 255 bytes");
    return "";
  }

  bool ReadEvent(const PropertyReader& reader) {
    const Component& component = reader.component();
    auto content = reader.ContentOf();
    if (!content) return false;
    const std::string uid =
        UidOf(reader, FormatWhen(content->start) + "/" + content->start.zone + "/" + content->summary);
    if (uid.empty()) return false;
    const bool is_cancelled = IsCancelled(component);
    if (const ContentLine* id = component.Find("RECURRENCE-ID")) {
      if (!id->Parameter("RANGE").empty()) {
        reader.Note(*id, "a change of this and the following occurrences is not understood");
        return false;
      }
      auto when = reader.WhenOf(*id);
      if (!when) return false;
      edited_.push_back({.uid = uid,
                         .recurrence_id = *std::move(when),
                         .content = *std::move(content),
                         .is_cancelled = is_cancelled,
                         .line = component.line});
      return true;
    }
    if (is_cancelled) {
      reader.Note("STATUS", "the event is cancelled");
      return false;
    }
    Event event{.uid = uid,
                .content = *std::move(content),
                .rrule = {},
                .exdates = {},
                .rdates = {},
                .overrides = {},
                .line = component.line};
    if (!ReadRecurrence(reader, event)) return false;
    Add(std::move(event));
    return true;
  }

  // False: it repeats in a way that is not understood.
  bool ReadRecurrence(const PropertyReader& reader, Event& event) {
    const When& start = event.content.start;
    for (const When& when : reader.WhensOf("RDATE")) event.rdates.push_back(BySeries(when, start));
    const ContentLine* property = nullptr;
    for (const ContentLine& line : reader.component().properties) {
      if (line.name == "EXRULE") {
        reader.Note(line, "is not understood: the series is left out");
        return false;
      }
      if (line.name != "RRULE") continue;
      if (property != nullptr) {
        reader.Note(line, "a second rule is not understood: the series is left out");
        return false;
      }
      property = &line;
    }
    if (property == nullptr && event.rdates.empty()) return true;
    const std::string_view text = property == nullptr ? kOnceRule : std::string_view(property->value);
    const auto rule = calendar::Rule::Parse(text, start.wall, start.zone);
    if (!rule || (start.is_date && rule->has_times())) {
      reader.Note(*property,
                  rule ? "has times of the day, but the event is of whole days" : rule.error().message);
      return false;
    }
    event.rrule = rule->text();
    for (const When& when : reader.WhensOf("EXDATE")) event.exdates.push_back(BySeries(when, start));
    SortUnique(event.rdates);
    if (event.rdates.size() > kDatesMax) {
      reader.Note("RDATE", "more than 1,000 extra dates: the others are left out");
      event.rdates.resize(kDatesMax);
    }
    return true;
  }

  bool ReadTodo(const PropertyReader& reader) {
    const Component& component = reader.component();
    for (const char* name : {"RRULE", "RDATE", "RECURRENCE-ID"}) {
      if (const ContentLine* property = component.Find(name)) {
        reader.Note(*property, "tasks that repeat are not understood");
        return false;
      }
    }
    Todo todo{.uid = {},
              .summary = reader.Text("SUMMARY", kTitleBytesMax),
              .description = reader.Text("DESCRIPTION", kDescriptionBytesMax),
              .categories = reader.Categories(),
              .line = component.line};
    todo.uid = UidOf(reader, "task/" + todo.summary);
    if (todo.uid.empty()) return false;
    if (const ContentLine* due = component.Find("DUE")) {
      todo.due = reader.WhenOf(*due);
    } else if (const ContentLine* duration = component.Find("DURATION")) {
      const ContentLine* start = component.Find("DTSTART");
      const auto when = start == nullptr ? std::nullopt : reader.WhenOf(*start);
      if (when) todo.due = Later(*when, duration->value);
    }
    if (const ContentLine* priority = component.Find("PRIORITY")) {
      const std::string& text = priority->value;
      if (text.size() == 1 && text[0] >= '0' && text[0] <= '9') {
        todo.priority = text[0] - '0';
      } else {
        reader.Note(*priority, "is no number from 0 to 9");
      }
    }
    if (const ContentLine* completed = component.Find("COMPLETED")) {
      const auto when = reader.WhenOf(*completed);
      if (when) todo.completed = InstantOf(*when);
      todo.status = TodoStatus::kCompleted;
    }
    if (const ContentLine* status = component.Find("STATUS")) ReadStatus(reader, *status, todo);
    if (const ContentLine* own = component.Find("X-CAIRN-STATUS")) todo.own_status = own->value.substr(0, 20);
    if (!todo_uids_.emplace(todo.uid, reading_.calendar.todos.size()).second) {
      reader.Note("UID", "stands in the file twice: the last one counts");
      ++reading_.skipped;
      reading_.calendar.todos[todo_uids_[todo.uid]] = std::move(todo);
    } else {
      reading_.calendar.todos.push_back(std::move(todo));
    }
    return true;
  }

  static void ReadStatus(const PropertyReader& reader, const ContentLine& status, Todo& todo) {
    if (status.value == "COMPLETED") {
      todo.status = TodoStatus::kCompleted;
    } else if (status.value == "IN-PROCESS") {
      todo.status = TodoStatus::kInProcess;
    } else if (status.value == "CANCELLED") {
      todo.status = TodoStatus::kCancelled;
    } else if (status.value == "NEEDS-ACTION") {
      todo.status = TodoStatus::kNeedsAction;
    } else {
      reader.Note(status, "is none of NEEDS-ACTION, IN-PROCESS, COMPLETED, CANCELLED");
    }
  }

  Reading& reading_;
  ZonesOfFile zones_;
  std::map<std::string, size_t> event_of_, todo_uids_;
  std::map<std::pair<std::string, LocalTime>, size_t> override_of_;  // position + 1
  std::vector<Edited> edited_;
};

}  // namespace

Status CompleteSeries(Event& event) {
  const When& start = event.content.start;
  ASSIGN_OR_RETURN(calendar::Rule rule, calendar::Rule::Parse(event.rrule, start.wall, start.zone));
  calendar::Series series{.rule = std::move(rule), .start = start.wall, .exdates = {}, .rdates = {}};
  ASSIGN_OR_RETURN(const auto at_start,
                   calendar::Occurrences(series, start.wall, start.wall + std::chrono::seconds(1), 1));
  if (at_start.empty()) {
    event.rdates.push_back(start.wall);
    SortUnique(event.rdates);
  }
  series.exdates = event.exdates;
  series.rdates = event.rdates;
  ASSIGN_OR_RETURN(const auto first, calendar::NextOccurrence(series, calendar::kLocalMin));
  if (!first) return Fail(Code::kInvalidArgument, "The rule never happens.");
  return {};
}

Result<Reading> ReadCalendar(std::string_view text) {
  Reading reading;
  ASSIGN_OR_RETURN(const std::vector<Component> components, ReadComponents(text, reading.notes));
  CalendarReader reader(reading);
  bool has_calendar = false;
  for (const Component& component : components) {
    if (component.name == "VCALENDAR") reader.ReadZones(component);
  }
  for (const Component& component : components) {
    if (component.name == "VCALENDAR") {
      has_calendar = true;
      reader.Read(component);
    } else {
      reading.notes.Add(component.line, component.name, "", "stands outside of a VCALENDAR");
      ++reading.skipped;
    }
  }
  if (!has_calendar) return Fail(Code::kInvalidArgument, "There is no VCALENDAR in it");
  reader.Finish();
  return reading;
}

}  // namespace cairn::nexus::ics
