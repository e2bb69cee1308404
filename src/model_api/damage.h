// What of a stored entity contradicts its model: values of another type, texts that are not in a closed list,
// required attributes that are missing. Such an item was not written by a session, or under another model; it
// is named as damaged and never answered as if it were right. Pure.
//
// Bounds and patterns are not looked at: items may be older than those.
#pragma once

#include <vector>

#include "item/attribute_value.h"
#include "model/definition.h"
#include "model/failure.h"

namespace cairn::model_api {

enum class Extent { kWhole, kPart };

// Nothing: it is sound. Of a part, what is absent may be there.
std::vector<model::FieldError> DamageOf(const model::Entity& entity, const item::Item& values, Extent extent);

}  // namespace cairn::model_api
