// Key sets of other issuers: JWKS documents (RFC 7517) to public keys by their kid. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "identity/public_key.h"

namespace cairn::identity {

using KeySet = std::map<std::string, PublicKey, std::less<>>;  // by kid

// The usable keys: RSA of 2048 bits and more, and P-256, each with a kid. Others (other types or purposes
// by `use`, `key_ops` or `alg`, weak or broken ones, private or symmetric ones) are passed over, for issuers
// publish what we need not understand. Fails when the document is no key set, when two keys have the same
// kid, and when no key is usable.
Result<KeySet> ParseKeySet(std::string_view document);

}  // namespace cairn::identity
