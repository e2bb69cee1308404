// Tokens of other issuers (RFC 7519, profile of RFC 9068): what they must look like, and whom they name.
// Pure: where keys come from is IssuerKeys' business, and nothing in a token's header is ever followed.
//
// Only access tokens are taken. An ID token of the same issuer is refused by its type, by `token_use`, by the
// claims that only ID tokens have, and by its audience, which is the client and not us.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "identity/json_members.h"
#include "identity/public_key.h"
#include "identity/token.h"

namespace cairn::identity {

inline constexpr size_t kExternalTokenBytesMax = 8192;

// Whom we trust. An issuer is trusted with every user id: its subjects are our user ids.
struct ExternalIssuer {
  std::string issuer;  // `iss`, exactly
  std::string
      audience;  // `aud`, exactly; or `client_id` of a token that says `token_use` access (Amazon Cognito)
  // Where its keys are; one of both.
  std::string jwks_file = {};
  std::string jwks_url = {};
};

// A token that was taken apart, and of which nothing is known to be true yet.
struct UnverifiedToken {
  std::string issuer, key_id, algorithm;
  JsonMembers payload;
  std::string signed_text, signature;
};

// Fails with kUnauthenticated when it cannot be a token that we take, whoever signed it: too long, no JWT, a
// member twice, another type, or a header that points at keys of its own.
Result<UnverifiedToken> ReadExternalToken(std::string_view token);

// The claims, if `key` signed them, `issuer` is who they say, and they are for us and now. The subject can be
// used as a user id.
Result<Claims> VerifyExternalToken(const UnverifiedToken& token, const ExternalIssuer& issuer,
                                   const PublicKey& key, Time now);

}  // namespace cairn::identity
