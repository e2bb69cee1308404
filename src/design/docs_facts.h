// What both forms of the documents say about a model, as sentences in which `code` stands in backticks.
#pragma once

#include <string>
#include <vector>

#include "model/definition.h"

namespace cairn::design {

struct Fact {
  std::string label;  // "Lock"
  std::string text;   // "`version` counts up with every write"
};

std::vector<Fact> TableFacts(const model::Model& model, size_t table);
std::vector<Fact> EntityFacts(const model::Model& model, const model::Entity& entity);
std::vector<Fact> PatternFacts(const model::Pattern& pattern);
std::vector<Fact> GuardFacts(const model::Model& model);

// "required, at most 200 bytes, default `x`"
std::string AttributeRules(const model::Attribute& attribute);
// "`GSI1PK` = `USER#{userId}#{window:yyyy}` and `GSI1SK` between `{from}` and `{to}`"
std::string KeyCondition(const model::Model& model, const model::Read& read);
// "GetItem", "Query", "Query GSI1".
std::string CallName(const model::Model& model, const model::Read& read);
// "Task, Goal"
std::vector<std::string> EntityNames(const model::Model& model, const model::Read& read);
// "everything", "keys only", "keys and `a`, `b`".
std::string ProjectionText(const model::Index& index);

// A table or index as a picture: partitions with the items that lie in them, in the order of the sort key.
struct PictureRow {
  const model::Entity* entity = nullptr;
  const model::Template* partition = nullptr;
  const model::Template* sort = nullptr;  // empty template: no sort key
  std::string example;                    // of the sort key
  std::string when;                       // rule of a sparse index; "": always there
};
struct PicturePartition {
  std::string example;                            // of the partition key
  std::vector<const model::Template*> templates;  // that make it, one for each spelling

  std::vector<PictureRow> rows;
};
std::vector<PicturePartition> PictureOfTable(const model::Model& model, size_t table);
std::vector<PicturePartition> PictureOfIndex(const model::Model& model, size_t table, size_t index);

}  // namespace cairn::design
