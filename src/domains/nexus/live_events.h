// What clients of this domain are told while they are connected: that an item has changed, and that a
// reminder fires. Found in the stream of changes, so it does not matter who wrote. Pure; who reads the stream
// and who sends is wired elsewhere.
//
//   Room: "nexus:<userId>". Events: item_changed {"entityType","id","change","version"},
//   reminder_fired {"reminderId","title","triggerUtc","late",...}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rest/authenticator.h"
#include "store/stream_requests.h"

namespace cairn::nexus {

inline constexpr std::string_view kRoomKind = "nexus";
inline constexpr std::string_view kItemChangedEvent = "item_changed";
inline constexpr std::string_view kReminderFiredEvent = "reminder_fired";

struct LiveEvent {
  std::string room, name, data;
  friend bool operator==(const LiveEvent&, const LiveEvent&) = default;
};

std::vector<LiveEvent> LiveEventsOf(const store::StreamRecord& record);

bool MayEnterRoom(const rest::Identified& identified, std::string_view room);

// The item a record is about, as a client calls it: "TASK", "task_...". Empty when it is none of the
// domain's.
struct ChangedItem {
  std::string user_id, entity_type, id;
};
ChangedItem ItemOf(const store::StreamRecord& record);

}  // namespace cairn::nexus
