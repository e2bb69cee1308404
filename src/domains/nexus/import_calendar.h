// Use case: a calendar of another program becomes events, series and tasks. What has a UID that was imported
// before is changed, not made again; so an import that was interrupted is repeated, and goes on.
//
// Every event, every task and every series' master (with up to some eighty edited occurrences) is one
// transaction, and so are eighty more of its edited occurrences each. No transaction begins after twenty
// seconds: the answer says how much is left.
#pragma once

#include <cstdint>
#include <string>

#include "domains/nexus/ics/read_calendar.h"
#include "domains/nexus/nexus.h"

namespace cairn::nexus {

struct Imported {
  int64_t created = 0, updated = 0, unchanged = 0;
  int64_t skipped = 0;    // not understood, or refused
  int64_t remaining = 0;  // not looked at any more, or not to the end: send the same again
  ics::Notes notes;
};

Task<Decision<Imported>> ImportCalendar(Nexus& nexus, model::Caller caller, std::string text);

}  // namespace cairn::nexus
