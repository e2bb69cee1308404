// The credentials file of `cairn serve --credentials`: access keys, their secrets, and what limits them.
//
//   {"credentials": [{"accessKeyId": "..", "secretAccessKey": ".."},
//                    {"accessKeyId": "..", "secretAccessKey": "..", "tables": ["App"],
//                     "user": "alice", "leadingKeys": ["U#${user}", "U#${user}#*"], "indexes": ["GSI1"],
//                     "access": "read", "actions": ["GetItem", "Query"]}]}
//
// docs/credentials.md is the description for operators. Reading the file itself is the server's part.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dynamodb/leading_keys.h"

namespace cairn::dynamodb {

struct Credential {
  std::string secret_access_key;
  std::optional<LeadingKeys> limits = std::nullopt;  // none: may do everything
};

// By access key id. Empty: signatures are not verified.
using Credentials = std::map<std::string, Credential, std::less<>>;

// Errors name `source` (a file name) and the entry, and never contain a secret. A member that is unknown or
// comes twice is an error: a misspelt limit must not make an access key that may do everything.
Result<Credentials> LoadCredentials(std::string_view text, std::string_view source);

}  // namespace cairn::dynamodb
