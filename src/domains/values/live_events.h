// What clients of this domain are told while they are connected: that a tree or a plan has a new revision.
// Found in the keys of inserted items, so it does not matter which way the revision was written. Pure; who
// reads the stream of changes and who sends is wired elsewhere.
//
//   Rooms: "values:<userId>" and "plan:<userId>:<day>". Event: head_changed {"revId": "..."}.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "item/packed_item.h"
#include "model/definition.h"
#include "rest/authenticator.h"

namespace cairn::values {

inline constexpr std::string_view kTreeRoomKind = "values";
inline constexpr std::string_view kPlanRoomKind = "plan";
inline constexpr std::string_view kHeadChangedEvent = "head_changed";

struct HeadChanged {
  std::string user_id;
  std::string day;  // "": it is the tree
  std::string rev_id;

  friend bool operator==(const HeadChanged&, const HeadChanged&) = default;
};

// Reads keys as the model's templates write them.
class HeadChanges {
 public:
  // The model is models/values.toml and must outlive this.
  explicit HeadChanges(const model::Model& model);

  // What an item with these keys means when it is new; nothing unless it is a revision. A revision is
  // inserted once, in the transaction that moves HEAD to it.
  std::optional<HeadChanged> Find(const item::PackedItem& keys) const;

 private:
  const model::Model& model_;
  const model::Entity& tree_revision_;
  const model::Entity& plan_revision_;
};

std::string RoomOf(const HeadChanged& change);
// The event's data, a JSON object.
std::string DataOf(const HeadChanged& change);

// Whether the room is one of the user's own, of a day that exists.
bool MayEnterTreeRoom(const rest::Identified& identified, std::string_view room);
bool MayEnterPlanRoom(const rest::Identified& identified, std::string_view room);

}  // namespace cairn::values
