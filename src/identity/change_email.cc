// Accounts::ChangeEmail, CancelEmailChange, AskForVerification and ConfirmEmail: which address an account
// has, and whether somebody has shown that it is theirs.
//
// Where mail is set up, a new address becomes the account's when the link in a mail to it is opened; until
// then the old one counts. Without mail it does at once, and nobody knows whether it is right.
#include "base/time_text.h"
#include "identity/account_mail.h"
#include "identity/accounts.h"
#include "identity/email.h"
#include "identity/mail_token.h"

namespace cairn::identity {
namespace {

std::unexpected<Refusal> DeadLink() {
  return Refuse(Code::kInvalidArgument, "The link is no longer good. Ask for a new one.");
}

bool IsTaken(const Refusal& refusal) { return refusal.error.code == Code::kConditionFailed; }

// The address of the account and the item that leads from it, in one transaction.
model::Outcome<void> StageNewAddress(model::Session& work, const platform::User& user,
                                     const std::string& email,
                                     const std::optional<std::string>& verified_at) {
  platform::UserChanges changes;
  changes.SetEmail(email).ClearPendingEmail().ClearPendingEmailAt();
  if (verified_at) {
    changes.SetEmailVerifiedAt(*verified_at);
  } else {
    changes.ClearEmailVerifiedAt();
  }
  RETURN_IF_ERROR(platform::UpdateUser(work, changes, user.version));
  if (email == user.email) return {};
  const platform::Login login{.email = email, .user_id = *user.user_id};
  auto created = platform::CreateLogin(work, login);
  if (!created) return std::unexpected(std::move(created).error());
  const platform::LoginKey old{.email = user.email};
  return platform::DeleteLogin(work, old);
}

}  // namespace

Task<Answer<platform::User>> Accounts::ChangeEmail(ChangeEmailRequest request) {
  const auto email = NewEmail(request.new_email);
  if (!email) co_return RefuseField("newEmail", "must be an e-mail address such as ada@example.org");
  const SessionName session{.user_id = request.user_id, .session_id = request.session_id};
  const std::string field = "password";
  CO_ASSIGN_OR_RETURN(const platform::User verified,
                      co_await ConfirmPassword(session, std::move(request.password), field));
  if (*email == verified.email) co_return RefuseField("newEmail", "is the address that the account has");
  if (auto taken = mail_limits_.TakeAddressChange(request.user_id); !taken)
    co_return RefuseForNow(taken.error());
  if (HasMail()) {
    // Otherwise a way to write to somebody else again and again.
    if (auto taken = mail_limits_.TakeConfirmation(*email); !taken) co_return RefuseForNow(taken.error());
  }
  for (int i = 0; i < kAttemptsMax; ++i) {
    model::Session work(platform_, WorkingFor(request.user_id));
    CO_ASSIGN_OR_RETURN(const auto user, co_await platform::GetUser(work));
    if (!user || user->state != platform::AccountState::kActive ||
        user->password_hash != verified.password_hash) {
      co_return RefuseField(field, "is no longer right: it was changed a moment ago");
    }
    if (HasMail()) {
      CO_RETURN_IF_ERROR(StageEmailWish(work, *user, *email));
      CO_RETURN_IF_ERROR(StageAudit(work, platform::AuditEvent::kEmailChangeAsked, request.origin));
    } else {
      CO_RETURN_IF_ERROR(StageNewAddress(work, *user, *email, std::nullopt));
      CO_RETURN_IF_ERROR(StageAudit(work, platform::AuditEvent::kEmailChanged, request.origin));
    }
    const auto written = co_await CommitAddress(work);
    if (!written) {
      if (IsTaken(written.error())) co_return RefuseField("newEmail", "cannot be used");
      co_return std::unexpected(written.error());
    }
    if (*written == Written::kYes) co_return co_await Profile(request.user_id);
  }
  co_return TooMuchAtOnce();
}

model::Outcome<void> Accounts::StageEmailWish(model::Session& work, const platform::User& user,
                                              const std::string& email) {
  const Time now = clock_.Now();
  platform::UserChanges changes;
  changes.SetPendingEmail(email).SetPendingEmailAt(NowText());
  RETURN_IF_ERROR(platform::UpdateUser(work, changes, user.version));
  for (const MailKind kind : {MailKind::kChange, MailKind::kNotice}) {
    const PlannedMail mail{.kind = kind,
                           .to = kind == MailKind::kChange ? email : user.email,
                           .user_id = *user.user_id,
                           .expires = now + LifetimeOf(kind)};
    RETURN_IF_ERROR(jobs_.Schedule(work, JobOf(mail, now, random_)));
  }
  return {};
}

// An address that another account has is told from a lost race: it fails with kConditionFailed.
Task<Answer<Written>> Accounts::CommitAddress(model::Session& work) {
  auto committed = co_await work.Commit();
  if (committed) co_return Written::kYes;
  for (const model::Conflict& conflict : committed.error().conflicts) {
    if (conflict.kind == model::ConflictKind::kAlreadyExists) {
      co_return Refuse(Code::kConditionFailed, "Another account has this address.");
    }
  }
  if (!committed.error().conflicts.empty()) co_return Written::kLostRace;
  co_return std::unexpected(Refusal(std::move(committed).error()));
}

Task<Answer<void>> Accounts::CancelEmailChange(std::string user_id) {
  for (int i = 0; i < kAttemptsMax; ++i) {
    model::Session work(platform_, WorkingFor(user_id));
    CO_ASSIGN_OR_RETURN(const auto user, co_await platform::GetUser(work));
    if (!user) co_return Refuse(Code::kResourceNotFound, "There is no such account.");
    if (!user->pending_email) co_return Answer<void>();
    platform::UserChanges changes;
    changes.ClearPendingEmail().ClearPendingEmailAt();
    CO_RETURN_IF_ERROR(platform::UpdateUser(work, changes, user->version));
    CO_ASSIGN_OR_RETURN(const Written written, co_await CommitUnlessChanged(work));
    if (written == Written::kYes) co_return Answer<void>();
  }
  co_return TooMuchAtOnce();
}

Task<Answer<void>> Accounts::AskForVerification(std::string user_id) {
  if (!HasMail()) co_return Refuse(Code::kInvalidArgument, "This server sends no mail. Ask whoever runs it.");
  CO_ASSIGN_OR_RETURN(const auto user, co_await Profile(user_id));
  const Time now = clock_.Now();
  const bool is_pending = PendingEmailOf(user).has_value();
  if (user.email_verified_at && !is_pending) co_return Answer<void>();
  const MailKind kind = is_pending ? MailKind::kChange : MailKind::kVerify;
  const PlannedMail mail{.kind = kind,
                         .to = is_pending ? *user.pending_email : user.email,
                         .user_id = user_id,
                         .expires = now + LifetimeOf(kind)};
  if (auto taken = mail_limits_.TakeConfirmation(mail.to); !taken) co_return RefuseForNow(taken.error());
  model::Session work(platform_, WorkingFor(user_id));
  CO_RETURN_IF_ERROR(jobs_.Schedule(work, JobOf(mail, now, random_)));
  auto committed = co_await work.Commit();
  if (!committed) co_return std::unexpected(Refusal(std::move(committed).error()));
  co_return Answer<void>();
}

std::optional<std::string> Accounts::PendingEmailOf(const platform::User& user) const {
  if (!user.pending_email || !user.pending_email_at) return std::nullopt;
  const auto asked = model::ParseTime(model::Kind::kInstantMs, *user.pending_email_at);
  if (!asked || clock_.Now() >= *asked + LifetimeOf(MailKind::kChange)) return std::nullopt;
  return user.pending_email;
}

Task<Answer<std::string>> Accounts::ConfirmEmail(std::string token_text, Origin origin) {
  const auto token = ReadMailToken(token_text);
  const bool is_change = token && token->purpose == MailPurpose::kChange;
  if (!is_change && !(token && token->purpose == MailPurpose::kVerify)) co_return DeadLink();
  for (int i = 0; i < kAttemptsMax; ++i) {
    CO_ASSIGN_OR_RETURN(const auto user, co_await FindByMailToken(token_text));
    if (!user || (is_change && !user->pending_email)) co_return DeadLink();
    const std::string email = is_change ? *user->pending_email : user->email;
    if (!is_change && user->email_verified_at) co_return email;  // opened twice
    model::Session work(platform_, WorkingFor(token->user_id));
    if (is_change) {
      CO_RETURN_IF_ERROR(StageNewAddress(work, *user, email, NowText()));
    } else {
      platform::UserChanges changes;
      changes.SetEmailVerifiedAt(NowText());
      CO_RETURN_IF_ERROR(platform::UpdateUser(work, changes, user->version));
    }
    const auto event = is_change ? platform::AuditEvent::kEmailChanged : platform::AuditEvent::kEmailVerified;
    CO_RETURN_IF_ERROR(StageAudit(work, event, origin));
    const auto written = co_await CommitAddress(work);
    if (!written) co_return std::unexpected(written.error());
    if (*written == Written::kYes) co_return email;
  }
  co_return TooMuchAtOnce();
}

}  // namespace cairn::identity
