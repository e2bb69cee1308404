// Between the entities of this domain and a calendar as others exchange it (ics/calendar.h). Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/event_patch.h"
#include "domains/nexus/ics/calendar.h"
#include "domains/nexus/nexus.h"

namespace cairn::nexus {

// ---- outwards

ics::Event EntryOf(const data::Event& event);
// `exceptions`: occurrences that were edited on their own and take place. Those that the rule does not have
// any more become extra dates of the series, so that everybody shows them. Refuses a rule that cannot be
// worked out.
Decision<ics::Event> EntryOf(const data::Master& master, const std::vector<data::Instance>& exceptions);
ics::Todo EntryOf(const data::Task& task);

// ---- inwards: what a calendar says, set in an entity that is there already or not. They refuse times that
// cannot be stored.

Decision<Times> TimesOf(const ics::Content& content);
Decision<void> SetContent(data::Event& event, const ics::Content& content);
Decision<void> SetContent(data::Master& master, const ics::Event& entry);
// What says the same as the series is the series'.
Decision<void> SetContent(data::Instance& instance, const ics::Content& content, const data::Master& master);
// `zone` is where times are that do not say; `now` when it was done if nobody says.
Decision<void> SetContent(data::Task& task, const ics::Todo& todo, const std::string& zone,
                          const std::string& now);

// ---- Who is who. An entity keeps the UID it came with; ours are "<id>@cairn".

std::string UidOf(const data::Event& event);
std::string UidOf(const data::Master& master);
std::string UidOf(const data::Task& task);
// The id of an entity that was exported here; nothing for the UIDs of others.
std::optional<std::string> OwnIdIn(const std::string& uid, std::string_view prefix);
// The id of what is imported from elsewhere: the same UID of the same user has the same.
std::string ImportedId(std::string_view prefix, const std::string& user_id, const std::string& uid);

}  // namespace cairn::nexus
