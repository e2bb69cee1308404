#include "model_api/entity_tag.h"

#include "http/percent.h"
#include "model/entity_access.h"

namespace cairn::model_api {
namespace {

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

bool IsStrongTag(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' && text.find('"', 1) == text.size() - 1;
}

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

Result<IfMatch> ParseIfMatch(std::string_view field) {
  field = Trim(field);
  if (field == "*") return IfMatch{.any = true, .tag = {}};
  if (IsStrongTag(field)) return IfMatch{.any = false, .tag = std::string(field)};
  return Fail(Code::kMalformed, "If-Match must be one entity tag such as \"7\", or *");
}

std::optional<item::AttributeValue> VersionOf(const model::Entity& entity, std::string_view tag) {
  const model::Attribute* lock = model::LockAttribute(entity);
  if (lock == nullptr || !IsStrongTag(tag)) return std::nullopt;
  const auto text = http::PercentDecode(tag.substr(1, tag.size() - 2), http::Plus::kIsPlus);
  if (!text) return std::nullopt;
  auto version = model::ParseText(lock->type, *text);
  if (!version || EntityTag(*version) != tag) return std::nullopt;
  return *std::move(version);
}

bool HasTag(std::string_view if_none_match, std::string_view tag) {
  if (Trim(if_none_match) == "*") return true;
  while (!if_none_match.empty()) {
    const size_t comma = if_none_match.find(',');
    std::string_view candidate = Trim(if_none_match.substr(0, comma));
    if (candidate.starts_with("W/")) candidate.remove_prefix(2);
    if (candidate == tag) return true;
    if_none_match.remove_prefix(comma == if_none_match.npos ? if_none_match.size() : comma + 1);
  }
  return false;
}

}  // namespace cairn::model_api
