// What a request's header must say before its content is looked at: content type, fields given once. Pure.
#pragma once

#include <string_view>

#include "base/result.h"
#include "http/http.h"
#include "http/problem.h"

namespace cairn::rest {

enum class BodyKind { kJson, kMergePatch };

// 415 for another content type than application/json (or application/merge-patch+json for patches), 413 for a
// body above the limit.
Result<void, http::Problem> CheckBody(const http::Request& request, BodyKind kind, size_t bytes_max);

// 415 for another content type than this one.
Result<void, http::Problem> CheckMediaType(const http::Request& request, std::string_view media_type);

// Whether there is a field of that name, be it empty.
bool HasField(const http::Request& request, std::string_view name);
// A field that may be given at most once; empty when absent. Fails with 400.
Result<std::string_view, http::Problem> SingleField(const http::Request& request, std::string_view name);

}  // namespace cairn::rest
