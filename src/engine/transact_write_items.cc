// TransactWriteItems: up to 100 writes and checks on different items, all or nothing.
#include <set>

#include "engine/engine.h"
#include "engine/internal/capacity.h"
#include "engine/internal/catalog.h"
#include "engine/internal/client_tokens.h"
#include "engine/internal/item_write.h"
#include "engine/internal/write_response.h"
#include "engine/internal/writer.h"
#include "expr/condition_work.h"
#include "item/item_size.h"
#include "item/key_schema.h"

namespace cairn::engine {
namespace {

using internal::Catalog;
using internal::CommitGroup;
using internal::ItemChange;
using internal::ItemWrite;
using internal::Table;
using internal::TableRef;
using store::CancellationReason;
using store::TransactionFailure;
using Response = store::TransactWriteItemsResponse;

struct Preparer {
  const TableRef& table;

  Result<ItemWrite> operator()(store::ConditionCheck& check) const {
    ASSIGN_OR_RETURN(ItemWrite write, internal::PrepareCheck(table, check.key, std::move(check.condition)));
    return write;
  }
  Result<ItemWrite> operator()(store::TransactPut& put) const {
    ASSIGN_OR_RETURN(ItemWrite write, internal::PreparePut(table, put.item, std::move(put.condition)));
    return write;
  }
  Result<ItemWrite> operator()(store::TransactDelete& remove) const {
    ASSIGN_OR_RETURN(ItemWrite write,
                     internal::PrepareDelete(table, remove.key, std::move(remove.condition)));
    return write;
  }
  Result<ItemWrite> operator()(store::TransactUpdate& update) const {
    ASSIGN_OR_RETURN(ItemWrite write,
                     internal::PrepareUpdate(table, std::move(update.key), std::move(update.update),
                                             std::move(update.condition)));
    return write;
  }
};

// Keys that are empty texts or bytes. DynamoDB looks for them before it begins with the transaction, so they
// are no reason for which one action is canceled; a key of a wrong type is.
class EmptyKeys {
 public:
  explicit EmptyKeys(const Table& table) : table_(table) {}

  Status operator()(const store::TransactPut& put) const {
    RETURN_IF_ERROR(CheckKey(put.item));
    for (const internal::Index& index : table_.indexes) {
      const item::KeyElement* element = FindEmpty(index.definition.key_schema, put.item);
      if (element) return item::ValidateIndexKeyInItem({{*element}, {}}, index.definition.name, put.item);
    }
    return {};
  }
  Status operator()(const store::TransactUpdate& update) const {
    RETURN_IF_ERROR(CheckKey(update.key));
    for (const expr::SetAction& action : update.update.sets) {
      const auto* value = std::get_if<item::AttributeValue>(&action.value->node);
      if (value == nullptr || !action.path.steps.empty()) continue;
      for (const internal::Index& index : table_.indexes) {
        const item::KeyElement* element = index.definition.key_schema.Find(action.path.attribute);
        if (element != nullptr && IsEmpty(*element, value)) return internal::CheckNotEmptyByUpdate(*value);
      }
    }
    return {};
  }
  Status operator()(const auto& action) const { return CheckKey(action.key); }

 private:
  static bool IsEmpty(const item::KeyElement& element, const item::AttributeValue* value) {
    if (value == nullptr || !value->is(element.type) || value->is(item::Type::kNumber)) return false;
    return (value->is(item::Type::kString) ? value->string() : value->binary()).empty();
  }

  // The first element of the key that is empty in `item`; null if none is.
  static const item::KeyElement* FindEmpty(const item::KeySchema& schema, const item::Item& item) {
    for (const auto* elements : {&schema.partition, &schema.sort}) {
      for (const item::KeyElement& element : *elements) {
        if (IsEmpty(element, item.Find(element.name))) return &element;
      }
    }
    return nullptr;
  }

  Status CheckKey(const item::Item& key) const {
    const item::KeyElement* element = FindEmpty(table_.key_schema(), key);
    return element ? item::ValidateKeyInItem({{*element}, {}}, key) : Status();
  }

  const Table& table_;
};

// What the conditions of a transaction may go through together: as much as a hundred of the largest items.
// Some tens of milliseconds, in which all other writers wait.
constexpr size_t kSearchedBytesMax = 100 * item::kItemBytesMax;

// How many bytes judging the condition of a write may go through.
size_t SearchedBytes(const ItemWrite& write, const internal::OldItem& old_item) {
  const auto condition_of = [](const auto& one) -> const expr::ConditionPtr& { return one.condition; };
  const expr::ConditionPtr& condition = std::visit(condition_of, write);
  return condition && old_item ? old_item->ItemBytes() * expr::CountPasses(*condition) : 0;
}

TransactionFailure Canceled(std::vector<CancellationReason> reasons) {
  return {Error{Code::kTransactionCanceled, "Transaction cancelled"}, std::move(reasons)};
}

Result<std::vector<ItemWrite>, TransactionFailure> Prepare(const Catalog& catalog,
                                                           std::vector<store::TransactAction>& actions) {
  std::vector<ItemWrite> writes;
  std::vector<CancellationReason> reasons(actions.size());
  std::set<std::string> seen;
  bool refused = false;
  for (size_t i = 0; i < actions.size(); ++i) {
    const std::string& name = std::visit([](auto& a) -> std::string& { return a.table; }, actions[i].action);
    ASSIGN_OR_RETURN(const TableRef table, catalog.Find(name));
    RETURN_IF_ERROR(std::visit(EmptyKeys(*table), actions[i].action));
    auto write = std::visit(Preparer{table}, actions[i].action);
    if (!write) {
      reasons[i].error = std::move(write).error();
      refused = true;
      continue;
    }
    if (!seen.insert(internal::KeyOf(*write)).second) {
      return Fail(Invalid("Transaction request cannot include multiple operations on one item"));
    }
    writes.push_back(*std::move(write));
  }
  if (refused) return std::unexpected(Canceled(std::move(reasons)));
  return writes;
}

// Decides every action against the state so far; nothing is appended yet.
Result<std::vector<ItemChange>, TransactionFailure> DecideAll(
    CommitGroup& group, const Catalog& catalog, std::vector<ItemWrite>& writes,
    const std::vector<store::TransactAction>& actions) {
  std::vector<ItemChange> changes;
  std::vector<CancellationReason> reasons(writes.size());
  bool refused = false;
  size_t bytes = 0, searched = 0;
  RETURN_IF_ERROR(internal::Refresh(writes, catalog));
  for (size_t i = 0; i < writes.size(); ++i) {
    ASSIGN_OR_RETURN(internal::OldItem old_item, group.Read(internal::KeyOf(writes[i])));
    searched += SearchedBytes(writes[i], old_item);
    if (searched > kSearchedBytesMax) {
      return Fail(Invalid(
          "The conditions of the transaction have too many contains() and size() for items as large as "
          "these"));
    }
    auto change = internal::Decide(writes[i], old_item);
    if (change) {
      bytes += change->new_item ? change->new_item->ItemBytes() : 0;
      changes.push_back(*std::move(change));
      continue;
    }
    refused = true;
    if (change.error().code == Code::kConditionFailed &&
        actions[i].on_condition_failure == store::OnConditionFailure::kReturnOldItem) {
      reasons[i].existing = std::move(old_item);
    }
    reasons[i].error = std::move(change).error();
  }
  if (refused) return std::unexpected(Canceled(std::move(reasons)));
  if (bytes > store::kTransactBytesMax) {
    return Fail(
        Invalid("Member must have length less than or equal to 4194304: the items of the transaction are "
                "larger than 4 MB together"));
  }
  return changes;
}

}  // namespace

Task<Result<Response, TransactionFailure>> Engine::TransactWriteItems(
    store::TransactWriteItemsRequest request) {
  CO_ASSIGN_OR_RETURN(std::vector<ItemWrite> writes, Prepare(*catalog_, request.actions));
  std::optional<internal::TokensInFlight::Hold> hold;
  if (!request.client_token.empty()) {
    CO_ASSIGN_OR_RETURN(internal::TokensInFlight::Hold begun, tokens_->Begin(request.client_token));
    hold.emplace(std::move(begun));
  }
  auto work = [&](CommitGroup& group) -> Result<Response, TransactionFailure> {
    Response response;
    auto applied = internal::TokenState::kNew;
    if (hold) {
      ASSIGN_OR_RETURN(applied, internal::CheckToken(*database_, group.now(), request.client_token,
                                                     request.token_fingerprint));
    }
    if (applied == internal::TokenState::kApplied) {
      // Answered from the record of the first time; costs reads only.
      for (const ItemWrite& write : writes) {
        const double units =
            internal::ReadUnits(0, store::Consistency::kStrong, internal::Multiplier::kTransaction);
        internal::AddCapacity(response.capacity, internal::ReadCapacity(*internal::TableOf(write), units));
      }
      return response;
    }
    ASSIGN_OR_RETURN(std::vector<ItemChange> changes, DecideAll(group, *catalog_, writes, request.actions));
    if (hold) internal::SaveToken(group, request.client_token, request.token_fingerprint);
    for (ItemChange& change : changes) {
      if (request.return_capacity != store::ReturnCapacity::kNone) {
        internal::AddCapacity(response.capacity,
                              internal::WriteCapacity(change, internal::Multiplier::kTransaction));
      }
      if (request.collection_metrics == store::CollectionMetrics::kSize) {
        if (auto collection = internal::CollectionOf(change, *database_)) {
          response.collections[change.table->name()].push_back(*std::move(collection));
        }
      }
      group.Apply(std::move(change));
    }
    return response;
  };
  co_return co_await writer_->Submit(work);
}

}  // namespace cairn::engine
