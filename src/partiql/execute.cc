#include "partiql/execute.h"

#include "partiql/capacity.h"
#include "partiql/plan.h"
#include "store/answer_bytes.h"

namespace cairn::partiql {
namespace {

using item::PackedItem;
using store::Store;
using store::TableDescription;
using store::WriteFailure;

using Response = Result<ExecuteResponse, WriteFailure>;

// What one read of a SELECT gave.
struct Page {
  std::vector<PackedItem> items;
  int64_t inspected = 0;
  std::optional<item::Item> last_evaluated_key;
  std::optional<store::ConsumedCapacity> capacity;
};

Page FromPage(store::PageResponse response) {
  return {std::move(response.items), response.scanned_count, std::move(response.last_evaluated_key),
          std::move(response.capacity)};
}

class SelectRun {
 public:
  SelectRun(Store& store, SelectPlan plan, const ExecuteOptions& options)
      : store_(store), plan_(std::move(plan)), options_(options) {}

  Task<Response> Run() {
    ReadPosition at = options_.start;
    if (at.read >= plan_.reads.size()) co_return std::unexpected(WriteFailure(Invalid("Invalid NextToken")));
    while (at.read < plan_.reads.size()) {
      if (Full()) {
        response_.next = std::move(at);
        break;
      }
      Read& read = plan_.reads[at.read];
      CO_ASSIGN_OR_RETURN(Page page, co_await RunRead(read, std::move(at.start_key)));
      inspected_ += page.inspected;
      AddCapacity(response_.capacity, std::move(page.capacity));
      Keep(read, std::move(page.items));
      if (page.last_evaluated_key) {
        response_.last_evaluated_key = page.last_evaluated_key;
        response_.next = ReadPosition{at.read, std::move(page.last_evaluated_key)};
        break;
      }
      at = {at.read + 1, std::nullopt};
    }
    co_return std::move(response_);
  }

 private:
  bool Full() const {
    return (options_.limit && inspected_ >= *options_.limit) || item_bytes_ >= store::kPageBytesMax ||
           stored_bytes_ >= store::kPageStoredBytesMax;
  }

  void Prepare(store::PageRequest& request, std::optional<item::Item> start_key) const {
    if (options_.limit) request.limit = *options_.limit - inspected_;
    request.exclusive_start_key = std::move(start_key);
    request.return_capacity = options_.return_capacity;
  }

  Task<Result<Page>> RunRead(Read& read, std::optional<item::Item> start_key) {
    if (auto* get = std::get_if<store::GetItemRequest>(&read.request)) {
      get->return_capacity = options_.return_capacity;
      auto got = co_await store_.GetItem(std::move(*get));
      if (!got) co_return std::unexpected(std::move(got).error());
      Page page{{}, 1, std::nullopt, std::move(got->capacity)};
      if (got->item) page.items.push_back(*std::move(got->item));
      co_return page;
    }
    if (auto* query = std::get_if<store::QueryRequest>(&read.request)) {
      Prepare(*query, std::move(start_key));
      auto answer = co_await store_.Query(std::move(*query));
      if (!answer) co_return std::unexpected(std::move(answer).error());
      co_return FromPage(*std::move(answer));
    }
    auto& scan = std::get<store::ScanRequest>(read.request);
    Prepare(scan, std::move(start_key));
    auto answer = co_await store_.Scan(std::move(scan));
    if (!answer) co_return std::unexpected(std::move(answer).error());
    co_return FromPage(*std::move(answer));
  }

  void Keep(const Read& read, std::vector<PackedItem> items) {
    for (PackedItem& packed : items) {
      item_bytes_ += packed.ItemBytes();
      stored_bytes_ += packed.bytes().size();
      if (read.filter || !plan_.columns.empty()) {
        const item::Item item = packed.Unpack();
        if (read.filter && !expr::EvaluateCondition(*read.filter, item)) continue;
        if (!plan_.columns.empty()) packed = PackedItem::Pack(Shape(plan_.columns, item));
      }
      response_.items.push_back(std::move(packed));
    }
  }

  Store& store_;
  SelectPlan plan_;
  const ExecuteOptions& options_;
  ExecuteResponse response_;
  int64_t inspected_ = 0;
  size_t item_bytes_ = 0, stored_bytes_ = 0;  // of what was read, before a filter
};

ExecuteResponse FromWrite(store::WriteResponse written) {
  ExecuteResponse response;
  response.capacity = std::move(written.capacity);
  // RETURNING MODIFIED of attributes that are not there returns nothing rather than an empty item.
  if (written.attributes && written.attributes->ItemBytes() > 0) {
    response.items.push_back(*std::move(written.attributes));
  }
  return response;
}

template <class Request>
void Apply(const ExecuteOptions& options, Request& request) {
  request.on_condition_failure = options.on_condition_failure;
  request.return_capacity = options.return_capacity;
}

Task<Response> RunInsert(Store& store, const Insert& insert, const TableDescription& table,
                         const ExecuteOptions& options) {
  store::PutItemRequest request = PlanInsert(insert, table);
  Apply(options, request);
  auto written = co_await store.PutItem(std::move(request));
  if (written) co_return FromWrite(*std::move(written));
  WriteFailure failure = std::move(written).error();
  if (failure.error.code == Code::kConditionFailed) failure.error = DuplicateItem();
  co_return std::unexpected(std::move(failure));
}

Task<Response> RunUpdate(Store& store, const Update& update, const TableDescription& table,
                         const ExecuteOptions& options) {
  CO_ASSIGN_OR_RETURN(store::UpdateItemRequest request, PlanUpdate(update, table));
  Apply(options, request);
  auto written = co_await store.UpdateItem(std::move(request));
  if (!written) co_return std::unexpected(std::move(written).error());
  co_return FromWrite(*std::move(written));
}

Task<Response> RunDelete(Store& store, const Delete& deletion, const TableDescription& table,
                         const ExecuteOptions& options) {
  CO_ASSIGN_OR_RETURN(store::DeleteItemRequest request, PlanDelete(deletion, table));
  Apply(options, request);
  auto written = co_await store.DeleteItem(std::move(request));
  if (!written) co_return std::unexpected(std::move(written).error());
  co_return FromWrite(*std::move(written));
}

Task<Response> RunSelect(Store& store, const Select& select, const TableDescription& table,
                         const ExecuteOptions& options) {
  CO_ASSIGN_OR_RETURN(SelectPlan plan, PlanSelect(select, table, options.consistency));
  SelectRun run(store, std::move(plan), options);
  co_return co_await run.Run();
}

Task<Response> RunSingleRead(Store& store, const Select& select, const TableDescription& table,
                             const ExecuteOptions& options) {
  CO_ASSIGN_OR_RETURN(SingleRead read, PlanSingleRead(select, table, "BatchExecuteStatement"));
  store::GetItemRequest request{.table = select.from.table,
                                .key = std::move(read.key),
                                .consistency = options.consistency,
                                .projection = std::move(read.projection),
                                .return_capacity = options.return_capacity};
  auto got = co_await store.GetItem(std::move(request));
  if (!got) co_return std::unexpected(WriteFailure(std::move(got).error()));
  ExecuteResponse response;
  response.capacity = std::move(got->capacity);
  if (got->item) response.items.push_back(PackedItem::Pack(Shape(read.columns, got->item->Unpack())));
  co_return response;
}

enum class Surface { kAlone, kInBatch };

Task<Response> Run(Store& store, const Statement& statement, const ExecuteOptions& options, Surface surface) {
  if (std::holds_alternative<ExistsCheck>(statement)) {
    co_return std::unexpected(
        WriteFailure(Invalid("EXISTS can only be used in ExecuteTransaction write requests.")));
  }
  CO_ASSIGN_OR_RETURN(const TableDescription table, co_await DescribeForStatement(store, TableOf(statement)));
  if (const auto* insert = std::get_if<Insert>(&statement))
    co_return co_await RunInsert(store, *insert, table, options);
  if (const auto* update = std::get_if<Update>(&statement))
    co_return co_await RunUpdate(store, *update, table, options);
  if (const auto* deletion = std::get_if<Delete>(&statement)) {
    co_return co_await RunDelete(store, *deletion, table, options);
  }
  const Select& select = std::get<Select>(statement);
  if (surface == Surface::kInBatch) co_return co_await RunSingleRead(store, select, table, options);
  co_return co_await RunSelect(store, select, table, options);
}

}  // namespace

Task<Response> Execute(Store& store, const Statement& statement, ExecuteOptions options) {
  co_return co_await Run(store, statement, options, Surface::kAlone);
}

Task<Response> ExecuteInBatch(Store& store, const Statement& statement, ExecuteOptions options) {
  co_return co_await Run(store, statement, options, Surface::kInBatch);
}

Task<Result<TableDescription>> DescribeForStatement(Store& store, std::string table) {
  auto description = co_await store.DescribeTable(std::move(table));
  if (!description && description.error().code == Code::kResourceNotFound) {
    co_return Fail(Code::kResourceNotFound, "Requested resource not found");
  }
  co_return description;
}

}  // namespace cairn::partiql
