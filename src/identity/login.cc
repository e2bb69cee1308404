// Accounts::Login: a session for the right password. Unknown, disabled and deleted accounts cost and say the
// same as a wrong password.
#include "base/time_text.h"
#include "identity/accounts.h"
#include "identity/email.h"
#include "identity/known_device.h"

namespace cairn::identity {
namespace {

// How often a password is tried again because the account changed under it.
constexpr int kVerificationsMax = 4;

std::unexpected<Refusal> WrongLogin() {
  return Refuse(Code::kUnauthenticated, "The e-mail address or the password is not right.");
}

// Whether what was verified is still so.
bool IsUnchanged(const std::optional<platform::User>& now, const platform::User& verified) {
  return now && now->state == platform::AccountState::kActive && now->password_hash == verified.password_hash;
}

}  // namespace

Task<Answer<Credentials>> Accounts::Login(LoginRequest request) {
  const auto email = NormalizedEmail(request.email);
  // What cannot be an address or a password needs no secrecy: no account has it.
  const bool possible = email && request.password.size() <= kPasswordBytesMax;
  const auto device =
      email ? FindKnownDevice(options_.signing_key, request.devices, *email, clock_.Now()) : std::nullopt;
  auto attempt = device ? throttle_.BeginOnKnownDevice(*email, *device)
                        : throttle_.BeginAsStranger(email.value_or(""), request.origin.address);
  if (!attempt) co_return RefuseForNow(attempt.error());
  for (int i = 0; possible && i < kVerificationsMax; ++i) {
    CO_ASSIGN_OR_RETURN(const auto user, co_await FindUser(*email));
    const bool may_enter = user && user->state == platform::AccountState::kActive && user->password_hash;
    Result<bool> right = false;
    if (may_enter) {
      right = co_await passwords_.Verify(request.password, *user->password_hash);
    } else {
      right = co_await passwords_.VerifyNobody(request.password);
    }
    if (!right) co_return std::unexpected(Refusal(std::move(right).error()));
    if (!may_enter || !*right) break;

    std::string new_hash;
    if (passwords_.NeedsRehash(*user->password_hash)) {
      // A busy server keeps the old one: it is good enough until the next login.
      if (auto hashed = co_await passwords_.Hash(request.password)) new_hash = *std::move(hashed);
    }
    CO_ASSIGN_OR_RETURN(auto opened, co_await OpenSession(*user, request.kind, request.origin, new_hash));
    if (!opened) continue;
    attempt->Succeeded();
    opened->devices = RememberDevice(options_.signing_key, request.devices, *email, clock_.Now(), random_);
    co_return *std::move(opened);
  }
  attempt->Failed();
  co_return WrongLogin();
}

Task<Answer<std::optional<Credentials>>> Accounts::OpenSession(const platform::User& user,
                                                               platform::SessionKind kind,
                                                               const Origin& origin,
                                                               const std::string& new_hash) {
  for (int i = 0; i < kAttemptsMax; ++i) {
    model::Session work(platform_, WorkingFor(*user.user_id));
    CO_ASSIGN_OR_RETURN(const auto now, co_await platform::GetUser(work));
    if (!IsUnchanged(now, user)) co_return std::nullopt;
    CO_ASSIGN_OR_RETURN(const auto sessions, co_await ReadAllSessions(work));

    platform::UserChanges changes;
    changes.SetLastLoginAt(FormatIsoMilliseconds(clock_.Now()));
    if (!new_hash.empty()) changes.SetPasswordHash(new_hash);
    CO_RETURN_IF_ERROR(platform::UpdateUser(work, changes, now->version));
    CO_RETURN_IF_ERROR(StageEnd(work, sessions, kSessionsMax - 1));
    CO_ASSIGN_OR_RETURN(const auto session, StageSession(work, kind, origin));
    CO_RETURN_IF_ERROR(StageAudit(work, platform::AuditEvent::kLoggedIn, origin, *session.session_id));
    CO_ASSIGN_OR_RETURN(const Written written, co_await CommitUnlessChanged(work));
    if (written == Written::kYes) {
      co_return std::optional(MakeCredentials(options_.signing_key, session, clock_.Now(), random_));
    }
  }
  co_return TooMuchAtOnce();
}

}  // namespace cairn::identity
