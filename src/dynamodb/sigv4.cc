#include "dynamodb/sigv4.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <optional>
#include <vector>

#include "base/utf8.h"
#include "dynamodb/canonical_text.h"
#include "dynamodb/sha256.h"

namespace cairn::dynamodb {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kService = "dynamodb";
constexpr std::string_view kTerminator = "aws4_request";
constexpr std::chrono::minutes kSkewMax{5};

std::string Hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    text += kDigits[static_cast<uint8_t>(c) >> 4];
    text += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return text;
}

std::string_view TakeField(std::string_view& text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return field;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// KEYID/DATE/REGION/SERVICE/TERMINATOR. A key id may itself not contain a slash.
Result<Signature> ReadCredential(std::string_view credential) {
  Signature signature;
  std::string_view rest = credential;
  signature.access_key_id = TakeField(rest, '/');
  signature.date = TakeField(rest, '/');
  signature.region = TakeField(rest, '/');
  signature.service = TakeField(rest, '/');
  signature.terminator = TakeField(rest, '/');
  // The region becomes part of ARNs, which must be text.
  if (!rest.empty() || signature.terminator.empty() || !IsUtf8(signature.region)) {
    return Fail(Code::kIncompleteSignature,
                "Credential must have exactly 5 slash-delimited elements, e.g. "
                "keyid/date/region/service/term, got '" +
                    std::string(credential) + "'");
  }
  return signature;
}

// The Authorization header's parameters; absent ones stay empty.
struct HeaderParameters {
  std::string_view algorithm, credential, signed_headers, signature;
};

HeaderParameters SplitAuthorization(std::string_view header) {
  HeaderParameters parameters;
  std::string_view rest = Trim(header);
  parameters.algorithm = TakeField(rest, ' ');
  while (!rest.empty()) {
    // AWS's clients separate with ", ", but a space or a comma alone also occurs.
    size_t end = 0;
    while (end < rest.size() && rest[end] != ',' && rest[end] != ' ') ++end;
    std::string_view field = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string_view name = TakeField(field, '=');
    if (name == "Credential") parameters.credential = field;
    if (name == "SignedHeaders") parameters.signed_headers = field;
    if (name == "Signature") parameters.signature = field;
  }
  return parameters;
}

std::string_view Timestamp(const http::Request& request) {
  const std::string_view amz_date = request.Header("x-amz-date");
  return amz_date.empty() ? request.Header("date") : amz_date;
}

Result<Signature> ReadAuthorization(const http::Request& request, std::string_view header) {
  const HeaderParameters parameters = SplitAuthorization(header);
  std::string missing;
  const auto require = [&missing](std::string_view value, std::string_view name) {
    if (value.empty()) missing.append("Authorization header requires '").append(name).append("' parameter. ");
  };
  require(parameters.credential, "Credential");
  require(parameters.signature, "Signature");
  require(parameters.signed_headers, "SignedHeaders");
  if (Timestamp(request).empty()) {
    missing += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  }
  if (!missing.empty()) {
    return Fail(Code::kIncompleteSignature, missing.append("Authorization=").append(header));
  }
  if (parameters.algorithm != kAlgorithm) {
    return Fail(Code::kIncompleteSignature, "Unsupported AWS 'algorithm': '" +
                                                std::string(parameters.algorithm) +
                                                "' (only AWS4-HMAC-SHA256 for now). ");
  }
  ASSIGN_OR_RETURN(Signature signature, ReadCredential(parameters.credential));
  signature.signed_headers = parameters.signed_headers;
  signature.signature = parameters.signature;
  return signature;
}

// A presigned URL: the same pieces as query parameters. Returns the caller; nothing of it can be a view,
// since the query is percent-encoded.
Result<Caller> ReadPresigned(const QueryParameters& query) {
  std::string missing;
  for (const std::string_view name :
       {"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"}) {
    const std::string* value = FindParameter(query, name);
    if (value == nullptr || value->empty()) {
      missing.append("AWS query-string parameters must include '").append(name).append("'. ");
    }
  }
  if (!missing.empty()) {
    return Fail(Code::kIncompleteSignature, missing + "Re-examine the query-string parameters.");
  }
  ASSIGN_OR_RETURN(const Signature signature, ReadCredential(*FindParameter(query, "X-Amz-Credential")));
  return Caller{std::string(signature.access_key_id), std::string(signature.region)};
}

// "20150830T123600Z"
std::string BasicIso(Time time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  char text[40];
  std::snprintf(text, sizeof text, "%04d%02u%02uT%02d%02d%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

std::optional<Time> ParseBasicIso(std::string_view text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') return std::nullopt;
  const auto number = [text](size_t offset, size_t digits) {
    int value = -1;
    const char* begin = text.data() + offset;
    const auto [end, error] = std::from_chars(begin, begin + digits, value);
    return error == std::errc() && end == begin + digits ? value : -1;
  };
  const int year = number(0, 4), month = number(4, 2), day = number(6, 2);
  const int hours = number(9, 2), minutes = number(11, 2), seconds = number(13, 2);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (year < 0 || !date.ok() || hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 ||
      seconds > 59) {
    return std::nullopt;
  }
  return std::chrono::sys_days(date) + std::chrono::hours(hours) + std::chrono::minutes(minutes) +
         std::chrono::seconds(seconds);
}

Status CheckTimestamp(std::string_view timestamp, Time now) {
  const auto time = ParseBasicIso(timestamp);
  if (!time) {
    return Fail(Code::kIncompleteSignature, "Date must be in ISO-8601 'basic format'. Got '" +
                                                std::string(timestamp) +
                                                "'. See http://en.wikipedia.org/wiki/ISO_8601");
  }
  const std::string minutes = std::to_string(kSkewMax.count());
  if (*time < now - kSkewMax) {
    return Fail(Code::kInvalidSignature, "Signature expired: " + std::string(timestamp) +
                                             " is now earlier than " + BasicIso(now - kSkewMax) + " (" +
                                             BasicIso(now) + " - " + minutes + " min.)");
  }
  if (*time > now + kSkewMax) {
    return Fail(Code::kInvalidSignature, "Signature not yet current: " + std::string(timestamp) +
                                             " is still later than " + BasicIso(now + kSkewMax) + " (" +
                                             BasicIso(now) + " + " + minutes + " min.)");
  }
  return {};
}

bool IsSigned(std::string_view signed_headers, std::string_view name) {
  while (!signed_headers.empty()) {
    if (TakeField(signed_headers, ';') == name) return true;
  }
  return false;
}

// Without these under the signature, a signed request could be sent elsewhere, later, or as another
// operation.
Status CheckSignedHeaders(const http::Request& request, std::string_view signed_headers) {
  struct Required {
    std::string_view name, shown;
  };
  const Required date =
      request.Header("x-amz-date").empty() ? Required{"date", "Date"} : Required{"x-amz-date", "X-Amz-Date"};
  for (const Required& required :
       {Required{"host", "Host"}, date, Required{"x-amz-target", "X-Amz-Target"}}) {
    if (IsSigned(signed_headers, required.name)) continue;
    return Fail(Code::kInvalidSignature,
                "'" + std::string(required.shown) + "' must be a 'SignedHeader' in the AWS Authorization.");
  }
  return {};
}

Status CheckScope(const Signature& scope, std::string_view timestamp) {
  std::string wrong;
  if (scope.region.empty()) wrong += "Credential should be scoped to a valid region, not ''. ";
  if (scope.service != kService) wrong += "Credential should be scoped to correct service: 'dynamodb'. ";
  if (scope.terminator != kTerminator) {
    wrong.append("Credential should be scoped with a valid terminator: 'aws4_request', not '")
        .append(scope.terminator)
        .append("'. ");
  }
  if (scope.date != timestamp.substr(0, 8)) {
    wrong
        .append("Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '")
        .append(scope.date)
        .append("' != '")
        .append(timestamp.substr(0, 8))
        .append("', from '")
        .append(timestamp)
        .append("'. ");
  }
  if (wrong.empty()) return {};
  wrong.pop_back();
  return Fail(Code::kInvalidSignature, std::move(wrong));
}

bool SameSecretText(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

// The credential the request says it was signed with.
Result<const Credential*> FindCredential(const http::Request& request, const Signature& signature,
                                         const Credentials& credentials, Time now) {
  const std::string_view timestamp = Timestamp(request);
  RETURN_IF_ERROR(CheckTimestamp(timestamp, now));
  RETURN_IF_ERROR(CheckSignedHeaders(request, signature.signed_headers));
  RETURN_IF_ERROR(CheckScope(signature, timestamp));
  const auto known = credentials.find(signature.access_key_id);
  // The credentials here are permanent ones, which never come with a session token.
  if (known == credentials.end() || !request.Header("x-amz-security-token").empty()) {
    return Fail(Code::kUnknownCredential, "The security token included in the request is invalid.");
  }
  return &known->second;
}

// The credential the request was signed with.
Result<const Credential*> Verify(const http::Request& request, const Signature& signature,
                                 const Credentials& credentials, Time now) {
  const std::string_view timestamp = Timestamp(request);
  ASSIGN_OR_RETURN(const Credential* known, FindCredential(request, signature, credentials, now));
  const Credential& credential = *known;
  const std::string canonical = CanonicalRequest(request, signature.signed_headers);
  const std::string expected = Sign(canonical, timestamp, signature, credential.secret_access_key);
  if (!SameSecretText(expected, signature.signature)) {
    return Fail(
        Code::kInvalidSignature,
        "The request signature we calculated does not match the signature you provided. Check your AWS "
        "Secret Access Key and signing method. Consult the service documentation for details.");
  }
  return &credential;
}

}  // namespace

std::string CanonicalRequest(const http::Request& request, std::string_view signed_headers) {
  std::string text(request.method);
  text.append("\n").append(CanonicalPath(request.path()));
  text.append("\n").append(CanonicalQuery(request.query())).append("\n");
  for (std::string_view rest = signed_headers; !rest.empty();) {
    const std::string_view name = TakeField(rest, ';');
    text.append(name).append(":").append(CanonicalHeaderValue(request, name)).append("\n");
  }
  return text.append("\n").append(signed_headers).append("\n").append(Hex(Sha256(request.wire_body)));
}

std::string Sign(std::string_view canonical_request, std::string_view timestamp, const Signature& scope,
                 std::string_view secret_access_key) {
  std::string to_sign(kAlgorithm);
  to_sign.append("\n").append(timestamp).append("\n");
  to_sign.append(scope.date).append("/").append(scope.region).append("/").append(scope.service).append("/");
  to_sign.append(scope.terminator).append("\n").append(Hex(Sha256(canonical_request)));
  std::string key = HmacSha256("AWS4" + std::string(secret_access_key), scope.date);
  for (const std::string_view part : {scope.region, scope.service, scope.terminator})
    key = HmacSha256(key, part);
  return Hex(HmacSha256(key, to_sign));
}

namespace {

using CheckCredential = Result<const Credential*>(const http::Request& request, const Signature& signature,
                                                  const Credentials& credentials, Time now);

Result<Caller> FindCaller(const http::Request& request, const Credentials& credentials, Time now,
                          CheckCredential& check) {
  if (!request.repeated_field.empty()) {
    return Fail(Code::kInvalidSignature,
                "The field " + std::string(request.repeated_field) + " is given more than once.");
  }
  const std::string_view header = request.Header("authorization");
  // Most requests have no query at all.
  const QueryParameters query = request.query().empty() ? QueryParameters() : DecodeQuery(request.query());
  const bool presigned = FindParameter(query, "X-Amz-Algorithm") != nullptr;
  if (!header.empty() && presigned) {
    return Fail(Code::kInvalidSignature,
                "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  }
  if (presigned && credentials.empty()) return ReadPresigned(query);
  if (!Trim(header).starts_with("AWS4-")) {
    return Fail(Code::kUnauthenticated, "Request is missing Authentication Token");
  }
  ASSIGN_OR_RETURN(const Signature signature, ReadAuthorization(request, header));
  Caller caller{std::string(signature.access_key_id), std::string(signature.region)};
  if (!credentials.empty()) {
    ASSIGN_OR_RETURN(const Credential* credential, check(request, signature, credentials, now));
    if (credential->limits) caller.limits = &*credential->limits;
  }
  return caller;
}

}  // namespace

Result<Caller> Authenticate(const http::Request& request, const Credentials& credentials, Time now) {
  return FindCaller(request, credentials, now, Verify);
}

Result<Caller> AuthenticateHead(const http::Request& head, const Credentials& credentials, Time now) {
  return FindCaller(head, credentials, now, FindCredential);
}

}  // namespace cairn::dynamodb
