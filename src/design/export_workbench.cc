#include <map>

#include "design/examples.h"
#include "design/export.h"
#include "design/json_output.h"
#include "item/item_json.h"

namespace cairn::design {
namespace {

constexpr int kSamples = 2;

void WriteKeyAttributes(JsonOutput& out, const std::string& pk, const std::string& sk) {
  out.Key("KeyAttributes");
  out.BeginObject();
  const auto key = [&](const char* role, const std::string& name) {
    out.Key(role);
    out.BeginObject();
    out.Member("AttributeName", name);
    out.Member("AttributeType", "S");
    out.EndObject();
  };
  key("PartitionKey", pk);
  if (!sk.empty()) key("SortKey", sk);
  out.EndObject();
}

// Every attribute that an item of the table may have, besides its primary key.
std::map<std::string, std::string> NonKeyAttributes(const model::Model& model, size_t position) {
  const model::Table& table = model.tables[position];
  std::map<std::string, std::string> types;
  for (const model::Index& index : table.indexes) {
    types.emplace(index.pk_attribute, "S");
    if (!index.sk_attribute.empty()) types.emplace(index.sk_attribute, "S");
  }
  if (!table.type_attribute.empty()) types.emplace(table.type_attribute, "S");
  if (!table.ttl_attribute.empty()) types.emplace(table.ttl_attribute, "N");
  for (const model::Entity& entity : model.entities) {
    if (entity.table != position) continue;
    for (const model::Attribute& attribute : entity.attributes) {
      if (!attribute.in_key_only)
        types.emplace(attribute.stored_as, item::TypeName(attribute.type.StoredType()));
    }
  }
  types.erase(table.pk_attribute);
  types.erase(table.sk_attribute);
  return types;
}

void WriteNonKeyAttributes(JsonOutput& out, const std::map<std::string, std::string>& types) {
  out.Key("NonKeyAttributes");
  out.BeginArray();
  for (const auto& [name, type] : types) {
    out.BeginObject();
    out.Member("AttributeName", name);
    out.Member("AttributeType", type);
    out.EndObject();
  }
  out.EndArray();
}

void WriteItem(JsonOutput& out, const item::Item& item) {
  out.BeginObject();
  for (const item::Attribute& attribute : item) {
    out.Key(attribute.name);
    std::string value;
    item::AppendValueJson(value, attribute.value);
    out.Raw(value);
  }
  out.EndObject();
}

std::vector<item::Item> Samples(const model::Model& model, const model::Entity& entity) {
  std::vector<item::Item> items{ExampleItem(model, entity, 0)};
  const model::Table& table = model.TableOf(entity);
  for (int n = 1; n < kSamples; ++n) {
    item::Item next = ExampleItem(model, entity, n);
    const auto same = [&](const std::string& key) {
      return key.empty() || *next.Find(key) == *items.front().Find(key);
    };
    // Entities of one item per partition have one example only.
    if (!(same(table.pk_attribute) && same(table.sk_attribute))) items.push_back(std::move(next));
  }
  return items;
}

void WriteFacet(JsonOutput& out, const model::Model& model, const model::Entity& entity) {
  const model::Table& table = model.TableOf(entity);
  std::vector<std::string> names;
  for (const item::Attribute& attribute : ExampleItem(model, entity, 0)) {
    if (attribute.name != table.pk_attribute && attribute.name != table.sk_attribute)
      names.push_back(attribute.name);
  }
  out.BeginObject();
  out.Member("FacetName", entity.name);
  out.Key("KeyAttributeAlias");
  out.BeginObject();
  out.Member("PartitionKeyAlias", entity.pk.text());
  if (!table.sk_attribute.empty()) out.Member("SortKeyAlias", entity.sk.text());
  out.EndObject();
  out.Key("TableData");
  out.BeginArray();
  for (const item::Item& item : Samples(model, entity)) WriteItem(out, item);
  out.EndArray();
  out.Strings("NonKeyAttributes", names);
  out.EndObject();
}

void WriteIndexes(JsonOutput& out, const model::Table& table) {
  out.Key("GlobalSecondaryIndexes");
  out.BeginArray();
  for (const model::Index& index : table.indexes) {
    out.BeginObject();
    out.Member("IndexName", index.name);
    WriteKeyAttributes(out, index.pk_attribute, index.sk_attribute);
    out.Key("Projection");
    out.BeginObject();
    out.Member("ProjectionType", index.project_all        ? "ALL"
                                 : index.included.empty() ? "KEYS_ONLY"
                                                          : "INCLUDE");
    if (!index.project_all && !index.included.empty()) out.Strings("NonKeyAttributes", index.included);
    out.EndObject();
    out.EndObject();
  }
  out.EndArray();
}

void WriteTable(JsonOutput& out, const model::Model& model, size_t position, std::string_view stage) {
  const model::Table& table = model.tables[position];
  out.BeginObject();
  out.Member("TableName", PhysicalName(table, stage));
  WriteKeyAttributes(out, table.pk_attribute, table.sk_attribute);
  WriteNonKeyAttributes(out, NonKeyAttributes(model, position));
  out.Key("TableFacets");
  out.BeginArray();
  for (const model::Entity& entity : model.entities) {
    if (entity.table == position) WriteFacet(out, model, entity);
  }
  out.EndArray();
  if (!table.indexes.empty()) WriteIndexes(out, table);
  out.Key("TableData");
  out.BeginArray();
  for (const model::Entity& entity : model.entities) {
    if (entity.table != position) continue;
    for (const item::Item& item : Samples(model, entity)) WriteItem(out, item);
  }
  out.EndArray();
  out.Key("DataAccess");
  out.BeginObject();
  out.Key("MySql");
  out.BeginObject();
  out.EndObject();
  out.EndObject();
  out.Member("BillingMode", table.billing == "provisioned" ? "PROVISIONED" : "PAY_PER_REQUEST");
  out.EndObject();
}

}  // namespace

std::string Workbench(const model::Model& model, std::string_view stage) {
  JsonOutput out;
  out.BeginObject();
  out.Member("ModelName", model.name);
  out.Key("ModelMetadata");
  out.BeginObject();
  out.Member("Author", "");
  out.Member("Description", model.doc);
  out.Member("AWSService", "Amazon DynamoDB");
  out.Member("Version", "3.0");
  out.EndObject();
  out.Key("DataModel");
  out.BeginArray();
  for (size_t table = 0; table < model.tables.size(); ++table) WriteTable(out, model, table, stage);
  out.EndArray();
  out.EndObject();
  return out.Take();
}

}  // namespace cairn::design
