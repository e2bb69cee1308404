// PublicKey: what verifies the tokens of another issuer. The key decides the algorithm (RSA: RS256, P-256:
// ES256); what a token's header says is only compared with it. Wraps OpenSSL. Immutable, safe to share
// between threads.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "base/result.h"

struct evp_pkey_st;

namespace cairn::identity {

class PublicKey {
 public:
  // Big-endian numbers. Fails below 2048 bits, above 8192, and for exponents that are not odd or below 65537.
  static Result<PublicKey> Rsa(std::string_view modulus, std::string_view exponent);
  // The coordinates, 32 bytes each. Fails when they are no point of the curve.
  static Result<PublicKey> P256(std::string_view x, std::string_view y);

  // "RS256" or "ES256".
  std::string_view algorithm() const { return algorithm_; }
  // Signatures as tokens carry them (RFC 7518): of ES256, r and s of 32 bytes each.
  bool Verifies(std::string_view text, std::string_view signature) const;

 private:
  PublicKey(std::shared_ptr<evp_pkey_st> key, std::string_view algorithm)
      : key_(std::move(key)), algorithm_(algorithm) {}

  std::shared_ptr<evp_pkey_st> key_;
  std::string_view algorithm_;
};

}  // namespace cairn::identity
