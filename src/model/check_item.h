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

// What puts the keys of some indexes (positions in Table::indexes) right, and nothing else; an empty update
// when they are. To be written on its condition, which also wants the item to exist.
struct ItemRepair {
  expr::Update update;
  expr::ConditionPtr condition;
  std::string failure;  // why a key cannot be built, as the first one that cannot; "": all can
};
ItemRepair RepairIndexKeys(const Database& database, size_t table, const item::PackedItem& item,
                           const std::vector<size_t>& indexes);

// Whether the items of this table include this one, or guard a unique value of them.
bool IsKnownItem(const Model& model, size_t table, const item::PackedItem& item);
// Why the item cannot be found by its key: the key is not the one its attributes give. "": it can.
std::string WhyMislaid(const Model& model, const Entity& entity, const item::PackedItem& item);
std::vector<size_t> EntitiesOf(const Model& model, size_t table);

}  // namespace cairn::model
