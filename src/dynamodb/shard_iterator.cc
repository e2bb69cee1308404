#include "dynamodb/shard_iterator.h"

#include <array>
#include <charconv>

#include "base/time_text.h"
#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

// base64 of "1|table|label|next sequence|created, milliseconds since 1970". Neither names nor labels contain
// '|'.
constexpr std::string_view kVersion = "1";
constexpr size_t kFields = 5;

template <class N>
bool ParseWhole(std::string_view text, N& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool Split(std::string_view text, std::array<std::string_view, kFields>& fields) {
  for (size_t i = 0; i + 1 < kFields; ++i) {
    const size_t bar = text.find('|');
    if (bar == text.npos) return false;
    fields[i] = text.substr(0, bar);
    text.remove_prefix(bar + 1);
  }
  fields[kFields - 1] = text;
  return fields[0] == kVersion && !fields[1].empty() && !fields[2].empty();
}

}  // namespace

std::string MakeShardIterator(const store::ShardPosition& position, Time now) {
  std::string text(kVersion);
  text.append("|").append(position.stream.table).append("|").append(position.stream.label);
  text.append("|").append(std::to_string(position.next_sequence));
  text.append("|").append(std::to_string(EpochMilliseconds(now)));
  std::string token;
  item::AppendBase64(token, text);
  return token;
}

Result<store::ShardPosition> ReadShardIterator(std::string_view token, Time now) {
  const auto text = item::DecodeBase64(token);
  std::array<std::string_view, kFields> fields;
  store::ShardPosition position;
  int64_t created_ms = 0;
  if (!text || !Split(*text, fields) || !ParseWhole(fields[3], position.next_sequence) ||
      !ParseWhole(fields[4], created_ms) || created_ms < 0) {
    return Fail(Invalid("Invalid ShardIterator"));
  }
  // Compared as milliseconds: a forged moment far away must not overflow the clock's microseconds.
  const int64_t now_ms = EpochMilliseconds(now);
  constexpr int64_t kLifetimeMs = std::chrono::milliseconds(kShardIteratorLifetime).count();
  if (created_ms < now_ms - kLifetimeMs) {
    const Time created{std::chrono::milliseconds(created_ms)};
    return Fail(Code::kExpiredIterator, "Iterator expired. The iterator was created at time " +
                                            FormatIsoMilliseconds(created) + " while right now it is " +
                                            FormatIsoMilliseconds(now) +
                                            " which is further in the future than the tolerated delay of " +
                                            std::to_string(kLifetimeMs) + " milliseconds.");
  }
  position.stream = {std::string(fields[1]), std::string(fields[2])};
  return position;
}

}  // namespace cairn::dynamodb
