#include "model/model_memory.h"

#include <algorithm>

#include "base/log.h"

namespace cairn::model {
namespace {

const std::string kTableName = std::string(ModelMemory::kTable);
constexpr std::string_view kStoreTable = "table";  // partition key: the table's name in the store
constexpr std::string_view kModel = "model";       // sort key: the model's name
constexpr std::string_view kStage = "stage";
constexpr std::string_view kHash = "hash";
constexpr std::string_view kDefinition = "definition";  // canonical JSON
constexpr std::string_view kLogicalTable = "tableInModel";
constexpr std::string_view kAt = "servedAt";
constexpr std::string_view kFillIndexes = "fillIndexes";
constexpr std::string_view kFillAfter = "fillAfter";
constexpr std::string_view kFillDone = "fillDone";
// An item has 400 KB at most. What is not kept counts as unknown, and everything is looked at.
constexpr size_t kDefinitionBytesMax = 350 * 1024;

std::string TextOf(const item::Item& item, std::string_view name) {
  const item::AttributeValue* value = item.Find(name);
  return value != nullptr && value->is(item::Type::kString) ? value->string() : "";
}

int64_t WholeOf(const item::Item& item, std::string_view name) {
  const item::AttributeValue* value = item.Find(name);
  return value != nullptr && value->is(item::Type::kNumber) ? value->number().ToInteger().value_or(0) : 0;
}

item::Item KeyOf(std::string table, std::string model) {
  return item::Item{{std::string(kStoreTable), std::move(table)}, {std::string(kModel), std::move(model)}};
}

void SetFill(item::Item& item, const UnfinishedFill& fill) {
  item::List names;
  for (const std::string& name : fill.indexes) names.emplace_back(name);
  item.Set(kFillIndexes, std::move(names));
  item.Set(kFillDone, item::Number(fill.done));
  if (fill.after) item.Set(kFillAfter, item::Map(*fill.after));
}

std::optional<UnfinishedFill> FillOf(const item::Item& item) {
  const item::AttributeValue* names = item.Find(kFillIndexes);
  if (names == nullptr || !names->is(item::Type::kList)) return std::nullopt;
  UnfinishedFill fill;
  for (const item::AttributeValue& name : names->list()) {
    if (name.is(item::Type::kString)) fill.indexes.push_back(name.string());
  }
  fill.done = WholeOf(item, kFillDone);
  const item::AttributeValue* after = item.Find(kFillAfter);
  if (after != nullptr && after->is(item::Type::kMap)) fill.after = after->map();
  return fill;
}

RememberedModel ToRemembered(const item::Item& item) {
  return {.table = TextOf(item, kStoreTable),
          .model = TextOf(item, kModel),
          .stage = TextOf(item, kStage),
          .hash = TextOf(item, kHash),
          .definition = TextOf(item, kDefinition),
          .table_in_model = TextOf(item, kLogicalTable),
          .at_ms = WholeOf(item, kAt),
          .fill = FillOf(item)};
}

void SetTo(expr::Update& update, std::string_view name, item::AttributeValue value) {
  auto operand = std::make_shared<const expr::SetValue>(expr::SetValue{std::move(value)});
  update.sets.push_back({{std::string(name), {}}, std::move(operand)});
}

Task<Status> Write(store::Store& store, const Database& database, size_t table, expr::Update update) {
  store::UpdateItemRequest request;
  request.table = kTableName;
  request.key = KeyOf(database.physical_name(table), database.model().name);
  request.update = std::move(update);
  auto written = co_await store.UpdateItem(std::move(request));
  if (!written) co_return Fail(std::move(written).error().error);
  co_return Status();
}

}  // namespace

std::optional<TableOfModel> ReadDefinition(const RememberedModel& remembered) {
  if (remembered.definition.empty()) return std::nullopt;
  auto model = ParseModel(remembered.definition, remembered.model + ".json");
  if (!model) {
    log::Warning("a remembered model cannot be read any more, so all items count as unknown",
                 {{"model", remembered.model}, {"reason", ToString(model.error().front())}});
    return std::nullopt;
  }
  const Table* table = (*model)->FindTable(remembered.table_in_model);
  if (table == nullptr) return std::nullopt;
  const auto position = static_cast<size_t>(table - (*model)->tables.data());
  return TableOfModel{*std::move(model), position};
}

Task<Result<std::vector<RememberedModel>>> ModelMemory::Load() {
  std::vector<RememberedModel> all;
  store::ScanRequest request;
  request.table = kTableName;
  do {
    auto page = co_await store_.Scan(request);
    if (!page && page.error().code == Code::kResourceNotFound) co_return all;
    if (!page) co_return Fail(std::move(page).error());
    for (const item::PackedItem& item : page->items) all.push_back(ToRemembered(item.Unpack()));
    request.exclusive_start_key = std::move(page->last_evaluated_key);
  } while (request.exclusive_start_key);
  co_return all;
}

Task<Status> ModelMemory::Remember(const Database& database, size_t table, int64_t at_ms,
                                   std::optional<UnfinishedFill> fill) {
  const auto there = co_await store_.DescribeTable(kTableName);
  if (!there && there.error().code == Code::kResourceNotFound) {
    store::TableDefinition definition;
    definition.name = kTableName;
    definition.key_schema.partition = {{std::string(kStoreTable), item::Type::kString}};
    definition.key_schema.sort = {{std::string(kModel), item::Type::kString}};
    definition.attribute_definitions = {definition.key_schema.partition[0], definition.key_schema.sort[0]};
    definition.billing_mode = store::BillingMode::kPayPerRequest;
    auto created = co_await store_.CreateTable(definition);
    // Another model of the same server may have been faster.
    if (!created && created.error().code != Code::kResourceInUse) co_return Fail(created.error());
  }
  const Model& model = database.model();
  store::PutItemRequest request;
  request.table = kTableName;
  request.item = KeyOf(database.physical_name(table), model.name);
  request.item.Set(kStage, database.stage());
  request.item.Set(kHash, model.hash);
  request.item.Set(kLogicalTable, model.tables[table].name);
  if (model.canonical_json.size() <= kDefinitionBytesMax) request.item.Set(kDefinition, model.canonical_json);
  request.item.Set(kAt, item::Number(at_ms));
  if (fill) SetFill(request.item, *fill);
  auto written = co_await store_.PutItem(std::move(request));
  if (!written) co_return Fail(std::move(written).error().error);
  co_return Status();
}

Task<Status> ModelMemory::NoteProgress(const Database& database, size_t table, const UnfinishedFill& fill) {
  expr::Update update;
  SetTo(update, kFillDone, item::Number(fill.done));
  if (fill.after) SetTo(update, kFillAfter, item::Map(*fill.after));
  co_return co_await Write(store_, database, table, std::move(update));
}

Task<Status> ModelMemory::NoteFilled(const Database& database, size_t table) {
  expr::Update update;
  for (const std::string_view name : {kFillIndexes, kFillAfter, kFillDone})
    update.removes.push_back({{std::string(name), {}}});
  co_return co_await Write(store_, database, table, std::move(update));
}

Task<Status> ModelMemory::Forget(std::string table, std::string model) {
  store::DeleteItemRequest request;
  request.table = kTableName;
  request.key = KeyOf(std::move(table), std::move(model));
  auto gone = co_await store_.DeleteItem(std::move(request));
  if (!gone) co_return Fail(std::move(gone).error().error);
  co_return Status();
}

}  // namespace cairn::model
