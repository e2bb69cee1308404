// The components of an OpenAPI document that operations refer to by name: replies, parameters, headers,
// schemas. Private to openapi.cc.
#pragma once

#include <initializer_list>
#include <string_view>

#include "design/json_output.h"
#include "model/definition.h"

namespace cairn::design {

// Of an item in a list that was not stored as its model says.
inline constexpr std::string_view kDamagedSchema = "damaged.item";

// The whole "components" object, under its key.
void WriteComponents(JsonOutput& out, const model::Model& model);

// Members of a "responses" object: the problem replies with these statuses.
void WriteProblemReplies(JsonOutput& out, std::initializer_list<std::string_view> statuses);

}  // namespace cairn::design
