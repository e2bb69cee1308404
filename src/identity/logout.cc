// Accounts::Logout and LogoutEverywhere: sessions end at once, wherever their tokens are.
#include "base/ulid.h"
#include "identity/accounts.h"

namespace cairn::identity {

Task<Answer<void>> Accounts::Logout(SessionName session, Origin origin) {
  if (!IsUlid(session.session_id)) co_return Answer<void>();
  model::Session work(platform_, WorkingFor(session.user_id));
  const platform::SessionKey key{.session_id = session.session_id};
  CO_RETURN_IF_ERROR(platform::DeleteSession(work, key));
  CO_RETURN_IF_ERROR(StageAudit(work, platform::AuditEvent::kLoggedOut, origin, session.session_id));
  // A lost race: it is gone already.
  CO_RETURN_IF_ERROR(co_await CommitUnlessChanged(work));
  co_return Answer<void>();
}

Task<Answer<void>> Accounts::LogoutEverywhere(std::string user_id, Origin origin) {
  for (int i = 0; i < kAttemptsMax; ++i) {
    model::Session work(platform_, WorkingFor(user_id));
    CO_ASSIGN_OR_RETURN(const auto user, co_await platform::GetUser(work));
    if (!user) co_return Refuse(Code::kResourceNotFound, "There is no such account.");
    CO_ASSIGN_OR_RETURN(const auto sessions, co_await ReadAllSessions(work));
    // With the version: no session was opened since they were read.
    CO_RETURN_IF_ERROR(platform::CheckUser(work, user->version));
    CO_RETURN_IF_ERROR(StageEnd(work, sessions));
    CO_RETURN_IF_ERROR(StageAudit(work, platform::AuditEvent::kLoggedOut, origin));
    CO_ASSIGN_OR_RETURN(const Written written, co_await CommitUnlessChanged(work));
    if (written == Written::kYes) co_return Answer<void>();
  }
  co_return TooMuchAtOnce();
}

}  // namespace cairn::identity
