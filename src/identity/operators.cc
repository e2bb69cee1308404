// What operators do with accounts: list, reset a password, disable and enable.
#include "identity/accounts.h"
#include "identity/email.h"

namespace cairn::identity {
namespace {

// Five groups of four letters that are hard to take for one another: 100 bits of chance.
std::string RandomPassword(Random& random) {
  constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyz23456789";
  static_assert(kLetters.size() == 32);
  std::string password;
  for (int group = 0; group < 5; ++group) {
    uint64_t bits = random.Next();
    if (group > 0) password += '-';
    for (int i = 0; i < 4; ++i, bits >>= 5) password += kLetters[bits & 31];
  }
  return password;
}

std::unexpected<Refusal> NoSuchAccount() {
  return Refuse(Code::kResourceNotFound, "No account has this e-mail address.");
}

// Operators have no network address: they work at the server itself.
Origin AtTheServer() { return {.address = "operator"}; }

}  // namespace

Task<Answer<model::typed::Page<platform::User>>> Accounts::List(model::typed::PageOptions page) {
  model::Session work(platform_, model::Caller::System());
  CO_ASSIGN_OR_RETURN(auto users, co_await platform::ReadUsers(work, page));
  co_return users;
}

Task<Answer<void>> Accounts::ChangeByOperator(std::string email, StageChange stage) {
  const auto address = NormalizedEmail(email);
  if (!address) co_return NoSuchAccount();
  for (int i = 0; i < kAttemptsMax; ++i) {
    CO_ASSIGN_OR_RETURN(const auto found, co_await FindUser(*address));
    if (!found) co_return NoSuchAccount();
    if (found->state == platform::AccountState::kDeleting) {
      co_return Refuse(Code::kConditionFailed, "The account is being deleted.");
    }
    model::Session work(platform_, WorkingFor(*found->user_id));
    CO_ASSIGN_OR_RETURN(const auto sessions, co_await ReadAllSessions(work));
    CO_RETURN_IF_ERROR(StageEnd(work, sessions));
    CO_RETURN_IF_ERROR(stage(work, *found));
    const auto written = co_await CommitUnlessChanged(work);
    standing_.Forget(*found->user_id);
    if (!written) co_return std::unexpected(written.error());
    if (*written == Written::kYes) co_return Answer<void>();
  }
  co_return TooMuchAtOnce();
}

Task<Answer<std::string>> Accounts::ResetPassword(std::string email,
                                                  std::optional<std::string> new_password) {
  const std::string password = new_password ? *std::move(new_password) : RandomPassword(random_);
  if (auto fine = CheckPasswordRules(password, NormalizedEmail(email).value_or("")); !fine) {
    co_return RefuseField("newPassword", fine.error().message);
  }
  CO_ASSIGN_OR_RETURN(const std::string hash, co_await passwords_.Hash(password));
  StageChange stage = [&](model::Session& work, const platform::User& user) -> Answer<void> {
    platform::UserChanges changes;
    changes.SetPasswordHash(hash).ClearPendingEmail().ClearPendingEmailAt();
    RETURN_IF_ERROR(platform::UpdateUser(work, changes, user.version));
    RETURN_IF_ERROR(StageAudit(work, platform::AuditEvent::kPasswordReset, AtTheServer()));
    return {};
  };
  CO_RETURN_IF_ERROR(co_await ChangeByOperator(std::move(email), std::move(stage)));
  co_return password;
}

Task<Answer<void>> Accounts::Disable(std::string email) {
  StageChange stage = [](model::Session& work, const platform::User& user) -> Answer<void> {
    platform::UserChanges changes;
    changes.SetState(platform::AccountState::kDisabled);
    RETURN_IF_ERROR(platform::UpdateUser(work, changes, user.version));
    RETURN_IF_ERROR(StageAudit(work, platform::AuditEvent::kDisabled, AtTheServer()));
    return {};
  };
  return ChangeByOperator(std::move(email), std::move(stage));
}

Task<Answer<void>> Accounts::Enable(std::string email) {
  StageChange stage = [](model::Session& work, const platform::User& user) -> Answer<void> {
    platform::UserChanges changes;
    changes.SetState(platform::AccountState::kActive);
    RETURN_IF_ERROR(platform::UpdateUser(work, changes, user.version));
    RETURN_IF_ERROR(StageAudit(work, platform::AuditEvent::kEnabled, AtTheServer()));
    return {};
  };
  return ChangeByOperator(std::move(email), std::move(stage));
}

}  // namespace cairn::identity
