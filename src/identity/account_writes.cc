#include "identity/account_writes.h"

#include <algorithm>

#include "identity/credentials.h"
#include "identity/plain_text.h"

namespace cairn::identity {
namespace {

// What the model allows.
constexpr size_t kAddressBytesMax = 64;
constexpr size_t kUserAgentBytesMax = 300;

bool LostRace(const model::Failure& failure) {
  return std::ranges::any_of(failure.conflicts, [](const model::Conflict& conflict) {
    return conflict.kind == model::ConflictKind::kVersion ||
           conflict.kind == model::ConflictKind::kNotFound || conflict.kind == model::ConflictKind::kChanged;
  });
}

}  // namespace

model::Caller WorkingFor(const std::string& user_id) { return model::Caller::SystemFor({{"sub", user_id}}); }

Task<Answer<std::vector<platform::Session>>> ReadAllSessions(model::Session& work) {
  std::vector<platform::Session> sessions;
  model::typed::PageOptions options{.limit = 100, .cursor = {}};
  do {
    CO_ASSIGN_OR_RETURN(auto page, co_await platform::ReadSessions(work, options));
    std::ranges::move(page.items, std::back_inserter(sessions));
    options.cursor = page.next_cursor;
  } while (!options.cursor.empty());
  co_return sessions;
}

model::Outcome<void> StageEnd(model::Session& work, const std::vector<platform::Session>& sessions,
                              size_t keep) {
  for (size_t i = 0; i + keep < sessions.size(); ++i) {
    RETURN_IF_ERROR(platform::DeleteSession(work, platform::KeyOf(sessions[i])));
  }
  return {};
}

model::Outcome<platform::Session> StageSession(model::Session& work, platform::SessionKind kind,
                                               const Origin& origin) {
  const Time expires = work.database().Now() + kSessionLifetime;
  const platform::Session session{.kind = kind,
                                  .generation = 1,
                                  .expires_at = EpochSeconds(expires),
                                  .user_agent = Storable(origin.user_agent, kUserAgentBytesMax),
                                  .address = Storable(origin.address, kAddressBytesMax)};
  return platform::CreateSession(work, session);
}

model::Outcome<void> StageAudit(model::Session& work, platform::AuditEvent event, const Origin& origin,
                                const std::string& session_id) {
  platform::AuditEntry entry{.event = event, .address = Storable(origin.address, kAddressBytesMax)};
  if (!session_id.empty()) entry.session_id = session_id;
  auto staged = platform::CreateAuditEntry(work, entry);
  if (!staged) return std::unexpected(std::move(staged).error());
  return {};
}

Task<Answer<Written>> CommitUnlessChanged(model::Session& work) {
  auto committed = co_await work.Commit();
  if (committed) co_return Written::kYes;
  if (LostRace(committed.error())) co_return Written::kLostRace;
  co_return std::unexpected(Refusal(std::move(committed).error()));
}

std::unexpected<Refusal> TooMuchAtOnce() {
  Refusal refusal(
      Error{Code::kOverloaded, "The account is being changed by many requests at once. Try again."});
  refusal.retry_after = std::chrono::seconds(1);
  return std::unexpected(std::move(refusal));
}

}  // namespace cairn::identity
