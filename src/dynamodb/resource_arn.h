// The ResourceArn member of the tag operations: always a table.
#pragma once

#include <string>

#include "base/result.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {

inline constexpr StringRules kResourceArn = {
    .presence = Presence::kRequired, .length_min = 1, .length_max = 1283};

// The table of a ResourceArn. Fails with DynamoDB's message when it is the ARN of something else.
Result<std::string> TableOfResource(std::string_view resource_arn);

// The store's "table not found" in the words of the tag operations.
Error ResourceError(Error error, std::string_view resource_arn);

}  // namespace cairn::dynamodb
