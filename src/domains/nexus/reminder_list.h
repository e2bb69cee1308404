// All reminders of a user in the order of their moments; those without one come last.
//
// They lie in the order of their ids, and an index by moment has events and tasks among them. So a page goes
// over all of them and keeps its share: memory is bounded by the page, time by what the user has.
#pragma once

#include <string>
#include <vector>

#include "domains/nexus/following.h"

namespace cairn::nexus {

struct ReminderPage {
  std::vector<Reminder> items;
  std::string next_cursor;  // "": that was all
};
// `cursor` of the page before; "": from the beginning. Refuses cursors of others.
Task<Decision<ReminderPage>> ReadByTime(Work& work, std::string cursor, size_t limit);

}  // namespace cairn::nexus
