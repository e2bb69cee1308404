#include "dynamodb/table_rules.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "store/capacity.h"

namespace cairn::dynamodb {
namespace {

constexpr int64_t kCapacityUnitsMax = 1'000'000'000'000;
constexpr size_t kRoleElementsMax = 4;           // HASH, and RANGE, elements of a global index
constexpr size_t kProjectedAttributesMax = 100;  // over all indexes of a table

std::unexpected<Error> InvalidValues(std::string what) {
  return Fail(Invalid("One or more parameter values were invalid: " + std::move(what)));
}

// "[a, b]"
template <class List, class Projection>
std::string Listed(const List& list, Projection name) {
  std::string text = "[";
  for (const auto& element : list) {
    if (text.size() > 1) text += ", ";
    text += std::invoke(name, element);
  }
  return text + "]";
}

const item::KeyElement* FindDefinition(std::span<const item::KeyElement> definitions, std::string_view name) {
  const auto found = std::ranges::find(definitions, name, &item::KeyElement::name);
  return found == definitions.end() ? nullptr : &*found;
}

Status CheckDefined(const std::vector<KeySchemaElement>& keys,
                    std::span<const item::KeyElement> definitions) {
  const bool all_defined = std::ranges::all_of(
      keys, [&](const KeySchemaElement& key) { return FindDefinition(definitions, key.name) != nullptr; });
  if (all_defined) return {};
  return InvalidValues("Some index key attributes are not defined in AttributeDefinitions. Keys: " +
                       Listed(keys, &KeySchemaElement::name) +
                       ", AttributeDefinitions: " + Listed(definitions, &item::KeyElement::name));
}

enum class KeyCount { kOneOfEach, kSeveralOfEach };

// HASH elements first, then RANGE elements; no attribute twice.
Status CheckKeyOrder(const std::vector<KeySchemaElement>& keys, KeyCount allowed) {
  std::set<std::string_view> names;
  for (const KeySchemaElement& key : keys) {
    if (names.insert(key.name).second) continue;
    if (keys.size() == 2) {
      return Fail(Invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name"));
    }
    return Fail(Invalid("Invalid KeySchema: The attribute " + key.name + " occurs more than once"));
  }
  if (keys[0].role != KeyRole::kHash) {
    return Fail(Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type"));
  }
  if (allowed == KeyCount::kOneOfEach && keys.size() > 1 && keys[1].role != KeyRole::kRange) {
    return Fail(Invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"));
  }
  if (!std::ranges::is_sorted(keys, {}, &KeySchemaElement::role)) {
    return Fail(Invalid("Invalid KeySchema: A HASH key type follows a RANGE key type"));
  }
  for (const KeyRole role : {KeyRole::kHash, KeyRole::kRange}) {
    const auto count = std::ranges::count(keys, role, &KeySchemaElement::role);
    if (static_cast<size_t>(count) > kRoleElementsMax) {
      return Fail(Invalid("Invalid KeySchema: More than " + std::to_string(kRoleElementsMax) + " " +
                          std::string(NameOf(kKeyRoles, role)) + " key elements"));
    }
  }
  return {};
}

item::KeySchema TypedKeys(const std::vector<KeySchemaElement>& keys,
                          std::span<const item::KeyElement> definitions) {
  item::KeySchema schema;
  for (const KeySchemaElement& key : keys) {
    auto& elements = key.role == KeyRole::kHash ? schema.partition : schema.sort;
    elements.push_back(*FindDefinition(definitions, key.name));
  }
  return schema;
}

Status CheckProjection(const IndexSchema& index) {
  if (!index.projection) return InvalidValues("Unknown ProjectionType: null");
  const bool include = *index.projection == store::ProjectionType::kInclude;
  const std::string type(NameOf(kProjectionTypes, *index.projection));
  if (index.non_key_attributes && !include) {
    return InvalidValues("ProjectionType is " + type + ", but NonKeyAttributes is specified");
  }
  if (!index.non_key_attributes && include) {
    return InvalidValues("ProjectionType is " + type + ", but NonKeyAttributes is not specified");
  }
  std::set<std::string_view> names;
  for (const std::string& name : index.non_key_attributes.value_or(std::vector<std::string>())) {
    if (!names.insert(name).second) return InvalidValues("Duplicate attribute in NonKeyAttributes: " + name);
  }
  return {};
}

Status CheckLocalIndex(const IndexSchema& index, const TableSchema& table) {
  if (index.keys.size() != 2) {
    return InvalidValues("Index KeySchema does not have a range key for index: " + index.name);
  }
  if (index.keys[0].name != table.keys[0].name) {
    return InvalidValues(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
        index.name + ". index hash key: " + index.keys[0].name + ", table hash key: " + table.keys[0].name);
  }
  return {};
}

Status CheckGlobalThroughput(const IndexSchema& index, store::BillingMode billing_mode) {
  if (billing_mode == store::BillingMode::kPayPerRequest && index.throughput) {
    return InvalidValues("ProvisionedThroughput should not be specified for index: " + index.name +
                         " when BillingMode is PAY_PER_REQUEST");
  }
  if (billing_mode == store::BillingMode::kProvisioned && !index.throughput) {
    return InvalidValues("ProvisionedThroughput must be specified for index: " + index.name);
  }
  return store::CheckNewCapacity(billing_mode, index.throughput.value_or(store::Throughput()),
                                 index.on_demand, index.warm, "index " + index.name);
}

Status CheckBilling(const TableSchema& schema) {
  if (schema.billing_mode == store::BillingMode::kPayPerRequest) {
    if (!schema.throughput) return {};
    return InvalidValues(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (!schema.throughput) {
    return InvalidValues(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED");
  }
  return CheckThroughput(*schema.throughput);
}

Status CheckTableKeys(const TableSchema& schema) {
  if (schema.keys.size() > schema.attribute_definitions.size()) {
    return Fail(Invalid("Invalid KeySchema: Some index key attribute have no definition"));
  }
  RETURN_IF_ERROR(CheckDefined(schema.keys, schema.attribute_definitions));
  RETURN_IF_ERROR(CheckKeyOrder(schema.keys, KeyCount::kOneOfEach));
  if (!schema.local_indexes && !schema.global_indexes &&
      schema.keys.size() != schema.attribute_definitions.size()) {
    return InvalidValues(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions");
  }
  return {};
}

// Adds the indexes to the definition. `names` collects index names over both kinds.
Status DefineLocalIndexes(const TableSchema& schema, std::set<std::string>& names,
                          store::TableDefinition& definition) {
  if (!schema.local_indexes) return {};
  if (schema.local_indexes->empty()) return InvalidValues("List of LocalSecondaryIndexes is empty");
  if (schema.keys.size() != 2) {
    return InvalidValues(
        "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex");
  }
  for (const IndexSchema& index : *schema.local_indexes) {
    RETURN_IF_ERROR(CheckDefined(index.keys, schema.attribute_definitions));
    RETURN_IF_ERROR(CheckKeyOrder(index.keys, KeyCount::kOneOfEach));
    RETURN_IF_ERROR(CheckLocalIndex(index, schema));
    ASSIGN_OR_RETURN(store::IndexDefinition defined, DefineIndex(index, schema.attribute_definitions));
    if (!names.insert(index.name).second) return InvalidValues("Duplicate index name: " + index.name);
    definition.indexes.push_back(std::move(defined));
  }
  if (schema.local_indexes->size() > store::kLocalIndexesMax) {
    return InvalidValues("Number of LocalSecondaryIndexes exceeds per-table limit of " +
                         std::to_string(store::kLocalIndexesMax));
  }
  return {};
}

Status DefineGlobalIndexes(const TableSchema& schema, std::set<std::string>& names,
                           store::TableDefinition& definition) {
  if (!schema.global_indexes) return {};
  if (schema.global_indexes->empty()) return InvalidValues("List of GlobalSecondaryIndexes is empty");
  for (const IndexSchema& index : *schema.global_indexes) {
    ASSIGN_OR_RETURN(store::IndexDefinition defined, DefineIndex(index, schema.attribute_definitions));
    RETURN_IF_ERROR(CheckGlobalThroughput(index, schema.billing_mode));
    if (!names.insert(index.name).second) return InvalidValues("Duplicate index name: " + index.name);
    definition.indexes.push_back(std::move(defined));
  }
  if (schema.global_indexes->size() > store::kGlobalIndexesMax) {
    return InvalidValues("GlobalSecondaryIndex count exceeds the per-table limit of " +
                         std::to_string(store::kGlobalIndexesMax));
  }
  return {};
}

// Every defined attribute is a key somewhere, and is defined once.
Status CheckDefinitionsUsed(const store::TableDefinition& definition) {
  std::vector<std::string> used;
  const auto use = [&used](const item::KeySchema& schema) {
    for (const auto* elements : {&schema.partition, &schema.sort}) {
      for (const item::KeyElement& element : *elements) {
        if (std::ranges::find(used, element.name) == used.end()) used.push_back(element.name);
      }
    }
  };
  use(definition.key_schema);
  for (const store::IndexDefinition& index : definition.indexes) use(index.key_schema);
  if (used.size() == definition.attribute_definitions.size()) return {};
  return InvalidValues("Some AttributeDefinitions are not used. AttributeDefinitions: " +
                       Listed(definition.attribute_definitions, &item::KeyElement::name) +
                       ", keys used: " + Listed(used, std::identity()));
}

Status CheckProjectedCount(const store::TableDefinition& definition) {
  size_t count = 0;
  for (const store::IndexDefinition& index : definition.indexes) count += index.included.size();
  if (count <= kProjectedAttributesMax) return {};
  return InvalidValues("Number of NonKeyAttributes in all indexes exceeds the per-table limit of " +
                       std::to_string(kProjectedAttributesMax));
}

}  // namespace

Status CheckThroughput(const store::Throughput& throughput) {
  const auto out_of_bounds = [](int64_t units, std::string_view name) {
    return Fail(
        Invalid("Given value " + std::to_string(units) + " for " + std::string(name) + " is out of bounds"));
  };
  if (throughput.read_units > kCapacityUnitsMax)
    return out_of_bounds(throughput.read_units, "ReadCapacityUnits");
  if (throughput.write_units > kCapacityUnitsMax)
    return out_of_bounds(throughput.write_units, "WriteCapacityUnits");
  return {};
}

Result<store::IndexDefinition> DefineIndex(const IndexSchema& index,
                                           std::span<const item::KeyElement> attribute_definitions) {
  const bool global = index.kind == store::IndexKind::kGlobal;
  RETURN_IF_ERROR(CheckDefined(index.keys, attribute_definitions));
  RETURN_IF_ERROR(CheckKeyOrder(index.keys, global ? KeyCount::kSeveralOfEach : KeyCount::kOneOfEach));
  RETURN_IF_ERROR(CheckProjection(index));
  store::IndexDefinition definition;
  definition.name = index.name;
  definition.kind = index.kind;
  definition.key_schema = TypedKeys(index.keys, attribute_definitions);
  definition.projection = *index.projection;
  definition.included = index.non_key_attributes.value_or(std::vector<std::string>());
  definition.throughput = index.throughput.value_or(store::Throughput());
  definition.on_demand = index.on_demand;
  definition.warm = index.warm;
  return definition;
}

Status DefineTable(const TableSchema& schema, store::TableDefinition& definition) {
  RETURN_IF_ERROR(CheckBilling(schema));
  RETURN_IF_ERROR(CheckTableKeys(schema));
  definition.attribute_definitions = schema.attribute_definitions;
  definition.key_schema = TypedKeys(schema.keys, schema.attribute_definitions);
  definition.billing_mode = schema.billing_mode;
  definition.throughput = schema.throughput.value_or(store::Throughput());
  RETURN_IF_ERROR(store::CheckNewCapacity(definition.billing_mode, definition.throughput,
                                          definition.on_demand, definition.warm, "table"));
  std::set<std::string> names;
  RETURN_IF_ERROR(DefineLocalIndexes(schema, names, definition));
  RETURN_IF_ERROR(DefineGlobalIndexes(schema, names, definition));
  RETURN_IF_ERROR(CheckDefinitionsUsed(definition));
  return CheckProjectedCount(definition);
}

Result<std::optional<store::StreamSettings>> DefineStream(const StreamSpecification& specification) {
  if (!specification.enabled) {
    if (!specification.view) return std::optional<store::StreamSettings>();
    return InvalidValues("StreamViewType must not be specified when StreamEnabled is false");
  }
  if (!specification.view)
    return InvalidValues("StreamViewType must be specified when StreamEnabled is true");
  return std::optional(store::StreamSettings{*specification.view});
}

}  // namespace cairn::dynamodb
