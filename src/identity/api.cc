#include "identity/api.h"

#include "base/time_text.h"
#include "http/cookies.h"
#include "identity/known_device.h"
#include "identity/plain_text.h"
#include "identity/token.h"

namespace cairn::identity {
namespace {

Origin OriginOf(const http::Request& request) {
  return {.address = std::string(request.peer), .user_agent = std::string(request.Header("User-Agent"))};
}

http::Problem ProblemOf(const Refusal& refusal) {
  http::Problem problem = http::ProblemOf(refusal.error);
  for (const model::FieldError& field : refusal.fields)
    problem.errors.push_back({field.attribute, field.message});
  if (refusal.retry_after.count() > 0) {
    problem.code = "too-many-attempts";
    problem.headers.emplace_back("Retry-After", std::to_string(refusal.retry_after.count()));
  }
  return problem;
}

std::unexpected<http::Problem> Refused(const Refusal& refusal) { return std::unexpected(ProblemOf(refusal)); }

std::optional<std::string> IfAny(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

std::string CookieName(CookieSafety safety) {
  return safety == CookieSafety::kSecure ? "__Host-cairn_session" : "cairn_session";
}

std::string DeviceCookieName(CookieSafety safety) {
  return safety == CookieSafety::kSecure ? "__Host-cairn_devices" : "cairn_devices";
}

Task<Result<rest::Identified>> RequestAuthenticator::Identify(const http::Request& request) {
  const std::string_view authorization = request.Header("Authorization");
  if (!authorization.empty()) {
    const auto token = BearerToken(authorization);
    if (!token) co_return Fail(token.error());
    co_return co_await authenticator_.IdentifyToken(std::string(*token));
  }
  const auto cookie = http::FindCookie(request, cookie_name_);
  if (!cookie) co_return Fail(Code::kUnauthenticated, "Log in first, or send Authorization: Bearer <token>");
  co_return co_await authenticator_.IdentifyCookie(std::string(*cookie));
}

Task<Result<rest::Identified>> RequestAuthenticator::IdentifyToken(std::string token) {
  return authenticator_.IdentifyToken(std::move(token));
}

Task<bool> RequestAuthenticator::IsStillValid(const rest::Identified& identified) {
  return authenticator_.IsStillValid(identified);
}

// clang-format off
std::vector<rest::Endpoint> IdentityApi::Endpoints() {
  using rest::EndpointInfo;
  using rest::Permission;
  const auto open = [](std::string path, std::string id, std::string summary, int status = 200) {
    return EndpointInfo{.method = "POST", .path = path, .id = id, .summary = summary, .permission = Permission::kAnyone, .status = status};
  };
  const auto own = [](std::string method, std::string path, std::string id, std::string summary, int status = 200) {
    return EndpointInfo{.method = method, .path = path, .id = id, .summary = summary, .status = status};
  };
  EndpointInfo delete_info = own("DELETE", "/api/auth/me", "deleteMe", "The account and everything it has in all applications", 204);
  delete_info.may_finish_later = true;
  EndpointInfo options_info = open("/api/auth/options", "readSignInOptions", "What this server offers to those who are not logged in");
  options_info.method = "GET";
  return {
    Route(options_info, &IdentityApi::GetOptions),
    Route(open("/api/auth/password/forgot", "forgotPassword", "A mail with a link to choose a new password; answered alike for every address", 202), &IdentityApi::PostForgot),
    Route(open("/api/auth/password/reset", "resetPassword", "A new password with the link of such a mail; all sessions end, and a new one begins"), &IdentityApi::PostReset),
    Route(open("/api/auth/email/verify", "verifyEmail", "Confirm an address with the link of a mail"), &IdentityApi::PostVerify),
    Route(own("POST", "/api/auth/email/verification", "sendVerification", "The mail that confirms the address, once more", 202), &IdentityApi::PostVerification),
    Route(own("POST", "/api/auth/email", "changeEmail", "Another e-mail address: once it is confirmed by mail (pendingEmail), at once where the server sends none"), &IdentityApi::PostEmail),
    Route(own("DELETE", "/api/auth/email/pending", "cancelEmailChange", "The address stays as it is", 204), &IdentityApi::DeletePendingEmail),
    Route(open("/api/auth/register", "register", "A new account; an address that has one is answered alike", 201), &IdentityApi::PostRegister),
    Route(open("/api/auth/login", "login", "Tokens for a program, a session cookie for a browser"), &IdentityApi::PostLogin),
    Route(open("/api/auth/refresh", "refresh", "New tokens for a refresh token, which is used up"), &IdentityApi::PostRefresh),
    Route(own("POST", "/api/auth/logout", "logout", "This session ends, or all of them", 204), &IdentityApi::PostLogout),
    Route(own("POST", "/api/auth/password", "changePassword", "A new password; all sessions end, and a new one begins"), &IdentityApi::PostPassword),
    Route(own("GET", "/api/auth/me", "readMe", "Who is calling"), &IdentityApi::GetMe),
    Route(delete_info, &IdentityApi::DeleteMe),
    Route(own("GET", "/api/auth/sessions", "listSessions", "Where this account is logged in"), &IdentityApi::GetSessions),
    Route(own("DELETE", "/api/auth/sessions/{sessionId}", "endSession", "Log out somewhere else", 204), &IdentityApi::DeleteSession),
  };
}
// clang-format on

std::string IdentityApi::CookieOf(const std::string& value, std::chrono::seconds max_age) const {
  return http::SetCookie({.name = CookieName(safety_),
                          .value = value,
                          .max_age = max_age,
                          .same_site = http::SameSite::kLax,
                          .http_only = true,
                          .secure = safety_ == CookieSafety::kSecure});
}

std::string IdentityApi::DevicesOf(const http::Request& request) const {
  return std::string(http::FindCookie(request, DeviceCookieName(safety_)).value_or(""));
}

// Strict: it counts only for logins, which no other page may make.
std::string IdentityApi::DeviceCookieOf(const std::string& value) const {
  return http::SetCookie({.name = DeviceCookieName(safety_),
                          .value = value,
                          .max_age = kDeviceLifetime,
                          .same_site = http::SameSite::kStrict,
                          .http_only = true,
                          .secure = safety_ == CookieSafety::kSecure});
}

rest::Answered<CredentialsAnswer> IdentityApi::AnswerOf(const Credentials& credentials) const {
  rest::Answered<CredentialsAnswer> answered;
  CredentialsAnswer& body = answered.body;
  body.user_id = credentials.user_id;
  body.expires_at = FormatIsoMilliseconds(credentials.expires);
  if (credentials.kind == platform::SessionKind::kBrowser) {
    body.csrf_token = credentials.csrf_token;
    answered.headers.emplace_back("Set-Cookie", CookieOf(credentials.cookie, kSessionLifetime));
    if (!credentials.devices.empty())
      answered.headers.emplace_back("Set-Cookie", DeviceCookieOf(credentials.devices));
  } else {
    body.access_token = credentials.access_token;
    body.token_type = "Bearer";
    body.expires_in = kAccessTokenLifetime.count();
    body.refresh_token = credentials.refresh_token;
  }
  return answered;
}

IdentityApi::Reply<RegisterAnswer> IdentityApi::PostRegister(rest::Call& call, RegisterBody request) {
  RegisterRequest wish{.email = request.email,
                       .password = request.password,
                       .display_name = request.display_name.value_or(""),
                       .origin = OriginOf(call.request)};
  auto registered = co_await accounts_.Register(std::move(wish));
  if (!registered) co_return Refused(registered.error());
  RegisterAnswer answer{.email = LowerAscii(Trimmed(request.email))};
  co_return rest::Answer(std::move(answer));
}

IdentityApi::Reply<CredentialsAnswer> IdentityApi::PostLogin(rest::Call& call, LoginBody request) {
  LoginRequest wish{.email = request.email,
                    .password = request.password,
                    .kind = request.kind,
                    .origin = OriginOf(call.request),
                    .devices = DevicesOf(call.request)};
  auto credentials = co_await accounts_.Login(std::move(wish));
  if (!credentials) co_return Refused(credentials.error());
  co_return AnswerOf(*credentials);
}

IdentityApi::Reply<CredentialsAnswer> IdentityApi::PostRefresh(rest::Call& call, RefreshBody request) {
  Origin origin = OriginOf(call.request);
  auto credentials = co_await accounts_.Refresh(request.refresh_token, std::move(origin));
  if (!credentials) co_return Refused(credentials.error());
  co_return AnswerOf(*credentials);
}

IdentityApi::Reply<rest::Nothing> IdentityApi::PostLogout(rest::Call& call, LogoutBody request) {
  Answer<void> done;
  Origin origin = OriginOf(call.request);
  if (request.everywhere) {
    done = co_await accounts_.LogoutEverywhere(call.user_id(), std::move(origin));
  } else if (!call.identified->session_id.empty()) {
    SessionName name{.user_id = call.user_id(), .session_id = call.identified->session_id};
    done = co_await accounts_.Logout(std::move(name), std::move(origin));
  }
  if (!done) co_return Refused(done.error());
  rest::Answered<rest::Nothing> answered;
  answered.headers.emplace_back("Set-Cookie", CookieOf("", std::chrono::seconds(0)));
  co_return answered;
}

IdentityApi::Reply<CredentialsAnswer> IdentityApi::PostPassword(rest::Call& call, PasswordBody request) {
  const bool by_cookie = call.identified->proof == rest::Proof::kCookie;
  ChangePasswordRequest wish{
      .user_id = call.user_id(),
      .session_id = call.identified->session_id,
      .current_password = request.current,
      .new_password = request.next,
      .kind = by_cookie ? platform::SessionKind::kBrowser : platform::SessionKind::kProgram,
      .origin = OriginOf(call.request)};
  auto credentials = co_await accounts_.ChangePassword(std::move(wish));
  if (!credentials) co_return Refused(credentials.error());
  co_return AnswerOf(*credentials);
}

IdentityApi::Reply<SignInOptions> IdentityApi::GetOptions(rest::Call&, NoFields) {
  co_return rest::Answer(SignInOptions{.sends_mail = accounts_.HasMail()});
}

IdentityApi::Reply<rest::Nothing> IdentityApi::PostForgot(rest::Call& call, ForgotBody request) {
  Origin origin = OriginOf(call.request);
  auto asked = co_await accounts_.AskForRecovery(request.email, std::move(origin));
  if (!asked) co_return Refused(asked.error());
  co_return rest::Answered<rest::Nothing>();
}

IdentityApi::Reply<CredentialsAnswer> IdentityApi::PostReset(rest::Call& call, ResetBody request) {
  RecoverPasswordRequest wish{.token = request.token,
                              .new_password = request.next,
                              .kind = request.kind,
                              .origin = OriginOf(call.request),
                              .devices = DevicesOf(call.request)};
  auto credentials = co_await accounts_.RecoverPassword(std::move(wish));
  if (!credentials) co_return Refused(credentials.error());
  co_return AnswerOf(*credentials);
}

IdentityApi::Reply<VerifyAnswer> IdentityApi::PostVerify(rest::Call& call, VerifyBody request) {
  Origin origin = OriginOf(call.request);
  auto email = co_await accounts_.ConfirmEmail(request.token, std::move(origin));
  if (!email) co_return Refused(email.error());
  VerifyAnswer answer{.email = *std::move(email)};
  co_return rest::Answer(std::move(answer));
}

IdentityApi::Reply<rest::Nothing> IdentityApi::PostVerification(rest::Call& call, NoFields) {
  auto asked = co_await accounts_.AskForVerification(call.user_id());
  if (!asked) co_return Refused(asked.error());
  co_return rest::Answered<rest::Nothing>();
}

IdentityApi::Reply<EmailAnswer> IdentityApi::PostEmail(rest::Call& call, EmailBody request) {
  ChangeEmailRequest wish{.user_id = call.user_id(),
                          .session_id = call.identified->session_id,
                          .password = request.password,
                          .new_email = request.new_email,
                          .origin = OriginOf(call.request)};
  auto user = co_await accounts_.ChangeEmail(std::move(wish));
  if (!user) co_return Refused(user.error());
  EmailAnswer answer{.email = user->email,
                     .verified = user->email_verified_at.has_value(),
                     .pending = accounts_.PendingEmailOf(*user)};
  co_return rest::Answer(std::move(answer));
}

IdentityApi::Reply<rest::Nothing> IdentityApi::DeletePendingEmail(rest::Call& call, NoFields) {
  auto canceled = co_await accounts_.CancelEmailChange(call.user_id());
  if (!canceled) co_return Refused(canceled.error());
  co_return rest::Answered<rest::Nothing>();
}

IdentityApi::Reply<MeAnswer> IdentityApi::GetMe(rest::Call& call, NoFields) {
  MeAnswer me;
  me.user_id = call.user_id();
  me.session_id = IfAny(call.identified->session_id);
  me.csrf_token = IfAny(call.identified->csrf_token);
  auto profile = co_await accounts_.Profile(call.user_id());
  // Users of other issuers, and of an operator's token, have no account here.
  if (!profile && profile.error().error.code != Code::kResourceNotFound) co_return Refused(profile.error());
  if (profile) {
    me.email = profile->email;
    me.email_verified = profile->email_verified_at.has_value();
    me.pending_email = accounts_.PendingEmailOf(*profile);
    me.display_name = profile->display_name;
    me.created_at = profile->created_at;
  }
  rest::Answered<MeAnswer> answered{.body = std::move(me)};
  if (call.identified->proof == rest::Proof::kCookie) {
    SessionName name{.user_id = call.user_id(), .session_id = call.identified->session_id};
    auto renewed = co_await accounts_.RenewBrowser(std::move(name));
    if (renewed && *renewed)
      answered.headers.emplace_back("Set-Cookie", CookieOf((*renewed)->cookie, kSessionLifetime));
  }
  co_return answered;
}

IdentityApi::Reply<rest::Nothing> IdentityApi::DeleteMe(rest::Call& call, DeleteBody request) {
  DeleteAccountRequest wish{.user_id = call.user_id(),
                            .session_id = call.identified->session_id,
                            .password = request.password,
                            .origin = OriginOf(call.request)};
  auto deleted = co_await accounts_.DeleteAccount(std::move(wish));
  if (!deleted) co_return Refused(deleted.error());
  // The planned job does the same should this be interrupted.
  const Status erased = co_await accounts_.ResumeErasure(call.user_id());
  rest::Answered<rest::Nothing> answered;
  answered.status = erased ? 204 : 202;
  answered.headers.emplace_back("Set-Cookie", CookieOf("", std::chrono::seconds(0)));
  co_return answered;
}

IdentityApi::Reply<SessionList> IdentityApi::GetSessions(rest::Call& call, NoFields) {
  auto sessions = co_await accounts_.ListSessions(call.user_id());
  if (!sessions) co_return Refused(sessions.error());
  SessionList list;
  for (const platform::Session& session : *sessions) {
    list.items.push_back({.session_id = session.session_id.value_or(""),
                          .kind = session.kind,
                          .current = session.session_id == call.identified->session_id,
                          .created_at = session.created_at,
                          .renewed_at = session.renewed_at,
                          .user_agent = session.user_agent,
                          .address = session.address});
  }
  co_return rest::Answer(std::move(list));
}

IdentityApi::Reply<rest::Nothing> IdentityApi::DeleteSession(rest::Call& call, SessionRequest request) {
  auto sessions = co_await accounts_.ListSessions(call.user_id());
  if (!sessions) co_return Refused(sessions.error());
  bool known = false;
  for (const platform::Session& session : *sessions)
    known = known || session.session_id == request.session_id;
  if (!known) co_return Refused(Refusal(Error{Code::kResourceNotFound, "There is no such session"}));
  SessionName name{.user_id = call.user_id(), .session_id = request.session_id};
  Origin origin = OriginOf(call.request);
  auto ended = co_await accounts_.Logout(std::move(name), std::move(origin));
  if (!ended) co_return Refused(ended.error());
  co_return rest::Answered<rest::Nothing>();
}

}  // namespace cairn::identity
