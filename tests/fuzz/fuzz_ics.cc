// A calendar file. Whatever is read of it can be written, and what was written is read back the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "domains/nexus/ics/read_calendar.h"
#include "domains/nexus/ics/write_calendar.h"

namespace {

using namespace cairn::nexus::ics;

bool Same(const Event& a, const Event& b) {
  return a.uid == b.uid && a.content == b.content && a.rrule == b.rrule && a.exdates == b.exdates &&
         a.rdates == b.rdates && a.overrides == b.overrides;
}
bool Same(const Todo& a, const Todo& b) {
  return a.uid == b.uid && a.summary == b.summary && a.description == b.description &&
         a.categories == b.categories && a.due == b.due && a.priority == b.priority && a.status == b.status &&
         a.own_status == b.own_status && a.completed == b.completed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto first = ReadCalendar({reinterpret_cast<const char*>(data), size});
  if (!first) return 0;
  const std::string text = WriteCalendar(first->calendar);
  CHECK(cairn::IsUtf8(text), "text is written");
  for (std::string_view rest = text; !rest.empty();) {
    const size_t end = rest.find("\r\n");
    CHECK(end != rest.npos && end <= 75, "lines are folded");
    rest.remove_prefix(end + 2);
  }
  const auto again = ReadCalendar(text);
  CHECK(again.has_value(), "what was written is a calendar");
  CHECK(again->calendar.events.size() == first->calendar.events.size(), "all events");
  CHECK(again->calendar.todos.size() == first->calendar.todos.size(), "all tasks");
  for (size_t i = 0; i < first->calendar.events.size(); ++i)
    CHECK(Same(first->calendar.events[i], again->calendar.events[i]), "the same event");
  for (size_t i = 0; i < first->calendar.todos.size(); ++i)
    CHECK(Same(first->calendar.todos[i], again->calendar.todos[i]), "the same task");
  return 0;
}
