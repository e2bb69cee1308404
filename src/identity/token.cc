#include "identity/token.h"

#include <algorithm>
#include <array>

#include "base/base64url.h"
#include "base/check.h"
#include "base/json_text.h"
#include "identity/jwt_parts.h"
#include "rest/hmac.h"

namespace cairn::identity {
namespace {

constexpr std::string_view kHeader = R"({"alg":"HS256","typ":"JWT"})";
constexpr std::string_view kAlgorithm = "HS256";
// This key signs access tokens and no other JWT, so there is no type to tell them from; whoever claims
// another is refused.
constexpr std::string_view kType = "JWT";
constexpr auto kReserved =
    std::to_array<std::string_view>({"iss", "sub", "aud", "exp", "nbf", "iat", "jti", "sid"});

Status CheckSignature(std::string_view key, const JwtParts& parts) {
  const auto given = DecodeBase64Url(parts.signature);
  if (!given) return RefuseToken("its signature is not base64url");
  if (!rest::EqualInConstantTime(*given, rest::HmacSha256(key, parts.signed_text)))
    return RefuseToken("its signature is wrong");
  return {};
}

Status CheckHeader(std::string_view encoded) {
  ASSIGN_OR_RETURN(const JsonMembers members, ReadJwtObject(encoded, "header"));
  for (const auto& [name, value] : members) {
    if (name != "alg" && name != "typ") return RefuseToken("its header has a member other than alg and typ");
  }
  ASSIGN_OR_RETURN(const auto algorithm, JwtText(members, "alg"));
  if (algorithm != kAlgorithm) return RefuseToken("its algorithm is not HS256");
  ASSIGN_OR_RETURN(const auto type, JwtText(members, "typ"));
  if (type && *type != kType) return RefuseToken("its type is not JWT");
  return {};
}

Status CheckParties(const JsonMembers& members) {
  ASSIGN_OR_RETURN(const auto issuer, JwtText(members, "iss"));
  if (issuer != kIssuer) return RefuseToken("it was issued by someone else");
  ASSIGN_OR_RETURN(const auto audience, JwtText(members, "aud"));
  if (audience && *audience != kIssuer) return RefuseToken("it is meant for someone else");
  return {};
}

Result<Claims> ReadClaims(std::string_view encoded, Time now) {
  ASSIGN_OR_RETURN(const JsonMembers members, ReadJwtObject(encoded, "payload"));
  RETURN_IF_ERROR(CheckParties(members));
  ASSIGN_OR_RETURN(const Time expires, CheckJwtTimes(members, now));
  ASSIGN_OR_RETURN(auto subject, JwtText(members, "sub"));
  if (!subject || subject->empty()) return RefuseToken("it names no subject");
  ASSIGN_OR_RETURN(auto id, JwtText(members, "jti"));
  ASSIGN_OR_RETURN(auto session_id, JwtText(members, "sid"));
  // An empty one would read as none, and a token of no session cannot be logged out.
  if (session_id && session_id->empty()) return RefuseToken("its session has no name");
  return Claims{.subject = *std::move(subject),
                .others = OtherTextClaims(members),
                .expires = expires,
                .id = std::move(id).value_or(""),
                .session_id = std::move(session_id).value_or("")};
}

void AppendMember(std::string& json, std::string_view name, std::string_view text) {
  AppendJsonString(json, name);
  json += ':';
  AppendJsonString(json, text);
  json += ',';
}

}  // namespace

bool IsReservedClaim(std::string_view name) { return std::ranges::find(kReserved, name) != kReserved.end(); }

std::map<std::string, std::string, std::less<>> OtherTextClaims(const JsonMembers& payload) {
  std::map<std::string, std::string, std::less<>> others;
  for (const auto& [name, value] : payload) {
    const std::string* text = std::get_if<std::string>(&value);
    if (text != nullptr && !IsReservedClaim(name)) others.emplace(name, *text);
  }
  return others;
}

std::string IssueToken(std::string_view key, const Claims& claims, Time now) {
  CHECK(!claims.subject.empty(), "a token is about somebody");
  std::string payload = "{";
  AppendMember(payload, "iss", kIssuer);
  AppendMember(payload, "sub", claims.subject);
  for (const auto& [name, value] : claims.others) {
    CHECK(!IsReservedClaim(name), "reserved claims have members of their own");
    AppendMember(payload, name, value);
  }
  if (!claims.id.empty()) AppendMember(payload, "jti", claims.id);
  if (!claims.session_id.empty()) AppendMember(payload, "sid", claims.session_id);
  payload += R"("iat":)" + std::to_string(EpochSeconds(now));
  payload += R"(,"exp":)" + std::to_string(EpochSeconds(claims.expires)) + "}";

  std::string token = EncodeBase64Url(kHeader) + "." + EncodeBase64Url(payload);
  const std::string signature = rest::HmacSha256(key, token);
  return token + "." + EncodeBase64Url(signature);
}

Result<Claims> VerifyToken(std::string_view key, std::string_view token, Time now) {
  ASSIGN_OR_RETURN(const JwtParts parts, SplitJwt(token, kTokenBytesMax));
  // The signature first: nothing of a forged token is ever parsed.
  RETURN_IF_ERROR(CheckSignature(key, parts));
  RETURN_IF_ERROR(CheckHeader(parts.header));
  return ReadClaims(parts.payload, now);
}

Result<std::string_view> BearerToken(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.empty()) {
    return Fail(Code::kUnauthenticated, "This needs a token: send Authorization: Bearer <token>");
  }
  const bool is_bearer =
      authorization.size() > kScheme.size() &&
      std::ranges::equal(authorization.substr(0, kScheme.size()), kScheme,
                         [](char given, char wanted) { return given == wanted || (given | 0x20) == wanted; });
  if (!is_bearer) return Fail(Code::kUnauthenticated, "The Authorization field must be: Bearer <token>");
  authorization.remove_prefix(kScheme.size());
  while (authorization.starts_with(' ')) authorization.remove_prefix(1);
  return authorization;
}

}  // namespace cairn::identity
