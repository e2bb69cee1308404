// ExternalIssuers: the other issuers whose tokens we take (an identity provider such as Amazon Cognito), each
// with its keys. Used by Authenticator.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"
#include "identity/external_token.h"
#include "identity/issuer_keys.h"

namespace cairn::identity {

class ExternalIssuers {
 public:
  // Fails when a configuration is incomplete, names an address we would not fetch from, or an issuer twice.
  // Reads nothing yet.
  static Result<std::unique_ptr<ExternalIssuers>> Create(const std::vector<ExternalIssuer>& issuers,
                                                         const Clock& clock);
  ~ExternalIssuers();

  // The verified claims; nothing when the token is of none of these issuers. Fails with kUnauthenticated.
  Task<Result<std::optional<Claims>>> Verify(std::string token);

 private:
  struct Trusted;
  explicit ExternalIssuers(const Clock& clock);

  const Clock& clock_;
  std::map<std::string, std::unique_ptr<Trusted>, std::less<>> by_issuer_;
};

}  // namespace cairn::identity
