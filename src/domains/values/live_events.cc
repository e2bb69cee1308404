#include "domains/values/live_events.h"

#include "base/check.h"
#include "base/json_writer.h"
#include "domains/values/plan/day.h"

namespace cairn::values {
namespace {

const model::Entity& EntityNamed(const model::Model& model, std::string_view name) {
  const model::Entity* entity = model.FindEntity(name);
  CHECK(entity != nullptr, "the values model has trees and plans");
  return *entity;
}

std::string TextOf(const item::Item& values, std::string_view name) {
  const item::AttributeValue* value = values.Find(name);
  return value != nullptr && value->is(item::Type::kString) ? value->string() : "";
}

std::string TreeRoom(std::string_view user_id) {
  return std::string(kTreeRoomKind) + ":" + std::string(user_id);
}
// Of plans, without the day.
std::string PlanRoomPrefix(std::string_view user_id) {
  return std::string(kPlanRoomKind) + ":" + std::string(user_id) + ":";
}

}  // namespace

HeadChanges::HeadChanges(const model::Model& model)
    : model_(model),
      tree_revision_(EntityNamed(model, "ValuesRev")),
      plan_revision_(EntityNamed(model, "PlanRev")) {}

std::optional<HeadChanged> HeadChanges::Find(const item::PackedItem& keys) const {
  const model::Table& table = model_.TableOf(tree_revision_);
  const auto sk = keys.Find(table.sk_attribute);
  if (!sk || !sk->is(item::Type::kString)) return std::nullopt;
  for (const model::Entity* entity : {&tree_revision_, &plan_revision_}) {
    // Nearly all items are parts of snapshots and end here.
    if (!sk->string().starts_with(entity->sk.LiteralPrefix())) continue;
    const auto pk = keys.Find(table.pk_attribute);
    item::Item told;
    if (pk && pk->is(item::Type::kString) && entity->pk.Match(pk->string(), told) &&
        entity->sk.Match(sk->string(), told)) {
      return HeadChanged{
          .user_id = TextOf(told, "userId"), .day = TextOf(told, "day"), .rev_id = TextOf(told, "revId")};
    }
  }
  return std::nullopt;
}

std::string RoomOf(const HeadChanged& change) {
  return change.day.empty() ? TreeRoom(change.user_id) : PlanRoomPrefix(change.user_id) + change.day;
}

std::string DataOf(const HeadChanged& change) {
  JsonWriter json;
  json.BeginObject().Member("revId", change.rev_id).EndObject();
  return json.Take();
}

bool MayEnterTreeRoom(const rest::Identified& identified, std::string_view room) {
  return room == TreeRoom(identified.user_id);
}

bool MayEnterPlanRoom(const rest::Identified& identified, std::string_view room) {
  const std::string prefix = PlanRoomPrefix(identified.user_id);
  return room.starts_with(prefix) && IsDay(room.substr(prefix.size()));
}

}  // namespace cairn::values
