#include "identity/token.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/base64url.h"
#include "base/check.h"
#include "base/json_text.h"
#include "identity/hmac.h"

namespace cairn::identity {
namespace {

using simdjson::dom::element;

constexpr std::string_view kHeader = R"({"alg":"HS256","typ":"JWT"})";
constexpr std::string_view kAlgorithm = "HS256";
constexpr auto kReserved = std::to_array<std::string_view>({"iss", "sub", "aud", "exp", "nbf", "iat", "jti"});
// The year 9999: beyond it the arithmetic of times would end before the token does.
constexpr int64_t kLatestSecond = 253'402'300'799;

std::unexpected<Error> Refuse(std::string why) {
  return Fail(Code::kUnauthenticated, "The token is not valid: " + std::move(why));
}

struct Parts {
  std::string_view header, payload, signature;
  std::string_view signed_text;
};

Result<Parts> Split(std::string_view token) {
  if (token.size() > kTokenBytesMax) return Refuse("it is too long");
  const size_t first = token.find('.');
  const size_t second = first == token.npos ? token.npos : token.find('.', first + 1);
  if (second == token.npos || token.find('.', second + 1) != token.npos) {
    return Refuse("it must have three parts with two dots between");
  }
  return Parts{.header = token.substr(0, first),
               .payload = token.substr(first + 1, second - first - 1),
               .signature = token.substr(second + 1),
               .signed_text = token.substr(0, second)};
}

Status CheckSignature(std::string_view key, const Parts& parts) {
  const auto given = DecodeBase64Url(parts.signature);
  if (!given) return Refuse("its signature is not base64url");
  if (!EqualInConstantTime(*given, HmacSha256(key, parts.signed_text)))
    return Refuse("its signature is wrong");
  return {};
}

// One object of a token: its members by name. Lives as long as the parser.
using Members = std::map<std::string_view, element>;

Result<Members> ReadObject(simdjson::dom::parser& parser, std::string_view encoded, std::string_view what) {
  const auto text = DecodeBase64Url(encoded);
  if (!text) return Refuse("its " + std::string(what) + " is not base64url");
  simdjson::dom::object object;
  if (parser.parse(*text).get_object().get(object) != simdjson::SUCCESS) {
    return Refuse("its " + std::string(what) + " is not a JSON object");
  }
  Members members;
  for (const auto& [name, value] : object) {
    if (!members.emplace(name, value).second)
      return Refuse("its " + std::string(what) + " has a member twice");
  }
  return members;
}

Result<std::optional<std::string>> Text(const Members& members, std::string_view name) {
  const auto found = members.find(name);
  if (found == members.end()) return std::nullopt;
  std::string_view text;
  if (found->second.get(text) != simdjson::SUCCESS) return Refuse(std::string(name) + " must be a text");
  return std::string(text);
}

Result<std::optional<int64_t>> Seconds(const Members& members, std::string_view name) {
  const auto found = members.find(name);
  if (found == members.end()) return std::nullopt;
  int64_t seconds = 0;
  if (found->second.get(seconds) != simdjson::SUCCESS || seconds < 0 || seconds > kLatestSecond) {
    return Refuse(std::string(name) + " must be a whole number of seconds");
  }
  return seconds;
}

Status CheckHeader(std::string_view encoded) {
  simdjson::dom::parser parser;
  ASSIGN_OR_RETURN(const Members members, ReadObject(parser, encoded, "header"));
  for (const auto& [name, value] : members) {
    if (name != "alg" && name != "typ") return Refuse("its header has a member other than alg and typ");
  }
  ASSIGN_OR_RETURN(const auto algorithm, Text(members, "alg"));
  if (algorithm != kAlgorithm) return Refuse("its algorithm is not HS256");
  ASSIGN_OR_RETURN(const auto type, Text(members, "typ"));
  if (type && *type != "JWT") return Refuse("its type is not JWT");
  return {};
}

Status CheckTimes(const Members& members, int64_t expires, Time now) {
  const int64_t now_seconds = EpochSeconds(now);
  const int64_t skew_seconds = kClockSkew.count();
  if (now_seconds > expires + skew_seconds) return Refuse("it has expired");
  for (const std::string_view name : {"nbf", "iat"}) {
    ASSIGN_OR_RETURN(const auto begins, Seconds(members, name));
    if (begins && *begins > now_seconds + skew_seconds) return Refuse("its time has not come yet");
  }
  return {};
}

Status CheckParties(const Members& members) {
  ASSIGN_OR_RETURN(const auto issuer, Text(members, "iss"));
  if (issuer != kIssuer) return Refuse("it was issued by someone else");
  ASSIGN_OR_RETURN(const auto audience, Text(members, "aud"));
  if (audience && *audience != kIssuer) return Refuse("it is meant for someone else");
  return {};
}

Result<Claims> ReadClaims(std::string_view encoded, Time now) {
  simdjson::dom::parser parser;
  ASSIGN_OR_RETURN(const Members members, ReadObject(parser, encoded, "payload"));
  RETURN_IF_ERROR(CheckParties(members));
  ASSIGN_OR_RETURN(const auto expires, Seconds(members, "exp"));
  if (!expires) return Refuse("it does not say when it ends");
  RETURN_IF_ERROR(CheckTimes(members, *expires, now));
  ASSIGN_OR_RETURN(auto subject, Text(members, "sub"));
  if (!subject || subject->empty()) return Refuse("it names no subject");
  ASSIGN_OR_RETURN(auto id, Text(members, "jti"));

  Claims claims{.subject = *std::move(subject),
                .others = {},
                .expires = Time(std::chrono::seconds(*expires)),
                .id = std::move(id).value_or("")};
  for (const auto& [name, value] : members) {
    std::string_view text;
    if (!IsReservedClaim(name) && value.get(text) == simdjson::SUCCESS) claims.others.emplace(name, text);
  }
  return claims;
}

void AppendMember(std::string& json, std::string_view name, std::string_view text) {
  AppendJsonString(json, name);
  json += ':';
  AppendJsonString(json, text);
  json += ',';
}

}  // namespace

bool IsReservedClaim(std::string_view name) { return std::ranges::find(kReserved, name) != kReserved.end(); }

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
  payload += R"("iat":)" + std::to_string(EpochSeconds(now));
  payload += R"(,"exp":)" + std::to_string(EpochSeconds(claims.expires)) + "}";

  std::string token = EncodeBase64Url(kHeader) + "." + EncodeBase64Url(payload);
  const std::string signature = HmacSha256(key, token);
  return token + "." + EncodeBase64Url(signature);
}

Result<Claims> VerifyToken(std::string_view key, std::string_view token, Time now) {
  ASSIGN_OR_RETURN(const Parts parts, Split(token));
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
