// Accounts::Register: a new account, or nothing for a taken address; the answer does not tell which.
#include "base/utf8.h"
#include "identity/account_mail.h"
#include "identity/accounts.h"
#include "identity/email.h"
#include "identity/plain_text.h"

namespace cairn::identity {
namespace {

constexpr size_t kDisplayNameBytesMax = 200;  // what the model allows

// What a registration asks for, in the form in which it is kept.
struct NewAccount {
  std::string email;
  std::optional<std::string> display_name;
};

// All fields that are wrong at once.
Answer<NewAccount> CheckRequest(const RegisterRequest& request) {
  std::vector<model::FieldError> wrong;
  auto email = NewEmail(request.email);
  if (!email) wrong.push_back({"email", "must be an e-mail address such as ada@example.org"});
  if (auto fine = CheckPasswordRules(request.password, email.value_or("")); !fine) {
    wrong.push_back({"password", fine.error().message});
  }
  const std::string_view name = Trimmed(request.display_name);
  if (!IsUtf8(name) || HasControlCharacter(name)) {
    wrong.push_back({"displayName", "must be a text without control characters"});
  } else if (name.size() > kDisplayNameBytesMax) {
    wrong.push_back({"displayName", "must have at most 200 bytes"});
  }
  if (!wrong.empty()) return std::unexpected(Refusal(model::Failure(std::move(wrong))));
  return NewAccount{.email = *std::move(email),
                    .display_name = name.empty() ? std::nullopt : std::optional(std::string(name))};
}

bool IsTaken(const model::Failure& failure) {
  return !failure.conflicts.empty() && failure.conflicts.front().kind == model::ConflictKind::kAlreadyExists;
}

}  // namespace

Task<Answer<void>> Accounts::Register(RegisterRequest request) {
  CO_ASSIGN_OR_RETURN(NewAccount account, CheckRequest(request));
  if (request.by == Registrant::kStranger) {
    auto admitted = throttle_.TakeRegistration(request.origin.address);
    if (!admitted) co_return RefuseForNow(admitted.error());
  }
  // Hashed before anybody looks whether the address is taken: a quick answer would tell.
  CO_ASSIGN_OR_RETURN(std::string hash, co_await passwords_.Hash(std::move(request.password)));

  const std::string user_id = NewUuid(random_);
  model::Session work(platform_, WorkingFor(user_id));
  platform::User user{.email = account.email,
                      .display_name = std::move(account.display_name),
                      .password_hash = std::move(hash)};
  const platform::Login login{.email = account.email, .user_id = user_id};
  if (request.by == Registrant::kOperator) user.email_verified_at = NowText();  // they vouch for it
  CO_RETURN_IF_ERROR(platform::CreateUser(work, user));
  CO_RETURN_IF_ERROR(platform::CreateLogin(work, login));
  CO_RETURN_IF_ERROR(StageAudit(work, platform::AuditEvent::kRegistered, request.origin));
  if (HasMail() && request.by == Registrant::kStranger) {
    const Time now = clock_.Now();
    const PlannedMail mail{.kind = MailKind::kVerify,
                           .to = account.email,
                           .user_id = user_id,
                           .expires = now + LifetimeOf(MailKind::kVerify)};
    CO_RETURN_IF_ERROR(jobs_.Schedule(work, JobOf(mail, now, random_)));
  }
  auto committed = co_await work.Commit();
  if (!committed && !IsTaken(committed.error()))
    co_return std::unexpected(Refusal(std::move(committed).error()));
  co_return Answer<void>();
}

}  // namespace cairn::identity
