// Authenticator: who shows a token or a cookie. Local tokens and cookies that belong to a session count only
// while that session is there, which costs one read of one item; a logout, a new password or a disabled
// account is felt at once. Whatever is shown, the account it is for must be in good standing. Knows no HTTP:
// the REST edge finds tokens and cookies in requests.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"
#include "identity/account_standing.h"
#include "identity/external_issuers.h"
#include "identity/session_token.h"
#include "model/database.h"
#include "models/platform.h"
#include "rest/authenticator.h"

namespace cairn::identity {

class Authenticator {
 public:
  // `issuers` may be null: then only tokens of our own are taken.
  Authenticator(model::Database& platform, std::string signing_key, ExternalIssuers* issuers,
                AccountStanding& standing, const Clock& clock);

  // A bearer token: an access token of a session, one that an operator made (`cairn token`, which belongs to
  // no session and cannot be taken back), or one of another issuer. Fails with kUnauthenticated.
  Task<Result<rest::Identified>> IdentifyToken(std::string token);
  // The value of the session cookie. Fails with kUnauthenticated.
  Task<Result<rest::Identified>> IdentifyCookie(std::string value);

  // Whether somebody who was identified some time ago still is: not expired, logged out, disabled or deleted.
  // A store that does not answer counts as no.
  Task<bool> IsStillValid(rest::Identified identified);

 private:
  Task<Result<std::optional<models::platform::Session>>> FindSession(const std::string& user_id,
                                                                     const std::string& session_id);

  // Fails with kUnauthenticated for an account that may not act.
  Task<Status> CheckStanding(const std::string& user_id);

  model::Database& platform_;
  const std::string signing_key_;
  ExternalIssuers* issuers_;
  AccountStanding& standing_;
  const Clock& clock_;
};

}  // namespace cairn::identity
