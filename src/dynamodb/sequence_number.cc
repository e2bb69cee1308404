#include "dynamodb/sequence_number.h"

#include <charconv>

namespace cairn::dynamodb {

std::string FormatSequenceNumber(uint64_t sequence) {
  std::string digits = std::to_string(sequence);
  return digits.insert(0, kSequenceDigits - digits.size(), '0');
}

std::optional<uint64_t> ParseSequenceNumber(std::string_view text) {
  uint64_t sequence = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, sequence);
  if (error != std::errc() || stop != end) return std::nullopt;
  return sequence;
}

}  // namespace cairn::dynamodb
