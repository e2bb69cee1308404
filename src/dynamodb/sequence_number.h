// Sequence numbers of stream records as text: 21 digits with leading zeros, so that they sort as text too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::dynamodb {

inline constexpr size_t kSequenceDigits = 21;  // the shortest sequence number DynamoDB's clients accept

std::string FormatSequenceNumber(uint64_t sequence);
// Nothing when the text is no number or larger than any sequence number.
std::optional<uint64_t> ParseSequenceNumber(std::string_view text);

}  // namespace cairn::dynamodb
