// What several use cases share, and the reads. The use cases themselves have a file each; see accounts.h.
#include "identity/accounts.h"

#include "base/time_text.h"

namespace cairn::identity {

Accounts::Accounts(model::Database& platform, PasswordPool& passwords, LoginThrottle& throttle,
                   AccountStanding& standing, jobs::JobQueue& jobs, const Clock& clock, Random& random,
                   AccountsOptions options)
    : platform_(platform),
      passwords_(passwords),
      throttle_(throttle),
      standing_(standing),
      jobs_(jobs),
      clock_(clock),
      random_(random),
      options_(std::move(options)),
      mail_limits_(clock) {}

std::string Accounts::NowText() const { return FormatIsoMilliseconds(clock_.Now()); }

Task<Answer<std::optional<platform::User>>> Accounts::FindUser(std::string email) {
  model::Session lookup(platform_, model::Caller::System());
  const platform::LoginKey key{.email = std::move(email)};
  CO_ASSIGN_OR_RETURN(const auto login, co_await platform::GetLogin(lookup, key));
  if (!login || !login->user_id) co_return std::nullopt;
  model::Session work(platform_, WorkingFor(*login->user_id));
  CO_ASSIGN_OR_RETURN(auto user, co_await platform::GetUser(work));
  co_return user;
}

Task<Answer<platform::User>> Accounts::ConfirmPassword(SessionName session, std::string password,
                                                       std::string field) {
  model::Session work(platform_, WorkingFor(session.user_id));
  CO_ASSIGN_OR_RETURN(auto user, co_await platform::GetUser(work));
  if (!user || user->state != platform::AccountState::kActive || !user->password_hash) {
    co_return Refuse(Code::kResourceNotFound, "There is no such account.");
  }
  // Whoever got hold of a session may not try passwords any faster than somebody without one; and nobody
  // without it can make its owner wait.
  auto attempt = throttle_.BeginInSession(session.user_id + "." + session.session_id);
  if (!attempt) co_return RefuseForNow(attempt.error());
  CO_ASSIGN_OR_RETURN(const bool right,
                      co_await passwords_.Verify(std::move(password), *user->password_hash));
  if (!right) {
    attempt->Failed();
    co_return RefuseField(std::move(field), "is not right");
  }
  attempt->Succeeded();
  co_return *std::move(user);
}

Task<Answer<platform::User>> Accounts::Profile(std::string user_id) {
  model::Session work(platform_, WorkingFor(user_id));
  CO_ASSIGN_OR_RETURN(auto user, co_await platform::ReadUser(work));
  if (!user) co_return Refuse(Code::kResourceNotFound, "There is no such account.");
  co_return *std::move(user);
}

Task<Answer<std::vector<platform::Session>>> Accounts::ListSessions(std::string user_id) {
  model::Session work(platform_, WorkingFor(user_id));
  co_return co_await ReadAllSessions(work);
}

}  // namespace cairn::identity
