#include "live/feed_cursor.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace cairn::live {
namespace {

// So that a cursor of a list, sealed with the same secret, is none of a feed.
std::string BoundTo(std::string_view user_id) { return "live feed of " + std::string(user_id); }

// Takes what precedes the next separator off the front; all of it when there is none.
std::string_view TakePart(std::string_view& rest) {
  const std::string_view part = rest.substr(0, rest.find('\0'));
  rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  return part;
}

bool ReadNumber(std::string_view text, uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string SealPosition(const model::CursorSealer& sealer, const FeedPosition& position,
                         std::string_view user_id) {
  std::string payload;
  for (const std::string& part : {position.feed, position.stream, std::to_string(position.next.sequence)}) {
    payload += part;
    payload += '\0';
  }
  payload += std::to_string(position.next.index);
  return sealer.Seal(payload, BoundTo(user_id));
}

std::optional<FeedPosition> OpenPosition(const model::CursorSealer& sealer, std::string_view cursor,
                                         std::string_view user_id) {
  const auto payload = sealer.Open(cursor, BoundTo(user_id));
  if (!payload) return std::nullopt;
  std::string_view rest = *payload;
  FeedPosition position;
  position.feed = TakePart(rest);
  position.stream = TakePart(rest);
  const bool right =
      ReadNumber(TakePart(rest), position.next.sequence) && ReadNumber(rest, position.next.index);
  return right ? std::optional(std::move(position)) : std::nullopt;
}

}  // namespace cairn::live
