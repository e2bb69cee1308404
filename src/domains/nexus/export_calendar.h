// Use case: all that someone has, as a calendar for other programs: events, series with what was edited of
// them, tasks. The same text as long as nothing changes.
//
// A calendar of usual size, up to 256 KB, is made as a whole. A larger one is read twice: once for what must
// be known before the first byte (which zones are in it, and a tag that changes with it), and once more while
// it is sent, so that no more than a page of it is ever in memory.
#pragma once

#include <memory>
#include <string>

#include "domains/nexus/nexus.h"
#include "http/http.h"

namespace cairn::nexus {

struct CalendarExport {
  std::string tag;                           // changes with the text
  std::string text;                          // the whole calendar, or
  std::shared_ptr<http::BodySource> source;  // what makes it; `nexus` must outlive it
};
Task<Decision<CalendarExport>> ExportCalendar(Nexus& nexus, model::Caller caller);

}  // namespace cairn::nexus
