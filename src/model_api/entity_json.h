// Between an entity's attributes as stored and as JSON: names of the model outside, stored names inside.
// Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "item/attribute_value.h"
#include "model/definition.h"
#include "model/failure.h"
#include "model/session.h"

namespace cairn::model_api {

// Appends the members of an entity, in the order of the model. Secret attributes are left out. The writer is
// inside an object.
void AppendMembers(JsonWriter& json, const model::Entity& entity, const item::Item& values);
// {"orderId":"...", ...}
std::string EntityJson(const model::Entity& entity, const item::Item& values);

// The member of a list's items that says which entity they are: "entity", or "$entity" where the entity has
// an attribute of that name.
std::string_view EntityMember(const model::Entity& entity);

enum class Body {
  kCreate,
  kReplace,  // what GET gave may be sent back: attributes that are set by the session are ignored
};

// Values to store. Every unknown attribute, wrong type and null is an error of its field. An empty set is as
// if absent: DynamoDB has none. If there are any, they are told together with everything that is missing;
// what says whose it is comes from the caller's token and never is.
model::Outcome<item::Item> ReadValues(const model::Model& model, const model::Entity& entity,
                                      const item::Item& json, Body body);

// A merge patch (RFC 7396) of top-level attributes: null removes, except where the attribute may be null.
model::Outcome<model::Changes> ReadChanges(const model::Entity& entity, const item::Item& json);

}  // namespace cairn::model_api
