#include "model_api/entity_tag.h"

#include "http/percent.h"
#include "model/entity_access.h"
#include "rest/entity_tag.h"

namespace cairn::model_api {
namespace {

std::string OpaqueText(const item::AttributeValue& version) {
  switch (version.type()) {
    case item::Type::kString:
      return version.string();
    case item::Type::kNumber:
      return version.number().ToString();
    case item::Type::kBoolean:
      return version.boolean() ? "true" : "false";
    default:
      return "";
  }
}

}  // namespace

std::string EntityTag(const item::AttributeValue& version) {
  return '"' + http::EncodeSegment(OpaqueText(version)) + '"';
}

std::optional<std::string> TagOf(const model::Entity& entity, const item::Item& values) {
  const model::Attribute* lock = model::LockAttribute(entity);
  const item::AttributeValue* version = lock == nullptr ? nullptr : values.Find(lock->stored_as);
  if (version == nullptr) return std::nullopt;
  return EntityTag(*version);
}

std::optional<item::AttributeValue> VersionOf(const model::Entity& entity, std::string_view tag) {
  const model::Attribute* lock = model::LockAttribute(entity);
  if (lock == nullptr || !rest::IsStrongTag(tag)) return std::nullopt;
  const auto text = http::PercentDecode(tag.substr(1, tag.size() - 2), http::Plus::kIsPlus);
  if (!text) return std::nullopt;
  auto version = model::ParseText(lock->type, *text);
  if (!version || EntityTag(*version) != tag) return std::nullopt;
  return *std::move(version);
}

}  // namespace cairn::model_api
