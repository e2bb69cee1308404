// Shard iterators: where a reader of a stream stands, as an opaque token that clients hand back.
//
// A token is not signed: it names nothing that its holder could not ask for with GetShardIterator.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "store/stream_requests.h"

namespace cairn::dynamodb {

inline constexpr std::chrono::minutes kShardIteratorLifetime{15};

std::string MakeShardIterator(const store::ShardPosition& position, Time now);

// Fails with kInvalidArgument when the text is no token of ours, with kExpiredIterator when it is too old.
Result<store::ShardPosition> ReadShardIterator(std::string_view token, Time now);

}  // namespace cairn::dynamodb
