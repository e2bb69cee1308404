// What the parts of a key template say about the keys they make: how many different values, how long, of what
// time. Shared by the lint rules, the cost estimate and the documents.
#pragma once

#include <string>
#include <string_view>

#include "model/definition.h"

namespace cairn::design {

// A template of an entity: its own pk or sk, or one of an index.
struct KeyTemplate {
  const model::Template* key = nullptr;
  model::Location where;
  std::string subject;  // for findings: "Task" or "Task.GSI1"
  std::string role;     // for sentences: "pk", "index GSI1 sk"
};

// The templates of an entity's partitions: of the table and of every index it is in.
std::vector<KeyTemplate> PartitionKeys(const model::Model& model, const model::Entity& entity);
// Likewise of its sort keys, where there are any.
std::vector<KeyTemplate> SortKeys(const model::Model& model, const model::Entity& entity);

// Null when the entity is not in that index.
const model::EntityIndex* FindIndex(const model::Entity& entity, size_t index);
// The attribute of the entity that a placeholder stands for; null for fixed text and steps.
const model::Attribute* AttributeOf(const model::Entity& entity, const model::TemplatePart& part);

// The type whose rules a value obeys: of a reference, that of the id it holds.
const model::ValueType& HeldType(const model::ValueType& type);

// Literals, booleans, enums and lists of allowed values: a handful of different keys.
bool IsFewValued(const model::Entity& entity, const model::TemplatePart& part);
// The year, month or day of a time, or a date.
bool IsTimeBucket(const model::TemplatePart& part);
// A moment in time to the second or better.
bool IsTimestamp(const model::TemplatePart& part);
// Every value has the same number of bytes.
bool IsFixedWidth(const model::TemplatePart& part);
// An unpadded number, whose text order is not its order.
bool IsUnpaddedNumber(const model::TemplatePart& part);

// How the values of a partition key spread the load.
enum class Spread {
  kMany,        // ids: as many partitions as things
  kFew,         // fixed text and closed lists only
  kTimeBucket,  // besides these and the tenant only a period of the time of writing
};
Spread SpreadOf(const model::Model& model, const model::Entity& entity, const model::Template& partition);

}  // namespace cairn::design
