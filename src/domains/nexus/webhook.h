// Use cases: the address that someone's reminders are posted to when they fire. Naming one makes the secret
// that posts are signed with, which is told once; naming it again makes another.
#pragma once

#include <string>

#include "domains/nexus/nexus.h"

namespace cairn::nexus {

struct Webhook {
  std::string url, secret, created_at;
};
// Refuses addresses that the courier would not post to, and all of them unless the operator allows webhooks.
Task<Decision<Webhook>> NameWebhook(Nexus& nexus, model::Caller caller, std::string url);
// Nothing happens when there is none. What waits to be posted is forgotten.
Task<Decision<void>> RemoveWebhook(Nexus& nexus, model::Caller caller);

}  // namespace cairn::nexus
