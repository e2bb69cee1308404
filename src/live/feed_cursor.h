// Cursors of clients: how far they have read a feed, as sealed text. Bound to the user, so that nobody can
// use another's; sealed, because the sequences of a store tell how busy others are. They outlive the server.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "live/recent_events.h"
#include "model/cursor.h"

namespace cairn::live {

struct FeedPosition {
  std::string feed;
  std::string stream;  // which stream the sequences are of; a table can get a new one
  Place next;          // everything before has been read

  friend bool operator==(const FeedPosition&, const FeedPosition&) = default;
};

// Precondition: no NUL in the names.
std::string SealPosition(const model::CursorSealer& sealer, const FeedPosition& position,
                         std::string_view user_id);
// Nothing when it was not sealed here for this user.
std::optional<FeedPosition> OpenPosition(const model::CursorSealer& sealer, std::string_view cursor,
                                         std::string_view user_id);

}  // namespace cairn::live
