// What a server serves, as JSON for people and programs that look around. Pure.
#pragma once

#include <string>
#include <vector>

#include "model/definition.h"

namespace cairn::model_api {

// {"models":[{"name","doc","href"}]}
std::string ModelListJson(const std::vector<const model::Model*>& models);

// {"name","doc","version","openapi","entities":[...],"patterns":[...]}: entities a caller may reach with
// their addresses, keys and methods; patterns with their parameters.
std::string ModelSummaryJson(const model::Model& model);

// The methods a caller may use on one item, and on the collection: "GET", "PUT", ... An entity without key
// attributes has one address for both.
std::vector<std::string> ItemMethods(const model::Model& model, const model::Entity& entity);
std::vector<std::string> CollectionMethods(const model::Model& model, const model::Entity& entity);

}  // namespace cairn::model_api
