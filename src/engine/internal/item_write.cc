#include "engine/internal/item_write.h"

#include "engine/internal/catalog.h"
#include "engine/internal/layout.h"
#include "expr/parse.h"
#include "item/item_size.h"
#include "item/key_schema.h"

namespace cairn::engine::internal {
namespace {

// What contains() of one condition may look through: ten times the largest item, some milliseconds.
constexpr size_t kSearchedBytesMax = 10 * item::kItemBytesMax;

template <class... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};

}  // namespace

const TableRef& TableOf(const ItemWrite& write) {
  return std::visit([](const auto& w) -> const TableRef& { return w.table; }, write);
}

const std::string& KeyOf(const ItemWrite& write) {
  return std::visit([](const auto& w) -> const std::string& { return w.key; }, write);
}

Result<ItemChange> Decide(ItemWrite& write, OldItem& old_item) {
  return std::visit(Overload{[&](PutWrite& put) { return DecidePut(put, old_item); },
                             [&](UpdateWrite& update) { return DecideUpdate(update, old_item); },
                             [&](DeleteWrite& remove) { return DecideDelete(remove, old_item); },
                             [&](CheckWrite& check) { return DecideCheck(check, old_item); }},
                    write);
}

Status CheckCondition(const expr::ConditionPtr& condition, const OldItem& old_item) {
  if (!condition) return {};
  const size_t item_bytes = old_item ? old_item->ItemBytes() : 0;
  if (item_bytes * expr::kOperatorsMax > kSearchedBytesMax &&
      item_bytes * expr::CountSearches(*condition) > kSearchedBytesMax) {
    return Fail(Invalid("The condition has too many contains() for an item of " + std::to_string(item_bytes) +
                        " bytes"));
  }
  if (!expr::EvaluateCondition(condition, old_item)) return Fail(ConditionFailed());
  return {};
}

Error ConditionFailed() { return {Code::kConditionFailed, "The conditional request failed"}; }

Status Refresh(std::span<ItemWrite> writes, const Catalog& catalog) {
  TableRef known, current;  // of the write before, which is nearly always the same
  for (ItemWrite& write : writes) {
    if (TableOf(write) != known) {
      known = TableOf(write);
      ASSIGN_OR_RETURN(current, catalog.Current(known));
    }
    if (current == known) continue;
    if (auto* put = std::get_if<PutWrite>(&write)) {
      RETURN_IF_ERROR(PreparePut(current, put->item, nullptr));  // a new index may refuse the item
    }
    std::visit([&](auto& w) { w.table = current; }, write);
  }
  return {};
}

Status Refresh(ItemWrite& write, const Catalog& catalog) { return Refresh(std::span(&write, 1), catalog); }

Result<CheckWrite> PrepareCheck(TableRef table, const item::Item& key, expr::ConditionPtr condition) {
  RETURN_IF_ERROR(item::ValidateKey(table->key_schema(), key));
  std::string bytes = ItemKey(*table, key);
  return CheckWrite{std::move(table), std::move(bytes), std::move(condition)};
}

Result<ItemChange> DecideCheck(CheckWrite& write, OldItem& old_item) {
  RETURN_IF_ERROR(CheckCondition(write.condition, old_item));
  return ItemChange{.table = std::move(write.table),
                    .key = std::move(write.key),
                    .old_item = old_item,
                    .new_item = std::move(old_item)};
}

}  // namespace cairn::engine::internal
