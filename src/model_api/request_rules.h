// What a request's header must say before its content is looked at: content type, conditions, fields given
// once. Pure.
#pragma once

#include <string_view>

#include "base/result.h"
#include "http/http.h"
#include "http/problem.h"
#include "model/definition.h"
#include "model_api/entity_tag.h"

namespace cairn::model_api {

inline constexpr size_t kBodyBytesMax = 4 * 1024 * 1024;  // of one item; JSON may need six bytes for one

enum class BodyKind { kJson, kMergePatch };

// 415 for another content type than application/json (or application/merge-patch+json for patches), 413 for a
// body above the limit.
Result<void, http::Problem> CheckBody(const http::Request& request, BodyKind kind);

// A field that may be given at most once; empty when absent. Fails with 400.
Result<std::string_view, http::Problem> SingleField(const http::Request& request, std::string_view name);

// What the client expects of the item it changes. With a lock a condition is required: 428. Without one no
// tag can match: 412. If-None-Match means nothing for a change and is refused rather than ignored.
Result<IfMatch, http::Problem> ExpectationOf(const http::Request& request, const model::Entity& entity);

// 412.
http::Problem VersionMismatch(const model::Entity& entity);

}  // namespace cairn::model_api
