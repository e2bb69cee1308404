// What several use cases of accounts read and stage: sessions, audit entries, and the commit that tells a
// lost race from a failure. Private to this layer.
#pragma once

#include <string>
#include <vector>

#include "base/task.h"
#include "identity/refusal.h"
#include "model/session.h"
#include "models/platform.h"

namespace cairn::identity {

namespace platform = models::platform;

// How often a use case that lost a race loads and decides again.
inline constexpr int kAttemptsMax = 64;

// Where a request came from, for the records of an account. Cut to what they hold.
struct Origin {
  std::string address;  // of the network
  std::string user_agent = {};
};

// The system at work inside one account.
model::Caller WorkingFor(const std::string& user_id);

// The sessions of the account, the oldest first.
Task<Answer<std::vector<platform::Session>>> ReadAllSessions(model::Session& work);

// Stages the end of these sessions, but for the newest `keep`.
model::Outcome<void> StageEnd(model::Session& work, const std::vector<platform::Session>& sessions,
                              size_t keep = 0);

// Stages a new session and returns it with its id.
model::Outcome<platform::Session> StageSession(model::Session& work, platform::SessionKind kind,
                                               const Origin& origin);

// Stages a record of what happens. `session_id` may be "".
model::Outcome<void> StageAudit(model::Session& work, platform::AuditEvent event, const Origin& origin,
                                const std::string& session_id = "");

enum class Written {
  kYes,
  kLostRace,  // something that was read has changed: load and decide again
};
Task<Answer<Written>> CommitUnlessChanged(model::Session& work);

// After kAttemptsMax lost races.
std::unexpected<Refusal> TooMuchAtOnce();

}  // namespace cairn::identity
