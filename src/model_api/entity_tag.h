// Entity tags: the optimistic lock of an entity as ETag. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "item/attribute_value.h"
#include "model/definition.h"

namespace cairn::model_api {

// "\"7\"": the value in quotes; characters a tag cannot have are percent-encoded.
std::string EntityTag(const item::AttributeValue& version);
// The tag of these values; nothing when the entity has no lock, or the item no value of it.
std::optional<std::string> TagOf(const model::Entity& entity, const item::Item& values);

// The lock's value a tag stands for; nothing when no item can have this tag.
std::optional<item::AttributeValue> VersionOf(const model::Entity& entity, std::string_view tag);

}  // namespace cairn::model_api
