#include "identity/external_token.h"

#include <algorithm>
#include <array>

#include "base/base64url.h"
#include "identity/jwt_parts.h"
#include "identity/plain_text.h"
#include "model/value_type.h"

namespace cairn::identity {
namespace {

// Header members that name a key or change what is signed.
constexpr auto kRefusedInHeader =
    std::to_array<std::string_view>({"crit", "jku", "x5u", "jwk", "x5c", "b64", "zip", "enc"});
// Claims that only ID tokens have (OpenID Connect Core, section 2).
constexpr auto kOfIdTokens = std::to_array<std::string_view>({"nonce", "at_hash", "c_hash"});

Status CheckType(const JsonMembers& header) {
  ASSIGN_OR_RETURN(const auto given, JwtText(header, "typ"));
  if (!given) return {};
  std::string type = LowerAscii(*given);
  if (type.starts_with("application/")) type.erase(0, std::string_view("application/").size());
  if (type == "at+jwt" || type == "jwt") return {};
  return RefuseToken("it is no access token");
}

Status CheckUse(const JsonMembers& payload) {
  ASSIGN_OR_RETURN(const auto use, JwtText(payload, "token_use"));
  if (use && *use != "access") return RefuseToken("it is no access token");
  // Keycloak tells its tokens apart here.
  ASSIGN_OR_RETURN(const auto type, JwtText(payload, "typ"));
  if (type && *type != "Bearer") return RefuseToken("it is no access token");
  const bool is_id_token =
      std::ranges::any_of(kOfIdTokens, [&](auto name) { return payload.contains(name); });
  return is_id_token ? RefuseToken("it is no access token") : Status();
}

Status CheckAudience(const JsonMembers& payload, const std::string& audience) {
  // One audience, not a list: whoever else is on a list could use the token here.
  ASSIGN_OR_RETURN(const auto given, JwtText(payload, "aud"));
  if (given) return *given == audience ? Status() : RefuseToken("it is meant for someone else");
  ASSIGN_OR_RETURN(const auto use, JwtText(payload, "token_use"));
  ASSIGN_OR_RETURN(const auto client, JwtText(payload, "client_id"));
  const bool for_our_client = use == "access" && client == audience;
  return for_our_client ? Status() : RefuseToken("it is meant for someone else");
}

// Ids go into keys and into policies (where * and ? are wildcards).
bool IsUserId(const std::string& text) {
  static const model::ValueType kId{.kind = model::Kind::kId};
  item::AttributeValue value(text);
  return model::CheckValue(kId, {}, value) && text.find_first_of("*?#") == text.npos;
}

}  // namespace

Result<UnverifiedToken> ReadExternalToken(std::string_view token) {
  ASSIGN_OR_RETURN(const JwtParts parts, SplitJwt(token, kExternalTokenBytesMax));
  auto signature = DecodeBase64Url(parts.signature);
  if (!signature) return RefuseToken("its signature is not base64url");
  ASSIGN_OR_RETURN(const JsonMembers header, ReadJwtObject(parts.header, "header"));
  for (const std::string_view name : kRefusedInHeader) {
    if (header.contains(name)) return RefuseToken("its header may not have " + std::string(name));
  }
  RETURN_IF_ERROR(CheckType(header));
  ASSIGN_OR_RETURN(auto algorithm, JwtText(header, "alg"));
  ASSIGN_OR_RETURN(auto key_id, JwtText(header, "kid"));
  if (!algorithm || !key_id) return RefuseToken("its header must have alg and kid");
  ASSIGN_OR_RETURN(JsonMembers payload, ReadJwtObject(parts.payload, "payload"));
  ASSIGN_OR_RETURN(auto issuer, JwtText(payload, "iss"));
  return UnverifiedToken{.issuer = std::move(issuer).value_or(""),
                         .key_id = *std::move(key_id),
                         .algorithm = *std::move(algorithm),
                         .payload = std::move(payload),
                         .signed_text = std::string(parts.signed_text),
                         .signature = *std::move(signature)};
}

Result<Claims> VerifyExternalToken(const UnverifiedToken& token, const ExternalIssuer& issuer,
                                   const PublicKey& key, Time now) {
  if (token.algorithm != key.algorithm()) return RefuseToken("its algorithm is not that of its key");
  if (!key.Verifies(token.signed_text, token.signature)) return RefuseToken("its signature is wrong");
  if (token.issuer != issuer.issuer) return RefuseToken("it was issued by someone else");
  RETURN_IF_ERROR(CheckUse(token.payload));
  RETURN_IF_ERROR(CheckAudience(token.payload, issuer.audience));
  ASSIGN_OR_RETURN(const Time expires, CheckJwtTimes(token.payload, now));
  ASSIGN_OR_RETURN(auto subject, JwtText(token.payload, "sub"));
  if (!subject || !IsUserId(*subject)) return RefuseToken("its subject cannot be a user id");
  ASSIGN_OR_RETURN(auto id, JwtText(token.payload, "jti"));
  return Claims{.subject = *std::move(subject),
                .others = OtherTextClaims(token.payload),
                .expires = expires,
                .id = std::move(id).value_or("")};
}

}  // namespace cairn::identity
