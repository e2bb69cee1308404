// What a request's header must say about the version of the item it changes. Pure.
#pragma once

#include <string_view>

#include "base/result.h"
#include "http/http.h"
#include "http/problem.h"
#include "model/definition.h"
#include "rest/entity_tag.h"

namespace cairn::model_api {

inline constexpr size_t kBodyBytesMax = 4 * 1024 * 1024;  // of one item; JSON may need six bytes for one

// What the client expects of the item it changes. With a lock a condition is required: 428. Without one no
// tag can match: 412. If-None-Match means nothing for a change and is refused rather than ignored.
Result<rest::IfMatch, http::Problem> ExpectationOf(const http::Request& request, const model::Entity& entity);

// 412.
http::Problem VersionMismatch(const model::Entity& entity);

}  // namespace cairn::model_api
