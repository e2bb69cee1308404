// The schemas of an OpenAPI document: types, attributes and entities of a model as JSON Schema. Private to
// openapi.cc.
#pragma once

#include <string>

#include "design/json_output.h"
#include "model/definition.h"

namespace cairn::design {

// What a schema of an entity is for.
enum class Use {
  kRead,     // what GET answers
  kPartial,  // the same from a pattern that returns only some attributes
  kCreate,
  kReplace,
  kPatch,
};

// "Order", "Order.create", ...; enums and shapes are "enum.Status" and "shape.Address".
std::string SchemaName(const model::Entity& entity, Use use);

// A schema object for one value.
void WriteTypeSchema(JsonOutput& out, const model::ValueType& type, const model::ValueLimits& limits = {});
// A schema object for an entity.
void WriteEntitySchema(JsonOutput& out, const model::Model& model, const model::Entity& entity, Use use);
// Members of an open object: enums and shapes of the model, each under its name.
void WriteNamedTypes(JsonOutput& out, const model::Model& model);

}  // namespace cairn::design
