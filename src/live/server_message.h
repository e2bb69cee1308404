// What the server says to a client: one JSON text per message. docs/live.md describes them. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "live/recent_events.h"

namespace cairn::live {

std::string WelcomeMessage(std::string_view user_id, Time expires);
std::string SubscribedMessage(std::string_view room, std::string_view cursor);
std::string UnsubscribedMessage(std::string_view room);
std::string EventMessage(const Event& event, std::string_view cursor);
std::string ResetMessage(std::string_view room, std::string_view cursor);
std::string PongMessage();
// `room` is left out when empty.
std::string ErrorMessage(std::string_view code, std::string_view detail, std::string_view room);

}  // namespace cairn::live
