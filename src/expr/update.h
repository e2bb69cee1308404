// Update: a parsed update expression, and its pure application: apply(old item) -> new item.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "expr/path.h"
#include "item/attribute_value.h"

namespace cairn::expr {

struct SetValue;
using SetValuePtr = std::shared_ptr<const SetValue>;

struct IfNotExists {
  DocumentPath path;
  SetValuePtr otherwise;
};
struct ListAppend {
  SetValuePtr front, back;
};
struct Sum {
  SetValuePtr left, right;
};
struct Difference {
  SetValuePtr left, right;
};

// The right side of SET a = ...
struct SetValue {
  std::variant<DocumentPath, item::AttributeValue, IfNotExists, ListAppend, Sum, Difference> node;
};

struct SetAction {
  DocumentPath path;
  SetValuePtr value;
};
struct RemoveAction {
  DocumentPath path;
};
struct AddAction {
  DocumentPath path;
  item::AttributeValue value;  // a number or a set; a list too when it came from AttributeUpdates
};
struct DeleteAction {
  DocumentPath path;
  item::AttributeValue value;  // a set
};

// DynamoDB words a mismatch of types differently for the two ways to ask for an update.
enum class UpdateSource { kExpression, kAttributeUpdates };

struct Update {
  std::vector<SetAction> sets;
  std::vector<RemoveAction> removes;
  std::vector<AddAction> adds;
  std::vector<DeleteAction> deletes;
  UpdateSource source = UpdateSource::kExpression;

  bool empty() const { return sets.empty() && removes.empty() && adds.empty() && deletes.empty(); }
};

inline constexpr std::string_view kUpdatedItemTooLarge =
    "Item size to update has exceeded the maximum allowed size";

// All right sides and all paths speak of the old item, so that SET a = b, b = a swaps. No path of the update
// may lie within another, which ParseUpdate sees to. Fails with DynamoDB's message when a path does not fit
// the item, an operand has the wrong type or what is set does not fit into an item.
Result<item::Item> ApplyUpdate(const Update& update, const item::Item& old_item);

// The paths the update writes, in order of the actions; UPDATED_OLD and UPDATED_NEW project on them.
std::vector<DocumentPath> UpdatedPaths(const Update& update);

}  // namespace cairn::expr
