// PlanUpdate: what a partial update writes, and under which condition. Pure.
//
// The rules of a model say what they read, so an update knows which index keys, guards and checks it touches.
// When it lacks something they read, the old values must be known first (NeedsOldValues), and the write is
// conditional on what was read: on the version where the entity has one, else on exactly the attributes that
// mattered.
#pragma once

#include <optional>

#include "expr/update.h"
#include "model/session.h"

namespace cairn::model {

struct UpdatePlan {
  expr::Update update;
  expr::ConditionPtr condition;  // lock, attributes relied upon, bounds of counters; null: none
  item::Item new_values;         // with old values: the complete new ones; else key and what is set
  bool unchanged = false;        // nothing to write
};

// Whether the update touches a rule that reads more than the changes and the key tell.
bool NeedsOldValues(const Model& model, const Entity& entity, const item::Item& key_values,
                    const Changes& changes);

// `old_values`: as stored, without defaults; null: not known (then NeedsOldValues must have been false and an
// entity with a lock has `expected`). Automatic times are set to `now`.
Outcome<UpdatePlan> PlanUpdate(const Database& database, const Entity& entity, const item::Item& key_values,
                               Changes changes, const item::Item* old_values,
                               const ExpectedVersion& expected);

// The changes that turn old values into new ones; attributes absent in `new_values` get their default or are
// removed, unless they are immutable, automatic, generated, derived or the lock's.
Changes ChangesBetween(const Model& model, const Entity& entity, const item::Item& old_values,
                       const item::Item& new_values);

// Entities whose items mirror a list of this one.
std::vector<const Entity*> MirrorsOf(const Model& model, const Entity& entity);

}  // namespace cairn::model
