#include "model_api/request_rules.h"

#include "model/entity_access.h"
#include "model_api/entity_tag.h"
#include "rest/request_rules.h"

namespace cairn::model_api {
namespace {

http::Problem PreconditionRequired(const model::Entity& entity) {
  return {
      .status = 428,
      .code = "if-match-required",
      .title = "This change needs a condition",
      .detail = entity.name + " has a lock: send If-Match with the ETag of the version you have seen, or *",
      .errors = {}};
}

}  // namespace

Result<rest::IfMatch, http::Problem> ExpectationOf(const http::Request& request,
                                                   const model::Entity& entity) {
  if (!request.Header("If-None-Match").empty()) {
    return std::unexpected(http::ProblemOf({Code::kMalformed, "If-None-Match is for GET"}));
  }
  ASSIGN_OR_RETURN(const std::string_view field, rest::SingleField(request, "If-Match"));
  if (field.empty()) {
    if (model::LockAttribute(entity) != nullptr) return std::unexpected(PreconditionRequired(entity));
    return rest::IfMatch{.any = true, .tag = {}};
  }
  auto parsed = rest::ParseIfMatch(field);
  if (!parsed) return std::unexpected(http::ProblemOf(parsed.error()));
  if (parsed->size() > 1) {
    return std::unexpected(
        http::ProblemOf({Code::kMalformed, "If-Match must be one entity tag such as \"7\" here, or *"}));
  }
  const rest::IfMatch& only = parsed->front();
  if (!only.any && !VersionOf(entity, only.tag)) return std::unexpected(VersionMismatch(entity));
  return only;
}

http::Problem VersionMismatch(const model::Entity& entity) {
  return {.status = 412,
          .code = "version-mismatch",
          .title = "It was changed by someone else",
          .detail = entity.name + " does not have the version that If-Match names",
          .errors = {}};
}

}  // namespace cairn::model_api
