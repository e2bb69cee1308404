// NextToken: where a SELECT goes on. Opaque to clients; bound to the statement and its parameters, as
// DynamoDB's is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "item/attribute_value.h"

namespace cairn::partiql {

// A place in the answer of a SelectPlan: within which of its reads, after which key.
struct ReadPosition {
  size_t read = 0;
  std::optional<item::Item> start_key;  // exclusive; none: from the read's beginning
};

// Tells statements apart; not for secrets.
uint64_t Fingerprint(std::string_view statement, std::span<const item::AttributeValue> parameters);

std::string EncodeNextToken(uint64_t fingerprint, const ReadPosition& position);
Result<ReadPosition> DecodeNextToken(uint64_t fingerprint, std::string_view token);

}  // namespace cairn::partiql
