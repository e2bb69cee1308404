#include "model_api/request_rules.h"

#include "model/entity_access.h"

namespace cairn::model_api {
namespace {

http::Problem UnsupportedMediaType(std::string detail) {
  return {.status = 415,
          .code = "unsupported-media-type",
          .title = "The body is of a type that is not taken here",
          .detail = std::move(detail),
          .errors = {}};
}

http::Problem PreconditionRequired(const model::Entity& entity) {
  return {
      .status = 428,
      .code = "if-match-required",
      .title = "This change needs a condition",
      .detail = entity.name + " has a lock: send If-Match with the ETag of the version you have seen, or *",
      .errors = {}};
}

// "application/json; charset=utf-8" without its parameters.
std::string_view MediaType(std::string_view field) {
  field = field.substr(0, field.find(';'));
  while (field.ends_with(' ') || field.ends_with('\t')) field.remove_suffix(1);
  return field;
}

}  // namespace

Result<std::string_view, http::Problem> SingleField(const http::Request& request, std::string_view name) {
  const http::HeaderField* found = nullptr;
  for (const http::HeaderField& field : request.headers) {
    if (!http::EqualsIgnoreCase(field.name, name)) continue;
    if (found != nullptr) {
      return std::unexpected(http::ProblemOf({Code::kMalformed, std::string(name) + " is given twice"}));
    }
    found = &field;
  }
  return found == nullptr ? std::string_view() : found->value;
}

Result<void, http::Problem> CheckBody(const http::Request& request, BodyKind kind) {
  ASSIGN_OR_RETURN(const std::string_view field, SingleField(request, "Content-Type"));
  const std::string_view type = MediaType(field);
  const bool fits =
      http::EqualsIgnoreCase(type, "application/json") ||
      (kind == BodyKind::kMergePatch && http::EqualsIgnoreCase(type, "application/merge-patch+json"));
  if (!fits) {
    return std::unexpected(UnsupportedMediaType(kind == BodyKind::kMergePatch
                                                    ? "Send application/merge-patch+json or application/json"
                                                    : "Send application/json"));
  }
  if (request.body.size() > kBodyBytesMax) {
    return std::unexpected(
        http::ProblemOf({Code::kTooLarge, "A body has at most " + std::to_string(kBodyBytesMax) + " bytes"}));
  }
  return {};
}

Result<IfMatch, http::Problem> ExpectationOf(const http::Request& request, const model::Entity& entity) {
  if (!request.Header("If-None-Match").empty()) {
    return std::unexpected(http::ProblemOf({Code::kMalformed, "If-None-Match is for GET"}));
  }
  ASSIGN_OR_RETURN(const std::string_view field, SingleField(request, "If-Match"));
  if (field.empty()) {
    if (model::LockAttribute(entity) != nullptr) return std::unexpected(PreconditionRequired(entity));
    return IfMatch{.any = true, .tag = {}};
  }
  auto parsed = ParseIfMatch(field);
  if (!parsed) return std::unexpected(http::ProblemOf(parsed.error()));
  if (!parsed->any && !VersionOf(entity, parsed->tag)) return std::unexpected(VersionMismatch(entity));
  return *std::move(parsed);
}

http::Problem VersionMismatch(const model::Entity& entity) {
  return {.status = 412,
          .code = "version-mismatch",
          .title = "It was changed by someone else",
          .detail = entity.name + " does not have the version that If-Match names",
          .errors = {}};
}

}  // namespace cairn::model_api
