// A stored entity of any kind as JSON, under the names of the model; what is secret is left out. Pure.
#pragma once

#include <string>

#include "item/attribute_value.h"
#include "model/definition.h"

namespace cairn::nexus {

std::string ItemJson(const model::Entity& entity, const item::Item& values);

}  // namespace cairn::nexus
