// Accounts::AskForRecovery and RecoverPassword: a new password for somebody who reads the account's mail.
// Asking looks nothing up, so answer and time tell nobody which addresses have accounts; the job that sends
// the mail does.
#include "identity/account_mail.h"
#include "identity/accounts.h"
#include "identity/email.h"
#include "identity/known_device.h"
#include "identity/mail_token.h"

namespace cairn::identity {
namespace {

std::unexpected<Refusal> DeadLink() {
  return Refuse(Code::kInvalidArgument, "The link is no longer good. Ask for a new one.");
}

}  // namespace

Task<Answer<void>> Accounts::AskForRecovery(std::string email, Origin origin) {
  if (!HasMail()) co_return Refuse(Code::kInvalidArgument, "This server sends no mail. Ask whoever runs it.");
  const auto address = NormalizedEmail(email);
  if (!address) co_return RefuseField("email", "must be an e-mail address such as ada@example.org");
  if (auto taken = mail_limits_.TakeForNetwork(origin.address); !taken) co_return RefuseForNow(taken.error());
  // Not refused: the mails before are there to be read, whoever asked for them.
  if (!mail_limits_.TakeRecovery(*address)) co_return Answer<void>();
  const Time now = clock_.Now();
  const PlannedMail mail{.kind = MailKind::kRecover,
                         .to = *address,
                         .user_id = {},
                         .expires = now + LifetimeOf(MailKind::kRecover)};
  model::Session work(platform_, model::Caller::System());
  CO_RETURN_IF_ERROR(jobs_.Schedule(work, JobOf(mail, now, random_)));
  auto committed = co_await work.Commit();
  if (!committed) co_return std::unexpected(Refusal(std::move(committed).error()));
  co_return Answer<void>();
}

Task<Answer<Credentials>> Accounts::RecoverPassword(RecoverPasswordRequest request) {
  const auto token = ReadMailToken(request.token);
  if (!token || token->purpose != MailPurpose::kRecover) co_return DeadLink();
  CO_ASSIGN_OR_RETURN(const auto found, co_await FindByMailToken(request.token));
  if (!found) co_return DeadLink();
  if (auto fine = CheckPasswordRules(request.new_password, found->email); !fine) {
    co_return RefuseField("newPassword", fine.error().message);
  }
  CO_ASSIGN_OR_RETURN(const std::string hash, co_await passwords_.Hash(std::move(request.new_password)));
  for (int i = 0; i < kAttemptsMax; ++i) {
    // Once more: what the link is bound to may have changed meanwhile. So it is good once.
    CO_ASSIGN_OR_RETURN(const auto user, co_await FindByMailToken(request.token));
    if (!user) co_return DeadLink();
    model::Session work(platform_, WorkingFor(token->user_id));
    CO_ASSIGN_OR_RETURN(const auto sessions, co_await ReadAllSessions(work));
    platform::UserChanges changes;
    changes.SetPasswordHash(hash).ClearPendingEmail().ClearPendingEmailAt();
    if (!user->email_verified_at) changes.SetEmailVerifiedAt(NowText());
    CO_RETURN_IF_ERROR(platform::UpdateUser(work, changes, user->version));
    CO_RETURN_IF_ERROR(StageEnd(work, sessions));
    CO_ASSIGN_OR_RETURN(const auto session, StageSession(work, request.kind, request.origin));
    CO_RETURN_IF_ERROR(
        StageAudit(work, platform::AuditEvent::kPasswordRecovered, request.origin, *session.session_id));
    CO_ASSIGN_OR_RETURN(const Written written, co_await CommitUnlessChanged(work));
    if (written == Written::kLostRace) continue;
    Credentials credentials = MakeCredentials(options_.signing_key, session, clock_.Now(), random_);
    credentials.devices =
        RememberDevice(options_.signing_key, request.devices, user->email, clock_.Now(), random_);
    co_return credentials;
  }
  co_return TooMuchAtOnce();
}

Task<Answer<std::optional<platform::User>>> Accounts::FindByMailToken(const std::string& text) {
  const auto token = ReadMailToken(text);
  if (!token) co_return std::nullopt;
  model::Session work(platform_, WorkingFor(token->user_id));
  auto user = co_await platform::GetUser(work);
  if (!user) {
    // A text that cannot be in a key names no account.
    if (user.error().error.code == Code::kInvalidArgument) co_return std::nullopt;
    co_return std::unexpected(Refusal(std::move(user).error()));
  }
  const bool is_good = *user && (*user)->state == platform::AccountState::kActive && (*user)->password_hash &&
                       IsMailTokenFor(options_.signing_key, text, **user, clock_.Now());
  if (!is_good) co_return std::nullopt;
  co_return *std::move(user);
}

}  // namespace cairn::identity
