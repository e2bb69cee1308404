// IdentityApi: the routes of /api/auth, and who sends a request as its header fields say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "http/http.h"
#include "identity/accounts.h"
#include "identity/api_types.h"
#include "identity/authenticator.h"
#include "rest/authenticator.h"
#include "rest/endpoint.h"

namespace cairn::identity {

// Whether browsers reach us over https decides about the cookie.
enum class CookieSafety { kPlain, kSecure };
// "__Host-cairn_session" over https, which binds it to this host; "cairn_session" otherwise.
std::string CookieName(CookieSafety safety);
// The same for the devices that are known (known_device.h).
std::string DeviceCookieName(CookieSafety safety);

// Bearer tokens and the session cookie. A request with both is taken by its token.
class RequestAuthenticator final : public rest::Authenticator {
 public:
  RequestAuthenticator(identity::Authenticator& authenticator, CookieSafety safety)
      : authenticator_(authenticator), cookie_name_(CookieName(safety)) {}

  Task<Result<rest::Identified>> Identify(const http::Request& request) override;
  Task<Result<rest::Identified>> IdentifyToken(std::string token) override;
  Task<bool> IsStillValid(const rest::Identified& identified) override;

 private:
  identity::Authenticator& authenticator_;
  const std::string cookie_name_;
};

class IdentityApi {
 public:
  IdentityApi(Accounts& accounts, CookieSafety safety) : accounts_(accounts), safety_(safety) {}

  // They call into this object: it must outlive them.
  std::vector<rest::Endpoint> Endpoints();

 private:
  template <class T>
  using Reply = Task<rest::Reply<T>>;
  template <class Request, class T>
  rest::Endpoint Route(rest::EndpointInfo info, Reply<T> (IdentityApi::*handler)(rest::Call&, Request)) {
    info.tag = "identity";
    info.keeps_receipt = false;  // answers hold secrets, which are kept nowhere
    return rest::MakeEndpoint<Request, T>(std::move(info),
                                          [this, handler](rest::Call& call, Request request) -> Reply<T> {
                                            return (this->*handler)(call, std::move(request));
                                          });
  }

  Reply<RegisterAnswer> PostRegister(rest::Call& call, RegisterBody request);
  Reply<CredentialsAnswer> PostLogin(rest::Call& call, LoginBody request);
  Reply<CredentialsAnswer> PostRefresh(rest::Call& call, RefreshBody request);
  Reply<rest::Nothing> PostLogout(rest::Call& call, LogoutBody request);
  Reply<CredentialsAnswer> PostPassword(rest::Call& call, PasswordBody request);
  Reply<rest::Nothing> PostForgot(rest::Call& call, ForgotBody request);
  Reply<CredentialsAnswer> PostReset(rest::Call& call, ResetBody request);
  Reply<VerifyAnswer> PostVerify(rest::Call& call, VerifyBody request);
  Reply<rest::Nothing> PostVerification(rest::Call& call, NoFields request);
  Reply<EmailAnswer> PostEmail(rest::Call& call, EmailBody request);
  Reply<rest::Nothing> DeletePendingEmail(rest::Call& call, NoFields request);
  Reply<SignInOptions> GetOptions(rest::Call& call, NoFields request);
  Reply<MeAnswer> GetMe(rest::Call& call, NoFields request);
  Reply<rest::Nothing> DeleteMe(rest::Call& call, DeleteBody request);
  Reply<SessionList> GetSessions(rest::Call& call, NoFields request);
  Reply<rest::Nothing> DeleteSession(rest::Call& call, SessionRequest request);

  rest::Answered<CredentialsAnswer> AnswerOf(const Credentials& credentials) const;
  std::string CookieOf(const std::string& value, std::chrono::seconds max_age) const;
  std::string DevicesOf(const http::Request& request) const;
  std::string DeviceCookieOf(const std::string& value) const;

  Accounts& accounts_;
  const CookieSafety safety_;
};

}  // namespace cairn::identity
