#include "identity/authenticator.h"

#include "base/ulid.h"
#include "identity/account_writes.h"
#include "identity/jwt_parts.h"
#include "identity/token.h"

namespace cairn::identity {
namespace {

using rest::Identified;
using rest::Proof;

// Of the claim "role". Only tokens this server has signed are asked: an issuer elsewhere may call anybody so.
constexpr std::string_view kOperatorRole = "operator";

std::unexpected<Error> SessionOver() {
  return Fail(Code::kUnauthenticated, "The session is over. Log in again.");
}

std::unexpected<Error> AccountOver() {
  return Fail(Code::kUnauthenticated, "The account is not in use. Ask whoever runs this server.");
}

Identified WithToken(Claims claims) {
  Identified identified{.claims = std::move(claims.others),
                        .user_id = claims.subject,
                        .proof = Proof::kToken,
                        .session_id = std::move(claims.session_id),
                        .csrf_token = {},
                        .expires = claims.expires};
  identified.claims.insert_or_assign("sub", std::move(claims.subject));
  return identified;
}

}  // namespace

Authenticator::Authenticator(model::Database& platform, std::string signing_key, ExternalIssuers* issuers,
                             AccountStanding& standing, const Clock& clock)
    : platform_(platform),
      signing_key_(std::move(signing_key)),
      issuers_(issuers),
      standing_(standing),
      clock_(clock) {}

Task<Status> Authenticator::CheckStanding(const std::string& user_id) {
  CO_ASSIGN_OR_RETURN(const bool may_act, co_await standing_.MayAct(user_id));
  if (!may_act) co_return AccountOver();
  co_return Status();
}

Task<Result<std::optional<platform::Session>>> Authenticator::FindSession(const std::string& user_id,
                                                                          const std::string& session_id) {
  if (!IsUlid(session_id)) co_return std::nullopt;
  model::Session work(platform_, WorkingFor(user_id));
  const platform::SessionKey key{.session_id = session_id};
  auto session = co_await platform::GetSession(work, key);
  if (session) co_return *std::move(session);
  // A subject that cannot be in a key has no session.
  if (session.error().error.code == Code::kInvalidArgument) co_return std::nullopt;
  co_return Fail(std::move(session).error().error);
}

Task<Result<Identified>> Authenticator::IdentifyToken(std::string token) {
  auto claims = VerifyToken(signing_key_, token, clock_.Now());
  const bool is_ours = claims.has_value();
  if (!is_ours) {
    if (issuers_ == nullptr) co_return Fail(std::move(claims).error());
    CO_ASSIGN_OR_RETURN(auto external, co_await issuers_->Verify(std::move(token)));
    if (!external) co_return Fail(std::move(claims).error());
    claims = *std::move(external);
  } else if (!claims->session_id.empty()) {
    CO_ASSIGN_OR_RETURN(const auto session, co_await FindSession(claims->subject, claims->session_id));
    if (!session) co_return SessionOver();
  }
  const std::optional<bool> may_act = standing_.Known(claims->subject);
  if (!may_act) CO_RETURN_IF_ERROR(co_await CheckStanding(claims->subject));
  if (may_act == false) co_return AccountOver();
  Identified identified = WithToken(*std::move(claims));
  const auto role = identified.claims.find("role");
  identified.is_operator = is_ours && role != identified.claims.end() && role->second == kOperatorRole;
  co_return identified;
}

Task<Result<Identified>> Authenticator::IdentifyCookie(std::string value) {
  const auto token = OpenSessionToken(signing_key_, SessionTokenPurpose::kCookie, value);
  if (!token) co_return Fail(Code::kUnauthenticated, "The session cookie is not valid. Log in again.");
  CO_ASSIGN_OR_RETURN(const auto session, co_await FindSession(token->user_id, token->session_id));
  if (!session || session->kind != platform::SessionKind::kBrowser ||
      session->generation != token->generation) {
    co_return SessionOver();
  }
  const std::optional<bool> may_act = standing_.Known(token->user_id);
  if (!may_act) CO_RETURN_IF_ERROR(co_await CheckStanding(token->user_id));
  if (may_act == false) co_return AccountOver();
  co_return Identified{.claims = {{"sub", token->user_id}},
                       .user_id = token->user_id,
                       .proof = Proof::kCookie,
                       .session_id = token->session_id,
                       .csrf_token = CsrfToken(signing_key_, token->user_id, token->session_id),
                       .expires = Time(std::chrono::seconds(session->expires_at))};
}

Task<bool> Authenticator::IsStillValid(rest::Identified identified) {
  // A cookie's session may have been renewed since; the session itself says when it ends.
  const bool by_cookie = identified.proof == Proof::kCookie;
  if (!by_cookie && clock_.Now() > identified.expires + kClockSkew) co_return false;
  const auto may_act = co_await standing_.MayAct(identified.user_id);
  if (!may_act || !*may_act) co_return false;
  if (identified.session_id.empty()) co_return !by_cookie;
  const auto session = co_await FindSession(identified.user_id, identified.session_id);
  co_return session&&* session;
}

}  // namespace cairn::identity
