// Use cases: the secret address of someone's calendar, for programs that cannot log in.
//
// The token in the address names the user and holds 256 random bits. Only a hash of it is stored, so the
// address is told once. A new one ends the one before.
#pragma once

#include <string>

#include "domains/nexus/nexus.h"

namespace cairn::nexus {

struct Feed {
  std::string token;
  std::string created_at;
};
Task<Decision<Feed>> RenewFeed(Nexus& nexus, model::Caller caller);
// Nothing happens when there is none.
Task<Decision<void>> RevokeFeed(Nexus& nexus, model::Caller caller);

// Whose it is. Refuses every other token alike: unknown, ended, or no token at all. An account
// that may not act has none.
Task<Decision<model::Caller>> OpenFeed(Nexus& nexus, std::string token);

}  // namespace cairn::nexus
