// Accounts: everything that can be done with an account: register, log in and out, refresh, change the
// password, delete, and what operators do. Each use case loads, decides and commits one transaction, so that
// a crash or a race leaves all of it or nothing; each leaves an audit entry there. Used by the REST routes
// and by operators' commands; knows no HTTP.
//
// What holds:
// - No secret is stored: passwords as Argon2id hashes, sessions without their tokens (session_token.h).
// - Nobody learns which addresses have accounts: registering answers the same for a taken address, and
//   logging in says and costs the same whether the account is not there, is disabled, or has another
//   password.
// - Every session is opened in a transaction that also changes its account under the account's version. So a
//   password change that ends all sessions cannot miss one that is just being opened with the old password.
//
// One use case per file: register.cc, login.cc, refresh.cc, logout.cc, change_password.cc,
// recover_password.cc, change_email.cc, send_mail.cc, operators.cc, delete_account.cc.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/task.h"
#include "identity/account_standing.h"
#include "identity/account_writes.h"
#include "identity/credentials.h"
#include "identity/login_throttle.h"
#include "identity/mail_limits.h"
#include "identity/password_pool.h"
#include "identity/refusal.h"
#include "jobs/job_queue.h"
#include "model/database.h"
#include "model/write_fence.h"
#include "outbound/courier.h"

namespace cairn::identity {

inline constexpr size_t kSessionsMax = 50;                         // of an account; the oldest ends
inline constexpr std::string_view kErasureJob = "delete-account";  // argument: whose
// As older servers have planned it: in the lane of what must be on time, and in the user's name.
inline constexpr std::string_view kOldErasureJob = "erase-account";

// Strangers can make a few accounts an hour, operators as many as they like.
enum class Registrant { kStranger, kOperator };
struct RegisterRequest {
  std::string email, password;
  std::string display_name;  // may be ""
  Origin origin;
  Registrant by = Registrant::kStranger;
};
struct LoginRequest {
  std::string email, password;
  platform::SessionKind kind = platform::SessionKind::kProgram;
  Origin origin;
  std::string devices = {};  // the cookie of known_device.h; may be ""
};
struct ChangePasswordRequest {
  std::string user_id, session_id;  // no session: ""
  std::string current_password, new_password;
  platform::SessionKind kind = platform::SessionKind::kProgram;  // of the new session
  Origin origin;
};
struct DeleteAccountRequest {
  std::string user_id, session_id;  // no session: ""
  std::string password;
  Origin origin;
};
// A new password with the link of a mail.
struct RecoverPasswordRequest {
  std::string token, new_password;
  platform::SessionKind kind = platform::SessionKind::kProgram;  // of the new session
  Origin origin;
  std::string devices = {};  // the cookie of known_device.h; may be ""
};
struct ChangeEmailRequest {
  std::string user_id, session_id;  // no session: ""
  std::string password, new_email;
  Origin origin;
};
// One session of an account.
struct SessionName {
  std::string user_id, session_id;
};

// Removes what one application keeps for a user. May be called again after a crash or a success.
using Eraser = std::function<Task<Status>(std::string user_id)>;

struct AccountsOptions {
  std::string signing_key;
  std::vector<Eraser> erasers = {};
  const outbound::Courier* courier = nullptr;  // none, or one without mail: addresses are not verified
  // What links in mails begin with: "https://cairn.example"; "" while it is not known yet.
  std::function<std::string()> link_origin = {};
  model::WriteFence* fence = nullptr;  // of all databases that have something of a user
};

class Accounts {
 public:
  // `platform` is a database of the platform's model. Random must be the kernel's except in tests.
  Accounts(model::Database& platform, PasswordPool& passwords, LoginThrottle& throttle,
           AccountStanding& standing, jobs::JobQueue& jobs, const Clock& clock, Random& random,
           AccountsOptions options);

  // ---- For everybody.

  // Succeeds for a taken address as well, and changes nothing then. Fails with fields (email, password,
  // displayName).
  Task<Answer<void>> Register(RegisterRequest request);
  // kUnauthenticated, in the same words, whatever is wrong.
  Task<Answer<Credentials>> Login(LoginRequest request);
  // New tokens for a refresh token, which is used up. One that was used up before means that two have it: the
  // session ends for both. kUnauthenticated then, and for whatever is no refresh token.
  Task<Answer<Credentials>> Refresh(std::string refresh_token, Origin origin);

  // Whether mails about accounts are sent: verified addresses, and passwords that are recovered by mail.
  bool HasMail() const;
  // A mail with a link to choose a new password, if the address has an account; nobody learns whether. Fails
  // with kInvalidArgument without mail, and with fields (email).
  Task<Answer<void>> AskForRecovery(std::string email, Origin origin);
  // Ends all sessions and opens a new one. Fails with kInvalidArgument when the link is not good (any more),
  // and with fields (newPassword).
  Task<Answer<Credentials>> RecoverPassword(RecoverPasswordRequest request);
  // The address that the link of a mail was sent to is shown to be somebody's, and becomes the account's if
  // that was asked for. Returns it. kInvalidArgument: the link is not good; kConditionFailed: another account
  // has the address.
  Task<Answer<std::string>> ConfirmEmail(std::string token, Origin origin);

  // ---- For somebody who was identified.

  // The account without its password hash. kResourceNotFound for users of other issuers.
  Task<Answer<platform::User>> Profile(std::string user_id);
  // The oldest first.
  Task<Answer<std::vector<platform::Session>>> ListSessions(std::string user_id);
  // Succeeds when there is no such session.
  Task<Answer<void>> Logout(SessionName session, Origin origin);
  Task<Answer<void>> LogoutEverywhere(std::string user_id, Origin origin);
  // A browser's session lasts on while it is used: its cookie with a new end, at most once a day; nothing in
  // between.
  Task<Answer<std::optional<Credentials>>> RenewBrowser(SessionName session);
  // Ends all sessions and opens a new one. Fails with fields (currentPassword, newPassword).
  Task<Answer<Credentials>> ChangePassword(ChangePasswordRequest request);
  // Another address: once the link in a mail to it is opened; at once where no mail is sent. Returns the
  // account. Fails with fields (newEmail, password).
  Task<Answer<platform::User>> ChangeEmail(ChangeEmailRequest request);
  Task<Answer<void>> CancelEmailChange(std::string user_id);
  // The mail to the address that waits to be confirmed, once more. Nothing happens when none does.
  Task<Answer<void>> AskForVerification(std::string user_id);
  // The address that waits to be confirmed in place of the account's.
  std::optional<std::string> PendingEmailOf(const platform::User& user) const;
  // From then on nobody gets in. A job (kErasureJob) is planned that removes everything; see ResumeErasure.
  // Fails with a field (password).
  Task<Answer<void>> DeleteAccount(DeleteAccountRequest request);

  // ---- For operators. kResourceNotFound when no account has the address.

  Task<Answer<model::typed::Page<platform::User>>> List(model::typed::PageOptions page);
  // Ends all sessions. Without a password a random one is made; returned is the one that holds.
  Task<Answer<std::string>> ResetPassword(std::string email, std::optional<std::string> new_password);
  // Ends all sessions; nobody gets in until it is enabled again.
  Task<Answer<void>> Disable(std::string email);
  Task<Answer<void>> Enable(std::string email);

  // ---- For jobs.

  // Of kMailJob (account_mail.h).
  Task<Status> SendMail(jobs::Job job);

  // Closes the fence around the user, so that whatever is under way writes nothing more, runs the erasers and
  // removes the account with all that belongs to it. May be called again after a crash or a success; an
  // account that nobody deletes is left alone, with kConditionFailed.
  Task<Status> ResumeErasure(std::string user_id);

 private:
  // The account behind an address, with its password hash.
  Task<Answer<std::optional<platform::User>>> FindUser(std::string email);
  // A session of this account as it was read; nothing when it has changed since.
  Task<Answer<std::optional<Credentials>>> OpenSession(const platform::User& user, platform::SessionKind kind,
                                                       const Origin& origin, const std::string& new_hash);
  // The account, if this is its password; otherwise fails about `field`. Guesses are counted by session.
  Task<Answer<platform::User>> ConfirmPassword(SessionName session, std::string password, std::string field);
  // The account that a mail token is good for; nothing when it is good for none.
  Task<Answer<std::optional<platform::User>>> FindByMailToken(const std::string& text);
  model::Outcome<void> StageEmailWish(model::Session& work, const platform::User& user,
                                      const std::string& email);
  Task<Answer<Written>> CommitAddress(model::Session& work);
  std::string NowText() const;
  Task<Answer<void>> EndForReuse(const SessionName& session, const Origin& origin);
  // Changes an account and ends its sessions, whatever else happens to it meanwhile.
  using StageChange = std::function<Answer<void>(model::Session& work, const platform::User& user)>;
  Task<Answer<void>> ChangeByOperator(std::string email, StageChange stage);

  model::Database& platform_;
  PasswordPool& passwords_;
  LoginThrottle& throttle_;
  AccountStanding& standing_;
  jobs::JobQueue& jobs_;
  const Clock& clock_;
  Random& random_;
  const AccountsOptions options_;
  MailLimits mail_limits_;
};

}  // namespace cairn::identity
