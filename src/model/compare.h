// CompareTables: what a changed model means for the items that were stored under the one before. Pure.
//
// Most changes mean nothing for them: patterns, documents, new entities, new attributes that need not be
// there. What matters is told apart by what follows from it, see model/adopt_model.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/definition.h"

namespace cairn::model {

struct TableDifference {
  // Items may not be found any more: of an entity's type, or under its key. Sentences that say what changed.
  std::vector<std::string> hiding;
  // Positions in Table::indexes: the keys of some items in it are missing or others.
  std::vector<size_t> indexes;
  // Entity -> names of attributes whose rules have changed: values may break them.
  std::map<std::string, std::vector<std::string>> values;
  // Entities that have a unique constraint they did not have before, or one that is kept elsewhere.
  std::vector<std::string> unique;
  // Entities whose items follow a list of another entity's items, and did not before.
  std::vector<std::string> mirrors;
  // The time to live of an entity is another.
  bool expiry = false;

  // Whether items must be looked at before the model may be served.
  bool NeedsSurvey() const {
    return !hiding.empty() || !values.empty() || !unique.empty() || !mirrors.empty();
  }
  bool empty() const { return !NeedsSurvey() && indexes.empty() && !expiry; }
};

// Of the same table in the store, as two models have it: positions in Model::tables.
TableDifference CompareTables(const Model& before, size_t before_table, const Model& now, size_t now_table);

// When nothing is known of the model before: whatever hides items may have changed, and every index.
TableDifference UnknownBefore(const Model& now, size_t now_table);

}  // namespace cairn::model
