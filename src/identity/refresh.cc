// Accounts::Refresh: a refresh token for the next one, once. And RenewBrowser, the same idea for cookies.
#include "base/log.h"
#include "identity/accounts.h"
#include "identity/session_token.h"

namespace cairn::identity {
namespace {

constexpr std::chrono::seconds kRenewalInterval = std::chrono::days(1);

std::unexpected<Refusal> InvalidRefresh() {
  return Refuse(Code::kUnauthenticated, "The refresh token is not valid. Log in again.");
}

}  // namespace

Task<Answer<Credentials>> Accounts::Refresh(std::string refresh_token, Origin origin) {
  const auto token = OpenSessionToken(options_.signing_key, SessionTokenPurpose::kRefresh, refresh_token);
  if (!token) co_return InvalidRefresh();
  model::Session work(platform_, WorkingFor(token->user_id));
  const platform::SessionKey key{.session_id = token->session_id};
  for (int i = 0; i < kAttemptsMax; ++i) {
    CO_ASSIGN_OR_RETURN(auto session, co_await platform::GetSession(work, key));
    // A generation that is still to come was made before the store was restored from a backup.
    if (!session || session->generation < token->generation) co_return InvalidRefresh();
    if (session->generation > token->generation) {
      const SessionName name{.user_id = token->user_id, .session_id = token->session_id};
      CO_RETURN_IF_ERROR(co_await EndForReuse(name, origin));
      co_return InvalidRefresh();
    }
    ++session->generation;
    session->expires_at = EpochSeconds(clock_.Now() + kSessionLifetime);
    platform::SessionChanges changes;
    changes.SetGeneration(session->generation).SetExpiresAt(session->expires_at);
    CO_RETURN_IF_ERROR(platform::UpdateSession(work, key, changes, token->generation));
    CO_ASSIGN_OR_RETURN(const Written written, co_await CommitUnlessChanged(work));
    if (written == Written::kYes) {
      co_return MakeCredentials(options_.signing_key, *session, clock_.Now(), random_);
    }
  }
  co_return TooMuchAtOnce();
}

// Which of the two is the thief cannot be known, so both have to log in again.
Task<Answer<void>> Accounts::EndForReuse(const SessionName& session, const Origin& origin) {
  model::Session work(platform_, WorkingFor(session.user_id));
  const platform::SessionKey key{.session_id = session.session_id};
  CO_RETURN_IF_ERROR(platform::DeleteSession(work, key));
  CO_RETURN_IF_ERROR(StageAudit(work, platform::AuditEvent::kRefreshReused, origin, session.session_id));
  CO_ASSIGN_OR_RETURN(const Written written, co_await CommitUnlessChanged(work));
  // A lost race: somebody else has ended it.
  if (written == Written::kYes) {
    log::Warning("a refresh token was used twice; its session ends",
                 {{"userId", session.user_id}, {"sessionId", session.session_id}});
  }
  co_return Answer<void>();
}

Task<Answer<std::optional<Credentials>>> Accounts::RenewBrowser(SessionName name) {
  model::Session work(platform_, WorkingFor(name.user_id));
  const platform::SessionKey key{.session_id = name.session_id};
  CO_ASSIGN_OR_RETURN(auto session, co_await platform::GetSession(work, key));
  if (!session || session->kind != platform::SessionKind::kBrowser) co_return std::nullopt;
  const int64_t fresh = EpochSeconds(clock_.Now() + kSessionLifetime);
  if (fresh - session->expires_at < kRenewalInterval.count()) co_return std::nullopt;
  platform::SessionChanges changes;
  changes.SetExpiresAt(fresh);
  CO_RETURN_IF_ERROR(platform::UpdateSession(work, key, changes, session->generation));
  CO_ASSIGN_OR_RETURN(const Written written, co_await CommitUnlessChanged(work));
  if (written == Written::kLostRace) co_return std::nullopt;
  session->expires_at = fresh;
  co_return std::optional(MakeCredentials(options_.signing_key, *session, clock_.Now(), random_));
}

}  // namespace cairn::identity
