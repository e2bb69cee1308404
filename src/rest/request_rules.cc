#include "rest/request_rules.h"

#include <algorithm>

namespace cairn::rest {
namespace {

http::Problem UnsupportedMediaType(std::string detail) {
  return {.status = 415,
          .code = "unsupported-media-type",
          .title = "The body is of a type that is not taken here",
          .detail = std::move(detail),
          .errors = {}};
}

// "application/json; charset=utf-8" without its parameters.
std::string_view MediaType(std::string_view field) {
  field = field.substr(0, field.find(';'));
  while (field.ends_with(' ') || field.ends_with('\t')) field.remove_suffix(1);
  return field;
}

}  // namespace

bool HasField(const http::Request& request, std::string_view name) {
  return std::ranges::any_of(request.headers,
                             [&](const auto& field) { return http::EqualsIgnoreCase(field.name, name); });
}

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

Result<void, http::Problem> CheckBody(const http::Request& request, BodyKind kind, size_t bytes_max) {
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
  if (request.body.size() > bytes_max) {
    return std::unexpected(
        http::ProblemOf({Code::kTooLarge, "A body has at most " + std::to_string(bytes_max) + " bytes"}));
  }
  return {};
}

Result<void, http::Problem> CheckMediaType(const http::Request& request, std::string_view media_type) {
  ASSIGN_OR_RETURN(const std::string_view field, SingleField(request, "Content-Type"));
  if (http::EqualsIgnoreCase(MediaType(field), media_type)) return {};
  return std::unexpected(UnsupportedMediaType("Send " + std::string(media_type)));
}

}  // namespace cairn::rest
