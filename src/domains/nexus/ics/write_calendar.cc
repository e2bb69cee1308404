#include "domains/nexus/ics/write_calendar.h"

#include <algorithm>
#include <map>

#include "domains/nexus/ics/content_line.h"
#include "domains/nexus/ics/date_time.h"
#include "domains/nexus/ics/zone_definition.h"

namespace cairn::nexus::ics {
namespace {

int YearOf(LocalTime wall) {
  return static_cast<int>(std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(wall)).year());
}

void AppendText(std::string& out, std::string_view property, std::string_view text) {
  if (!text.empty()) AppendContentLine(out, std::string(property) + ":" + EscapeText(text));
}

void AppendCategories(std::string& out, const std::vector<std::string>& categories) {
  if (categories.empty()) return;
  std::string line = "CATEGORIES:";
  for (const std::string& category : categories) line += EscapeText(category) + ",";
  line.pop_back();
  AppendContentLine(out, line);
}

// What is required of every component is said even where nobody knows it: the same each time.
void AppendStamps(std::string& out, const std::optional<Time>& created, const std::optional<Time>& modified) {
  AppendContentLine(out, "DTSTAMP:" + FormatInstant(modified.value_or(Time())));
  if (created) AppendContentLine(out, "CREATED:" + FormatInstant(*created));
  if (modified) AppendContentLine(out, "LAST-MODIFIED:" + FormatInstant(*modified));
}

void AppendContent(std::string& out, const Content& content) {
  AppendContentLine(out, WhenLine("DTSTART", content.start));
  AppendContentLine(out, WhenLine("DTEND", content.end));
  AppendText(out, "SUMMARY", content.summary);
  AppendText(out, "DESCRIPTION", content.description);
  AppendText(out, "LOCATION", content.location);
  AppendCategories(out, content.categories);
}

void AppendAlarms(std::string& out, const Content& content) {
  for (const int64_t minutes : content.alarm_minutes) {
    AppendContentLine(out, "BEGIN:VALARM");
    AppendContentLine(out, "ACTION:DISPLAY");
    AppendContentLine(out,
                      "DESCRIPTION:" + (content.summary.empty() ? "Reminder" : EscapeText(content.summary)));
    AppendContentLine(out, (minutes == 0 ? "TRIGGER:PT" : "TRIGGER:-PT") + std::to_string(minutes) + "M");
    AppendContentLine(out, "END:VALARM");
  }
}

// A rule of whole days ends with a day.
std::string RuleFor(const Event& event) {
  constexpr std::string_view kUntil = "UNTIL=";
  constexpr size_t kDateChars = 8;
  const size_t until = event.rrule.find(kUntil);
  if (!event.content.start.is_date || until == std::string::npos) return event.rrule;
  const size_t end = std::min(event.rrule.find(';', until), event.rrule.size());
  return event.rrule.substr(0, until + kUntil.size() + kDateChars) + event.rrule.substr(end);
}

}  // namespace

void ZonesInUse::Add(const std::string& zone, LocalTime wall) {
  if (zone.empty() || zone == "UTC") return;
  Years& years = years_[zone];
  years.first = std::min(years.first, YearOf(wall));
  years.last = std::max(years.last, YearOf(wall));
}

void ZonesInUse::Add(const Content& content) {
  Add(content.start);
  Add(content.end);
}

void ZonesInUse::Add(const Event& event) {
  Add(event.content);
  for (const auto* dates : {&event.rdates, &event.exdates}) {
    for (const LocalTime date : *dates) Add(event.content.start.zone, date);
  }
  for (const Override& override : event.overrides) {
    Add(event.content.start.zone, override.original);
    Add(override.content);
  }
}

void ZonesInUse::Add(const Todo& todo) {
  if (todo.due) Add(*todo.due);
}

void ZonesInUse::Subtract(const ZonesInUse& others) {
  std::erase_if(years_, [&](const auto& zone) { return others.years_.contains(zone.first); });
}

void ZonesInUse::AppendTo(std::string& out) const {
  // What comes later follows the rules of then, as far as anybody knows them.
  constexpr int kLastYear = 2100;
  for (const auto& [zone, years] : years_) {
    // A zone that is not known cannot have been stored.
    (void)AppendZoneDefinition(
        out,
        {.zone = zone, .first = std::min(years.first, kLastYear), .last = std::min(years.last, kLastYear)});
  }
}

void AppendEvent(std::string& out, const Event& event) {
  const When& start = event.content.start;
  const auto by_series = [&start](LocalTime local) {
    return When{.wall = local, .zone = start.zone, .is_date = start.is_date};
  };
  AppendContentLine(out, "BEGIN:VEVENT");
  AppendText(out, "UID", event.uid);
  AppendStamps(out, event.created, event.modified);
  AppendContent(out, event.content);
  if (!event.rrule.empty()) {
    AppendContentLine(out, "RRULE:" + RuleFor(event));
    for (const LocalTime date : event.rdates) AppendContentLine(out, WhenLine("RDATE", by_series(date)));
    for (const LocalTime date : event.exdates) AppendContentLine(out, WhenLine("EXDATE", by_series(date)));
  }
  AppendAlarms(out, event.content);
  AppendContentLine(out, "END:VEVENT");
  for (const Override& override : event.overrides) {
    AppendContentLine(out, "BEGIN:VEVENT");
    AppendText(out, "UID", event.uid);
    AppendContentLine(out, WhenLine("RECURRENCE-ID", by_series(override.original)));
    AppendStamps(out, event.created, override.modified ? override.modified : event.modified);
    AppendContent(out, override.content);
    AppendAlarms(out, override.content);
    AppendContentLine(out, "END:VEVENT");
  }
}

void AppendTodo(std::string& out, const Todo& todo) {
  constexpr std::string_view kStatuses[] = {"NEEDS-ACTION", "IN-PROCESS", "COMPLETED", "CANCELLED"};
  AppendContentLine(out, "BEGIN:VTODO");
  AppendText(out, "UID", todo.uid);
  AppendStamps(out, todo.created, todo.modified);
  if (todo.due) AppendContentLine(out, WhenLine("DUE", *todo.due));
  AppendText(out, "SUMMARY", todo.summary);
  AppendText(out, "DESCRIPTION", todo.description);
  AppendCategories(out, todo.categories);
  if (todo.priority != 0) AppendContentLine(out, "PRIORITY:" + std::to_string(todo.priority));
  if (todo.completed) AppendContentLine(out, "COMPLETED:" + FormatInstant(*todo.completed));
  AppendContentLine(out, "STATUS:" + std::string(kStatuses[static_cast<size_t>(todo.status)]));
  AppendText(out, "X-CAIRN-STATUS", todo.own_status);
  AppendContentLine(out, "END:VTODO");
}

namespace {

// Without when it was made and changed.
std::string TimelessText(Event event) {
  event.created.reset();
  event.modified.reset();
  for (Override& override : event.overrides) override.modified.reset();
  std::string text;
  AppendEvent(text, event);
  return text;
}

}  // namespace

bool MeansTheSame(const Event& a, const Event& b) { return TimelessText(a) == TimelessText(b); }

void AppendBeginning(std::string& out, const ZonesInUse& zones) {
  AppendContentLine(out, "BEGIN:VCALENDAR");
  AppendContentLine(out, "VERSION:2.0");
  AppendContentLine(out, "PRODID:-//Cairn//Nexus//EN");
  AppendContentLine(out, "CALSCALE:GREGORIAN");
  AppendContentLine(out, "X-WR-CALNAME:Cairn");
  zones.AppendTo(out);
}

void AppendEnd(std::string& out) { AppendContentLine(out, "END:VCALENDAR"); }

std::string WriteCalendar(const Calendar& calendar) {
  ZonesInUse zones;
  for (const Event& event : calendar.events) zones.Add(event);
  for (const Todo& todo : calendar.todos) zones.Add(todo);
  std::string out;
  AppendBeginning(out, zones);
  for (const Event& event : calendar.events) AppendEvent(out, event);
  for (const Todo& todo : calendar.todos) AppendTodo(out, todo);
  AppendEnd(out);
  return out;
}

}  // namespace cairn::nexus::ics
