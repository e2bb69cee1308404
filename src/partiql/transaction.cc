#include "partiql/transaction.h"

#include <algorithm>
#include <map>

#include "item/item_size.h"
#include "partiql/execute.h"
#include "partiql/plan.h"

namespace cairn::partiql {
namespace {

using store::Store;
using store::TableDescription;
using store::TransactionFailure;

using Response = Result<TransactionResponse, TransactionFailure>;
using Tables = std::map<std::string, TableDescription>;

Status CheckStatements(const std::vector<Statement>& statements) {
  for (size_t i = 0; i < statements.size(); ++i) {
    if (ReturningOf(statements[i]) != store::ReturnValues::kNone) {
      return Fail(
          InTransactStatement(i, Invalid("RETURNING clause is not supported in ExecuteTransaction.")));
    }
    const auto* select = std::get_if<Select>(&statements[i]);
    if (select && select->from.index) {
      return Fail(InTransactStatement(i, Invalid("Reads on indices are not supported within transactions.")));
    }
  }
  if (std::ranges::any_of(statements, IsRead) && !std::ranges::all_of(statements, IsRead)) {
    return Fail(Invalid(
        "ExecuteTransaction API does not support both read and write operations in the same request."));
  }
  return {};
}

Task<Result<Tables>> DescribeAll(Store& store, const std::vector<Statement>& statements) {
  Tables tables;
  for (const Statement& statement : statements) {
    const std::string& name = TableOf(statement);
    if (tables.contains(name)) continue;
    CO_ASSIGN_OR_RETURN(TableDescription table, co_await DescribeForStatement(store, name));
    tables.emplace(name, std::move(table));
  }
  co_return tables;
}

Task<Response> RunReads(Store& store, const std::vector<Statement>& statements, const Tables& tables,
                        const TransactionOptions& options) {
  store::TransactGetItemsRequest request{.return_capacity = options.return_capacity};
  std::vector<std::vector<Column>> columns;
  for (size_t i = 0; i < statements.size(); ++i) {
    const Select& select = std::get<Select>(statements[i]);
    Result<SingleRead> read = PlanSingleRead(select, tables.at(select.from.table), "ExecuteTransaction");
    if (!read) co_return std::unexpected(TransactionFailure(InTransactStatement(i, read.error())));
    request.gets.push_back({select.from.table, std::move(read->key), std::move(read->projection)});
    columns.push_back(std::move(read->columns));
  }
  auto got = co_await store.TransactGetItems(std::move(request));
  if (!got) co_return std::unexpected(std::move(got).error());
  TransactionResponse response{std::move(got->items), std::move(got->capacity)};
  for (size_t i = 0; i < response.items.size(); ++i) {
    auto& item = response.items[i];
    if (item && !columns[i].empty()) item = item::PackedItem::Pack(Shape(columns[i], item->Unpack()));
  }
  co_return response;
}

// An INSERT whose condition failed met an item that exists.
void NameDuplicates(const std::vector<Statement>& statements, TransactionFailure& failure) {
  for (size_t i = 0; i < std::min(statements.size(), failure.reasons.size()); ++i) {
    auto& error = failure.reasons[i].error;
    if (std::holds_alternative<Insert>(statements[i]) && error && error->code == Code::kConditionFailed) {
      error = DuplicateItem();
    }
  }
}

// What an action brings along: the item to be stored, else only a key.
size_t SubjectBytes(const store::TransactAction& action) {
  if (const auto* put = std::get_if<store::TransactPut>(&action.action)) return item::ItemBytes(put->item);
  if (const auto* update = std::get_if<store::TransactUpdate>(&action.action))
    return item::ItemBytes(update->key);
  return 0;
}

Result<store::TransactWriteItemsRequest> PlanWrites(const std::vector<Statement>& statements,
                                                    const Tables& tables, const TransactionOptions& options) {
  store::TransactWriteItemsRequest request{.client_token = options.client_token,
                                           .token_fingerprint = options.token_fingerprint,
                                           .return_capacity = options.return_capacity};
  size_t bytes = 0;
  for (size_t i = 0; i < statements.size(); ++i) {
    auto action = PlanTransactAction(statements[i], tables.at(TableOf(statements[i])));
    if (!action) return Fail(InTransactStatement(i, action.error()));
    if (i < options.on_condition_failure.size())
      action->on_condition_failure = options.on_condition_failure[i];
    bytes += SubjectBytes(*action);
    request.actions.push_back(*std::move(action));
  }
  if (bytes > store::kTransactBytesMax) {
    return Fail(Invalid("Transaction request cannot include items whose aggregate size exceeds 4 MB"));
  }
  return request;
}

Task<Response> RunWrites(Store& store, const std::vector<Statement>& statements, const Tables& tables,
                         const TransactionOptions& options) {
  CO_ASSIGN_OR_RETURN(store::TransactWriteItemsRequest request, PlanWrites(statements, tables, options));
  auto written = co_await store.TransactWriteItems(std::move(request));
  if (written) co_return TransactionResponse{{}, std::move(written->capacity)};
  TransactionFailure failure = std::move(written).error();
  NameDuplicates(statements, failure);
  co_return std::unexpected(std::move(failure));
}

}  // namespace

Error InTransactStatement(size_t index, const Error& error) {
  return {error.code,
          "Validation failed in TransactStatements[" + std::to_string(index) + "]: " + error.message};
}

Task<Response> ExecuteTransaction(Store& store, const std::vector<Statement>& statements,
                                  TransactionOptions options) {
  CO_RETURN_IF_ERROR(CheckStatements(statements));
  CO_ASSIGN_OR_RETURN(const Tables tables, co_await DescribeAll(store, statements));
  if (std::ranges::all_of(statements, IsRead))
    co_return co_await RunReads(store, statements, tables, options);
  co_return co_await RunWrites(store, statements, tables, options);
}

}  // namespace cairn::partiql
