// The rules of an entity, applied to its values: types, limits, required attributes, require_if, after,
// transitions. Pure. Values are brought into canonical form on the way.
#pragma once

#include <string_view>
#include <vector>

#include "item/attribute_value.h"
#include "model/definition.h"
#include "model/failure.h"

namespace cairn::model {

// Sets what is absent and has a default.
void FillDefaults(const Entity& entity, item::Item& values);

// Complete values of an item to be stored; what is absent gets its default. Every fault found is returned.
std::vector<FieldError> ValidateValues(const Entity& entity, item::Item& values);

// Some attributes of an item, for an update that does not know the rest: types and limits only.
std::vector<FieldError> ValidatePart(const Entity& entity, item::Item& values);

// A change that was made without a look at the item: `values` has the key and what is set, and all that the
// rules about `touched` attributes (stored names) read.
std::vector<FieldError> ValidateChange(const Entity& entity, item::Item& values,
                                       const std::vector<std::string>& touched);

// A change of the attribute that `transitions` governs; nothing to say when it may go from old to new.
std::vector<FieldError> ValidateTransition(const Entity& entity, const item::Item& old_values,
                                           const item::Item& new_values);

}  // namespace cairn::model
