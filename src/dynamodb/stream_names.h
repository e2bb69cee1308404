// The names of streams and shards in requests.
#pragma once

#include <string>

#include "base/result.h"
#include "dynamodb/arn.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {

inline constexpr StringRules kOptionalStreamArn = {.length_min = 37, .length_max = 1024};
inline constexpr StringRules kStreamArn = {
    .presence = Presence::kRequired, .length_min = 37, .length_max = 1024};

inline constexpr StringRules kOptionalShardId = {.length_min = 1, .length_max = 65};
inline constexpr StringRules kShardId = {.presence = Presence::kRequired, .length_min = 1, .length_max = 65};

inline Result<store::StreamId> ReadStreamArn(std::string_view arn) {
  auto stream = StreamOfArn(arn);
  if (stream) return *std::move(stream);
  return Fail(Invalid("Invalid StreamArn: " + std::string(arn)));
}

}  // namespace cairn::dynamodb
