// Use cases: events that happen once.
#pragma once

#include <string>

#include "domains/nexus/event_patch.h"
#include "domains/nexus/work.h"

namespace cairn::nexus {

using Event = data::Event;

// All that a patch can say; a title and times must be there.
Task<Decision<Event>> CreateEvent(Nexus& nexus, model::Caller caller, EventPatch content,
                                  Witness<Event> witness);
Task<Decision<Event>> PatchEvent(Nexus& nexus, model::Caller caller, std::string event_id, EventPatch patch,
                                 SeenVersion seen, Witness<Event> witness);
Task<Decision<void>> DeleteEvent(Nexus& nexus, model::Caller caller, std::string event_id, SeenVersion seen,
                                 Witness<Gone> witness);

// Stages the reminders that follow it, and how far back the agenda has to look. `distances_before`: of the
// reminders there may be so far.
Task<Decision<void>> StageAround(Work& work, const Event& event,
                                 std::optional<model::typed::Set<int64_t>> distances_before);

}  // namespace cairn::nexus
