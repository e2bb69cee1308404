// How callers reach an entity: which attributes name one item, and what a caller other than the system may do
// with it. Derived from the definition alone; used by REST and by its description, so that both say the same.
#pragma once

#include <vector>

#include "model/definition.h"

namespace cairn::model {

// The attributes of the primary key in order of appearance, partition key first, each once; without the
// tenant's, which the caller's token fills. Empty for an entity of which every owner has one item.
std::vector<const Attribute*> KeyAttributes(const Model& model, const Entity& entity);

struct UserAccess {
  bool read = false;
  bool create = false;
  bool change = false;  // replace and update
  bool remove = false;
  bool any() const { return read || create || change || remove; }
};

UserAccess AccessOf(const Model& model, const Entity& entity);
// Whether the pattern is for callers at all: a global one is only if everything it returns may be read by
// everybody.
bool MayRead(const Model& model, const Pattern& pattern);

// Set by the session whatever the caller says: times of creation and change, the lock's version.
bool IsSetBySession(const Entity& entity, const Attribute& attribute);

// The attribute the optimistic lock compares; null when there is no lock.
const Attribute* LockAttribute(const Entity& entity);

}  // namespace cairn::model
