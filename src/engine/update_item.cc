// UpdateItem: changes attributes of the item under a key, creating it if there is none.
#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/item_write.h"
#include "engine/internal/key_paths.h"
#include "engine/internal/write_response.h"
#include "engine/internal/writer.h"
#include "expr/projection.h"
#include "item/item_size.h"
#include "item/key_schema.h"

namespace cairn::engine {
namespace internal {

Status CheckNotEmptyByUpdate(const item::AttributeValue& index_key) {
  const bool is_text = index_key.is(item::Type::kString);
  const bool is_empty =
      is_text ? index_key.string().empty() : index_key.is(item::Type::kBinary) && index_key.binary().empty();
  if (!is_empty) return {};
  return Fail(Invalid(
      std::string("One or more parameter values are not valid. The update expression attempted to update "
                  "a secondary index key to a value that is not supported. The AttributeValue for a key "
                  "attribute cannot contain an empty ") +
      (is_text ? "string" : "binary") + " value."));
}

namespace {

// An index key attribute may only be set to a value the index can hold.
Status CheckIndexKeys(const Table& table, const expr::Update& update, const item::Item& new_item) {
  if (table.indexes.empty()) return {};
  for (const expr::DocumentPath& path : expr::UpdatedPaths(update)) {
    const item::AttributeValue* value = new_item.Find(path.attribute);
    if (!value) continue;
    for (const Index& index : table.indexes) {
      const item::KeyElement* element = index.definition.key_schema.Find(path.attribute);
      if (!element) continue;
      if (value->type() != element->type) {
        return Fail(
            Invalid("The update expression attempted to update the secondary index key to unsupported type"));
      }
      RETURN_IF_ERROR(CheckNotEmptyByUpdate(*value));
      RETURN_IF_ERROR(
          item::ValidateIndexKeyInItem(index.definition.key_schema, index.definition.name, new_item));
    }
  }
  return {};
}

// Such an update finds nothing to do on an absent item, so it does not create one; an empty update does.
bool OnlyTakesAway(const expr::Update& update) {
  return !update.empty() && update.sets.empty() && update.adds.empty();
}

}  // namespace

Result<UpdateWrite> PrepareUpdate(TableRef table, item::Item key, expr::Update update,
                                  expr::ConditionPtr condition) {
  RETURN_IF_ERROR(item::ValidateKey(table->key_schema(), key));
  for (const expr::DocumentPath& path : expr::UpdatedPaths(update)) {
    if (table->key_schema().Contains(path.attribute)) {
      return Fail(Invalid("One or more parameter values were invalid: Cannot update attribute " +
                          path.attribute + ". This attribute is part of the key"));
    }
  }
  RETURN_IF_ERROR(CheckKeyPaths(*table, expr::NestedAttributes(update)));
  std::string bytes = ItemKey(*table, key);
  return UpdateWrite{std::move(table), std::move(bytes), std::move(key), std::move(update),
                     std::move(condition)};
}

Result<ItemChange> DecideUpdate(UpdateWrite& write, OldItem& old_item) {
  RETURN_IF_ERROR(CheckCondition(write.condition, old_item));
  if (!old_item && OnlyTakesAway(write.update))
    return ItemChange{.table = std::move(write.table), .key = std::move(write.key)};
  const item::Item before = old_item ? old_item->Unpack() : write.key_attributes;
  ASSIGN_OR_RETURN(const item::Item after, expr::ApplyUpdate(write.update, before));
  RETURN_IF_ERROR(CheckIndexKeys(*write.table, write.update, after));
  if (item::NestingDepth(after) > item::kNestingMax) {
    return Fail(Invalid("Nesting Levels have exceeded supported limits"));
  }
  item::PackedItem packed = item::PackedItem::Pack(after);
  if (packed.ItemBytes() > item::kItemBytesMax) {
    return Fail(Invalid(std::string(expr::kUpdatedItemTooLarge)));
  }
  return ItemChange{.table = std::move(write.table),
                    .key = std::move(write.key),
                    .old_item = std::move(old_item),
                    .new_item = std::move(packed)};
}

}  // namespace internal

using internal::CommitGroup;
using internal::ItemChange;
using internal::ItemWrite;

namespace {

std::optional<item::PackedItem> Updated(const expr::Update& update,
                                        const std::optional<item::PackedItem>& item) {
  if (!item) return std::nullopt;
  const item::Item projected = expr::Project({expr::UpdatedPaths(update)}, item->Unpack());
  if (projected.empty()) return std::nullopt;
  return item::PackedItem::Pack(projected);
}

std::optional<item::PackedItem> Returned(store::ReturnValues which, const expr::Update& update,
                                         const ItemChange& change) {
  switch (which) {
    case store::ReturnValues::kNone:
      return std::nullopt;
    case store::ReturnValues::kAllOld:
      return change.old_item;
    case store::ReturnValues::kAllNew:
      return change.new_item;
    case store::ReturnValues::kUpdatedOld:
      return Updated(update, change.old_item);
    case store::ReturnValues::kUpdatedNew:
      return Updated(update, change.new_item);
  }
  return std::nullopt;
}

}  // namespace

Task<Result<store::WriteResponse, store::WriteFailure>> Engine::UpdateItem(store::UpdateItemRequest request) {
  CO_ASSIGN_OR_RETURN(internal::TableRef table, catalog_->Find(request.table));
  CO_ASSIGN_OR_RETURN(ItemWrite write, internal::PrepareUpdate(table, std::move(request.key), request.update,
                                                               request.condition));
  auto work = [&](CommitGroup& group) -> Result<store::WriteResponse, store::WriteFailure> {
    RETURN_IF_ERROR(internal::Refresh(write, *catalog_));
    ASSIGN_OR_RETURN(const auto* change, group.Run(write, request.on_condition_failure));
    store::WriteResponse response;
    response.attributes = Returned(request.return_values, request.update, *change);
    internal::AddUsage(response, *change, request.return_capacity, request.collection_metrics, *database_);
    return response;
  };
  co_return co_await writer_->Submit(work);
}

}  // namespace cairn::engine
