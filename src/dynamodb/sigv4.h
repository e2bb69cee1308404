// AWS Signature Version 4: who signed a request, and whether the signature holds.
//
// Verification follows AWS's published algorithm; messages are AWS's own. Used by dispatch.cc only.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "dynamodb/credentials_file.h"
#include "http/http.h"

namespace cairn::dynamodb {

struct Caller {
  std::string access_key_id;
  std::string region;
  const LeadingKeys* limits = nullptr;  // of the credential, which outlives the caller; null: none
};

// What a signature says about itself: the pieces of the Authorization header.
struct Signature {
  std::string_view access_key_id;
  std::string_view date;  // YYYYMMDD, the credential's scope
  std::string_view region;
  std::string_view service;
  std::string_view terminator;      // "aws4_request"
  std::string_view signed_headers;  // "host;x-amz-date"
  std::string_view signature;       // hexadecimal
};

// The text that is hashed and signed: method, path, query, signed headers, body hash, each in canonical form.
std::string CanonicalRequest(const http::Request& request, std::string_view signed_headers);
// The signature of a canonical request, hexadecimal. `timestamp` is the X-Amz-Date; of `scope` only date,
// region, service and terminator are used.
std::string Sign(std::string_view canonical_request, std::string_view timestamp, const Signature& scope,
                 std::string_view secret_access_key);

// The caller of a request, from its Authorization header or its presigned query. Fails with kUnauthenticated,
// kIncompleteSignature, kUnknownCredential or kInvalidSignature. With credentials, only a verified header
// signature passes; without, a well-formed header or query is enough.
Result<Caller> Authenticate(const http::Request& request, const Credentials& credentials, Time now);
// The same as far as it can be told before the body is there: everything but whether the signature holds.
Result<Caller> AuthenticateHead(const http::Request& head, const Credentials& credentials, Time now);

}  // namespace cairn::dynamodb
