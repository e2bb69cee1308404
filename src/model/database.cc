#include "model/database.h"

#include <algorithm>
#include <thread>

#include "base/log.h"
#include "model/cursor.h"

namespace cairn::model {
namespace {

constexpr std::chrono::milliseconds kIndexPollInterval{5};
constexpr std::chrono::minutes kIndexBuildMax{60};

std::string Expand(std::string name, const std::map<std::string, std::string>& variables) {
  for (const auto& [variable, value] : variables) {
    const std::string placeholder = "{" + variable + "}";
    for (size_t at = name.find(placeholder); at != std::string::npos;
         at = name.find(placeholder, at + value.size())) {
      name.replace(at, placeholder.size(), value);
    }
  }
  return name;
}

item::KeySchema Schema(const std::string& pk, const std::string& sk) {
  item::KeySchema schema;
  schema.partition = {{pk, item::Type::kString}};
  if (!sk.empty()) schema.sort = {{sk, item::Type::kString}};
  return schema;
}

store::IndexDefinition IndexOf(const Index& index) {
  store::IndexDefinition definition;
  definition.name = index.name;
  definition.key_schema = Schema(index.pk_attribute, index.sk_attribute);
  if (!index.project_all) {
    definition.projection =
        index.included.empty() ? store::ProjectionType::kKeysOnly : store::ProjectionType::kInclude;
    definition.included = index.included;
  }
  return definition;
}

void AddKeyAttributes(const item::KeySchema& schema, std::vector<item::KeyElement>& definitions) {
  for (const auto* part : {&schema.partition, &schema.sort}) {
    for (const item::KeyElement& element : *part) {
      if (std::find(definitions.begin(), definitions.end(), element) == definitions.end()) {
        definitions.push_back(element);
      }
    }
  }
}

// What of `wanted` the existing table contradicts; "" when it fits.
std::string Difference(const store::TableDefinition& wanted, const store::TableDescription& existing) {
  if (!(wanted.key_schema == existing.definition.key_schema)) return "its primary key is another";
  for (const store::IndexDefinition& index : wanted.indexes) {
    for (const store::IndexDescription& there : existing.indexes) {
      if (there.definition.name != index.name) continue;
      if (!(there.definition.key_schema == index.key_schema))
        return "its index " + index.name + " has other keys";
    }
  }
  return "";
}

Status Fits(const store::TableDefinition& wanted, const store::TableDescription& existing) {
  const std::string difference = Difference(wanted, existing);
  if (difference.empty()) return {};
  return Fail(Invalid("table " + wanted.name + " exists and does not fit the model: " + difference));
}

bool HasIndex(const store::TableDescription& table, const std::string& name) {
  return std::any_of(table.indexes.begin(), table.indexes.end(),
                     [&](const store::IndexDescription& index) { return index.definition.name == name; });
}

bool IsBuilding(const store::TableDescription& table) {
  return table.status != store::TableStatus::kActive ||
         std::any_of(table.indexes.begin(), table.indexes.end(), [](const store::IndexDescription& index) {
           return index.status != store::IndexStatus::kActive;
         });
}

// Waits until the table and its indexes are usable. Only at start-up, so it may block its thread.
Task<Status> AwaitActive(store::Store& store, const std::string& table) {
  const auto deadline = std::chrono::steady_clock::now() + kIndexBuildMax;
  while (true) {
    auto description = co_await store.DescribeTable(table);
    if (!description) co_return Fail(description.error());
    if (!IsBuilding(*description)) co_return Status();
    if (std::chrono::steady_clock::now() > deadline) {
      co_return Fail(Code::kUnavailable, "table " + table + " is still being built after an hour");
    }
    std::this_thread::sleep_for(kIndexPollInterval);
  }
}

// Whether the index keeps other attributes than it should.
bool ProjectsOthers(const store::IndexDefinition& wanted, const store::TableDescription& existing) {
  for (const store::IndexDescription& there : existing.indexes) {
    if (there.definition.name != wanted.name) continue;
    const auto sorted = [](std::vector<std::string> names) {
      std::sort(names.begin(), names.end());
      return names;
    };
    return there.definition.projection != wanted.projection ||
           sorted(there.definition.included) != sorted(wanted.included);
  }
  return false;
}

// What an index keeps cannot be changed: it goes, and is built again.
Task<Status> RemoveIndex(store::Store& store, std::string table, std::string index) {
  log::Info("an index is built again: the model wants other attributes in it",
            {{"table", table}, {"index", index}});
  store::UpdateTableRequest request;
  request.table = table;
  request.index_changes = {store::DeleteIndex{std::move(index)}};
  auto updated = co_await store.UpdateTable(request);
  if (!updated) co_return Fail(updated.error());
  co_return co_await AwaitActive(store, std::move(table));
}

Task<Status> AddMissingIndexes(store::Store& store, const store::TableDefinition& wanted,
                               const store::TableDescription& existing) {
  for (const store::IndexDefinition& index : wanted.indexes) {
    const bool rebuilt = ProjectsOthers(index, existing);
    if (rebuilt) CO_RETURN_IF_ERROR(co_await RemoveIndex(store, wanted.name, index.name));
    if (!rebuilt && HasIndex(existing, index.name)) continue;
    store::UpdateTableRequest request;
    request.table = wanted.name;
    AddKeyAttributes(index.key_schema, request.attribute_definitions);
    request.index_changes = {store::CreateIndex{index}};
    auto updated = co_await store.UpdateTable(request);
    if (!updated) co_return Fail(updated.error());
    CO_RETURN_IF_ERROR(co_await AwaitActive(store, wanted.name));
  }
  co_return Status();
}

Task<Status> CreateOrCheck(store::Store& store, store::TableDefinition wanted) {
  auto existing = co_await store.DescribeTable(wanted.name);
  if (!existing && existing.error().code == Code::kResourceNotFound) {
    auto created = co_await store.CreateTable(wanted);
    if (!created) co_return Fail(created.error());
    co_return co_await AwaitActive(store, wanted.name);
  }
  if (!existing) co_return Fail(existing.error());
  CO_RETURN_IF_ERROR(Fits(wanted, *existing));
  co_return co_await AddMissingIndexes(store, wanted, *existing);
}

Task<Status> SwitchOnTimeToLive(store::Store& store, std::string table, std::string attribute) {
  auto current = co_await store.DescribeTimeToLive(table);
  if (!current) co_return Fail(current.error());
  if (current->enabled && current->attribute == attribute) co_return Status();
  store::UpdateTimeToLiveRequest request{.table = table,
                                         .setting = {.enabled = true, .attribute = attribute}};
  auto updated = co_await store.UpdateTimeToLive(request);
  if (!updated) co_return Fail(updated.error());
  co_return Status();
}

std::string SecretOr(const std::string& secret, Random& random) {
  return secret.empty() ? cairn::NewUuid(random) + cairn::NewUuid(random) : secret;
}

}  // namespace

Database::Database(ModelPtr model, store::Store& store, const Clock& clock, Random& random,
                   DatabaseOptions options)
    : model_(std::move(model)),
      store_(store),
      clock_(clock),
      random_(random),
      options_(std::move(options)),
      ulids_(std::make_unique<UlidSource>(random)),
      cursors_(std::make_unique<CursorSealer>(SecretOr(options_.cursor_secret, random), random)) {
  for (const Table& table : model_->tables) {
    physical_names_.push_back(Expand(table.physical_name, options_.variables));
    filling_.push_back(std::make_unique<std::atomic<bool>[]>(table.indexes.size()));
  }
}

Database::~Database() = default;

std::vector<store::TableDefinition> Database::TableDefinitions() const {
  std::vector<store::TableDefinition> definitions;
  for (size_t i = 0; i < model_->tables.size(); ++i) {
    const Table& table = model_->tables[i];
    store::TableDefinition definition;
    definition.name = physical_names_[i];
    definition.key_schema = Schema(table.pk_attribute, table.sk_attribute);
    AddKeyAttributes(definition.key_schema, definition.attribute_definitions);
    for (const Index& index : table.indexes) {
      definition.indexes.push_back(IndexOf(index));
      AddKeyAttributes(definition.indexes.back().key_schema, definition.attribute_definitions);
    }
    definition.billing_mode = store::BillingMode::kPayPerRequest;
    if (table.stream != StreamContent::kNone) {
      const bool keys = table.stream == StreamContent::kKeys;
      definition.stream = {keys ? store::StreamView::kKeysOnly : store::StreamView::kNewAndOldImages};
    }
    definitions.push_back(std::move(definition));
  }
  return definitions;
}

Task<Status> Database::CheckTables() const {
  for (const store::TableDefinition& definition : TableDefinitions()) {
    const auto existing = co_await store_.DescribeTable(definition.name);
    if (!existing && existing.error().code != Code::kResourceNotFound) co_return Fail(existing.error());
    if (existing) CO_RETURN_IF_ERROR(Fits(definition, *existing));
  }
  co_return Status();
}

Task<Status> Database::CreateTables() {
  const std::vector<store::TableDefinition> definitions = TableDefinitions();
  for (size_t i = 0; i < definitions.size(); ++i) {
    CO_RETURN_IF_ERROR(co_await CreateOrCheck(store_, definitions[i]));
    const std::string& ttl = model_->tables[i].ttl_attribute;
    if (!ttl.empty()) CO_RETURN_IF_ERROR(co_await SwitchOnTimeToLive(store_, definitions[i].name, ttl));
  }
  co_return Status();
}

std::string Database::stage() const {
  const auto found = options_.variables.find("stage");
  return found == options_.variables.end() ? "" : found->second;
}

std::chrono::seconds Database::TtlAfter(const TimeToLive& ttl) const {
  const auto configured = options_.retention.find(ttl.after_parameter);
  return configured == options_.retention.end() ? ttl.after : configured->second;
}

}  // namespace cairn::model
