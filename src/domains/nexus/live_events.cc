#include "domains/nexus/live_events.h"

#include "base/json_writer.h"

namespace cairn::nexus {
namespace {

constexpr std::string_view kUserPrefix = "USER#";

std::string TextIn(const item::PackedItem& item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->is(item::Type::kString) ? std::string(value->string()) : "";
}
bool TruthIn(const item::PackedItem& item, std::string_view name) {
  const auto value = item.Find(name);
  return value && value->is(item::Type::kBoolean) && value->boolean();
}

std::string RoomOf(std::string_view user_id) { return std::string(kRoomKind) + ":" + std::string(user_id); }

std::string_view ChangeOf(store::StreamEvent event) {
  switch (event) {
    case store::StreamEvent::kInsert:
      return "created";
    case store::StreamEvent::kModify:
      return "changed";
    case store::StreamEvent::kRemove:
      return "deleted";
  }
  return "changed";
}

// For each moment once: the write that makes it FIRED.
bool IsFiring(const store::StreamRecord& record) {
  if (!record.new_image || TextIn(*record.new_image, "state") != "FIRED") return false;
  return !record.old_image || TextIn(*record.old_image, "state") != "FIRED";
}

std::string FiredData(const item::PackedItem& reminder) {
  JsonWriter json;
  json.BeginObject();
  for (const std::string_view name : {"reminderId", "title", "notes", "triggerUtc", "firedAt", "eventId",
                                      "instanceId", "masterId", "taskId"}) {
    if (const std::string text = TextIn(reminder, name); !text.empty()) json.Member(name, text);
  }
  return json.Member("late", TruthIn(reminder, "late")).EndObject().Take();
}

}  // namespace

ChangedItem ItemOf(const store::StreamRecord& record) {
  const std::string pk = TextIn(record.keys, "PK"), sk = TextIn(record.keys, "SK");
  const size_t hash = sk.find('#');
  if (!pk.starts_with(kUserPrefix) || hash == sk.npos) return {};
  return {
      .user_id = pk.substr(kUserPrefix.size()), .entity_type = sk.substr(0, hash), .id = sk.substr(hash + 1)};
}

std::vector<LiveEvent> LiveEventsOf(const store::StreamRecord& record) {
  const ChangedItem changed = ItemOf(record);
  if (changed.id.empty()) return {};
  JsonWriter json;
  json.BeginObject().Member("entityType", changed.entity_type).Member("id", changed.id);
  json.Member("change", ChangeOf(record.event)).EndObject();
  std::vector<LiveEvent> events{{RoomOf(changed.user_id), std::string(kItemChangedEvent), json.Take()}};
  if (changed.entity_type == "REMINDER" && IsFiring(record)) {
    events.push_back(
        {RoomOf(changed.user_id), std::string(kReminderFiredEvent), FiredData(*record.new_image)});
  }
  return events;
}

bool MayEnterRoom(const rest::Identified& identified, std::string_view room) {
  return room == RoomOf(identified.user_id);
}

}  // namespace cairn::nexus
