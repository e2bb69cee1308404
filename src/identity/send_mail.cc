// Accounts::SendMail: the worker of jobs that are mails about accounts. What is no longer so when the mail is
// due is not sent.
#include "base/log.h"
#include "identity/account_mail.h"
#include "identity/accounts.h"
#include "identity/mail_token.h"

namespace cairn::identity {
namespace {

// The page that a link leads to. The token stands behind '#': browsers send that part to nobody.
std::string LinkOf(const std::string& origin, MailKind kind, const std::string& token) {
  return origin + (kind == MailKind::kRecover ? "/reset" : "/verify") + "#" + token;
}

MailPurpose PurposeOf(MailKind kind) {
  if (kind == MailKind::kRecover) return MailPurpose::kRecover;
  return kind == MailKind::kChange ? MailPurpose::kChange : MailPurpose::kVerify;
}

// Whether the account is still as it was when the mail was planned.
bool IsStillMeant(const PlannedMail& mail, const platform::User& user) {
  switch (mail.kind) {
    case MailKind::kVerify:
      return user.email == mail.to && !user.email_verified_at;
    case MailKind::kChange:
      return user.pending_email == mail.to;
    case MailKind::kNotice:
      return user.email == mail.to && user.pending_email.has_value();
    case MailKind::kRecover:
      return user.email == mail.to;
  }
  return false;
}

}  // namespace

bool Accounts::HasMail() const { return options_.courier != nullptr && options_.courier->HasMail(); }

Task<Status> Accounts::SendMail(jobs::Job job) {
  const auto planned = PlannedMailOf(job);
  const Time now = clock_.Now();
  if (!planned || !HasMail() || now >= planned->expires) co_return Status();
  std::optional<platform::User> user;
  if (planned->kind == MailKind::kRecover) {
    auto found = co_await FindUser(planned->to);
    if (!found) co_return Fail(found.error().error);
    user = *std::move(found);
  } else {
    model::Session work(platform_, WorkingFor(planned->user_id));
    auto found = co_await platform::GetUser(work);
    if (!found) co_return Fail(found.error().error);
    user = *std::move(found);
  }
  const bool is_meant = user && user->state == platform::AccountState::kActive && user->password_hash &&
                        IsStillMeant(*planned, *user);
  if (!is_meant) co_return Status();

  MailContent content;
  if (planned->kind == MailKind::kNotice) {
    content.new_email = *user->pending_email;
  } else {
    const std::string origin = options_.link_origin ? options_.link_origin() : "";
    if (origin.empty()) co_return Fail(Code::kUnavailable, "the server does not know its address yet");
    const MailToken token{
        .purpose = PurposeOf(planned->kind), .user_id = *user->user_id, .expires = planned->expires};
    content.link = LinkOf(origin, planned->kind, SealMailToken(options_.signing_key, token, *user));
  }
  const Status sent = options_.courier->Send(ComposeMail(*planned, job.id, content, now));
  if (sent || sent.error().code != Code::kInvalidArgument) co_return sent;
  log::Warning("a mail about an account cannot be sent",
               {{"userId", *user->user_id}, {"reason", sent.error().message}});
  co_return Status();
}

}  // namespace cairn::identity
