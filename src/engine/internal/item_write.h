// ItemWrite: one write of one item, checked against its table and ready for the writer. PutItem, UpdateItem,
// DeleteItem, batches and transactions are lists of these.
//
// Prepare... runs on the caller's thread and refuses what can be refused without the old item. Decide... runs
// on the writer's thread: the write and the old item in, the change or the refusal out. A write is decided
// once: what it carries moves into the change. A refusal leaves the old item where it is. Each pair lives in
// the file of its operation: engine/put_item.cc, update_item.cc, delete_item.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "base/result.h"
#include "engine/internal/item_change.h"
#include "engine/internal/table.h"
#include "expr/condition.h"
#include "expr/update.h"
#include "item/attribute_value.h"
#include "item/packed_item.h"
#include "store/item_requests.h"

namespace cairn::engine::internal {

struct PutWrite {
  TableRef table;
  std::string key;
  item::PackedItem item;
  expr::ConditionPtr condition;
};
struct UpdateWrite {
  TableRef table;
  std::string key;
  item::Item key_attributes;
  expr::Update update;
  expr::ConditionPtr condition;
};
struct DeleteWrite {
  TableRef table;
  std::string key;
  expr::ConditionPtr condition;
};
struct CheckWrite {
  TableRef table;
  std::string key;
  expr::ConditionPtr condition;
};
using ItemWrite = std::variant<PutWrite, UpdateWrite, DeleteWrite, CheckWrite>;

Result<PutWrite> PreparePut(TableRef table, const item::Item& item, expr::ConditionPtr condition);
Result<PutWrite> PreparePut(TableRef table, item::PackedItem item, expr::ConditionPtr condition);
Result<UpdateWrite> PrepareUpdate(TableRef table, item::Item key, expr::Update update,
                                  expr::ConditionPtr condition);
Result<DeleteWrite> PrepareDelete(TableRef table, const item::Item& key, expr::ConditionPtr condition);
Result<CheckWrite> PrepareCheck(TableRef table, const item::Item& key, expr::ConditionPtr condition);

class Catalog;

using OldItem = std::optional<item::PackedItem>;
Result<ItemChange> DecidePut(PutWrite& write, OldItem& old_item);
Result<ItemChange> DecideUpdate(UpdateWrite& write, OldItem& old_item);
Result<ItemChange> DecideDelete(DeleteWrite& write, OldItem& old_item);
Result<ItemChange> DecideCheck(CheckWrite& write, OldItem& old_item);

// The same for whichever kind it is.
const TableRef& TableOf(const ItemWrite& write);
const std::string& KeyOf(const ItemWrite& write);
Result<ItemChange> Decide(ItemWrite& write, OldItem& old_item);

// Refuses "" as the value that an update gives to the key of an index.
Status CheckNotEmptyByUpdate(const item::AttributeValue& index_key);

// "The conditional request failed"
Error ConditionFailed();
// Whether the condition holds for the item as it was. Also fails when it would look through a large item many
// times: all other writers wait meanwhile.
Status CheckCondition(const expr::ConditionPtr& condition, const OldItem& old_item);

// Between the caller's thread and the writer's a table may have changed: takes the newest version and repeats
// the checks that depend on it.
Status Refresh(std::span<ItemWrite> writes, const Catalog& catalog);
Status Refresh(ItemWrite& write, const Catalog& catalog);

}  // namespace cairn::engine::internal
