// The key of an entity in an address: /api/m/shop/Order/{customerId}/{orderId}, one segment for each
// attribute of model::KeyAttributes. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "item/attribute_value.h"
#include "model/definition.h"

namespace cairn::model_api {

// The key's values under their stored names. A wrong number of segments, or one that cannot be a value of its
// attribute, names nothing: kResourceNotFound, with a sentence that says why.
Result<item::Item> ReadKey(const model::Model& model, const model::Entity& entity,
                           const std::vector<std::string>& segments);

// The address of an item. Precondition: `values` has its key attributes.
std::string AddressOf(const model::Model& model, const model::Entity& entity, const item::Item& values);

// "/api/m/shop/Order/{customerId}/{orderId}"
std::string AddressPattern(const model::Model& model, const model::Entity& entity);

}  // namespace cairn::model_api
