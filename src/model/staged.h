// Staged: one write of a session, waiting for its commit.
#pragma once

#include "model/session.h"

namespace cairn::model {

enum class Operation { kCreate, kReplace, kUpdate, kDelete, kCheck };

struct Staged {
  Operation op = Operation::kCreate;
  const Entity* entity = nullptr;
  item::Item values;  // kCreate and kReplace: all values; else at least the key's
  Changes changes;    // of kUpdate
  ExpectedVersion expected;
};

// Fills in defaults, generated ids, times and the first version of a new item.
void Complete(const Database& database, const Entity& entity, item::Item& values);

// Names an item among those a session knows: table, partition key, sort key.
std::string StagedKey(const Model& model, const Entity& entity, const item::Item& key);

}  // namespace cairn::model
