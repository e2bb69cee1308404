// CheckItem: a stored item judged by the model: is it of a known entity, is its key the one its attributes
// give, are its index keys and its time to live right, does every value obey its type. Pure; `cairn model
// verify` runs it over tables.
#pragma once

#include <string>
#include <vector>

#include "expr/update.h"
#include "item/packed_item.h"
#include "model/database.h"

namespace cairn::model {

struct ItemFinding {
  std::string attribute;  // stored name; "" for the item as a whole
  std::string message;
  bool repairable = false;  // the model alone says what is right: index keys and time to live
};

struct ItemCheck {
  const Entity* entity = nullptr;  // null: of no entity of this table
  bool guard = false;              // a guard item of a unique constraint
  std::vector<ItemFinding> findings;
  // Puts the repairable findings right; empty when there are none. To be written on condition that what it
  // was computed from is still so.
  expr::Update repair;
  expr::ConditionPtr repair_condition;
};

ItemCheck CheckItem(const Database& database, size_t table, const item::PackedItem& item);

}  // namespace cairn::model
