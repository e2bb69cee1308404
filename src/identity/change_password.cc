// Accounts::ChangePassword: the new hash, the end of all sessions and a new one, in one transaction.
#include "identity/accounts.h"

namespace cairn::identity {

Task<Answer<Credentials>> Accounts::ChangePassword(ChangePasswordRequest request) {
  const std::string field = "currentPassword";
  const SessionName session_name{.user_id = request.user_id, .session_id = request.session_id};
  CO_ASSIGN_OR_RETURN(const platform::User verified,
                      co_await ConfirmPassword(session_name, std::move(request.current_password), field));
  if (auto fine = CheckPasswordRules(request.new_password, verified.email); !fine) {
    co_return RefuseField("newPassword", fine.error().message);
  }
  CO_ASSIGN_OR_RETURN(const std::string hash, co_await passwords_.Hash(std::move(request.new_password)));
  for (int i = 0; i < kAttemptsMax; ++i) {
    model::Session work(platform_, WorkingFor(request.user_id));
    CO_ASSIGN_OR_RETURN(const auto user, co_await platform::GetUser(work));
    if (!user || user->state != platform::AccountState::kActive ||
        user->password_hash != verified.password_hash) {
      co_return RefuseField(field, "is no longer right: it was changed a moment ago");
    }
    CO_ASSIGN_OR_RETURN(const auto sessions, co_await ReadAllSessions(work));
    platform::UserChanges changes;
    changes.SetPasswordHash(hash).ClearPendingEmail().ClearPendingEmailAt();
    CO_RETURN_IF_ERROR(platform::UpdateUser(work, changes, user->version));
    CO_RETURN_IF_ERROR(StageEnd(work, sessions));
    CO_ASSIGN_OR_RETURN(const auto session, StageSession(work, request.kind, request.origin));
    CO_RETURN_IF_ERROR(
        StageAudit(work, platform::AuditEvent::kPasswordChanged, request.origin, *session.session_id));
    CO_ASSIGN_OR_RETURN(const Written written, co_await CommitUnlessChanged(work));
    if (written == Written::kYes) {
      co_return MakeCredentials(options_.signing_key, session, clock_.Now(), random_);
    }
  }
  co_return TooMuchAtOnce();
}

}  // namespace cairn::identity
