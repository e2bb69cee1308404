// What a receiver of webhooks verifies: that a post comes from here and was not altered. Pure.
//
//   Cairn-Signature: t=1794819600,v1=<hex of HMAC-SHA-256(secret, "1794819600." + body)>
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"

namespace cairn::nexus {

// "whsec_" and 43 characters. Made of the server's key, so that nothing of it is stored but the salt, which
// says nothing without that key.
std::string WebhookSecret(std::string_view webhook_key, std::string_view user_id, std::string_view salt);

// The value of the header. The secret's text is the key, as the user has it.
std::string WebhookSignature(std::string_view secret, Time now, std::string_view body);

}  // namespace cairn::nexus
