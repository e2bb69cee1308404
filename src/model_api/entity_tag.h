// Entity tags: the optimistic lock of an entity as ETag, and the conditions of a request about it (RFC 9110).
// Pure.
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

// What If-Match asks for.
struct IfMatch {
  bool any = false;  // "*"
  std::string tag;   // else: one tag with its quotes
};
// Exactly one strong tag, or "*". Fails with kMalformed for anything else: a list cannot be checked in one
// write.
Result<IfMatch> ParseIfMatch(std::string_view field);

// The lock's value a tag stands for; nothing when no item can have this tag.
std::optional<item::AttributeValue> VersionOf(const model::Entity& entity, std::string_view tag);

// If-None-Match of a GET: whether the client has this version already. Compares weakly.
bool HasTag(std::string_view if_none_match, std::string_view tag);

}  // namespace cairn::model_api
