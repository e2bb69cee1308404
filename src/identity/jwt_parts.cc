#include "identity/jwt_parts.h"

#include "base/base64url.h"

namespace cairn::identity {
namespace {

// The year 9999: beyond it the arithmetic of times would end before the token does.
constexpr int64_t kLatestSecond = 253'402'300'799;

Result<std::optional<int64_t>> Seconds(const JsonMembers& members, std::string_view name) {
  const auto found = members.find(name);
  if (found == members.end()) return std::nullopt;
  const int64_t* seconds = std::get_if<int64_t>(&found->second);
  if (seconds == nullptr || *seconds < 0 || *seconds > kLatestSecond) {
    return RefuseToken(std::string(name) + " must be a whole number of seconds");
  }
  return *seconds;
}

}  // namespace

std::unexpected<Error> RefuseToken(std::string why) {
  return Fail(Code::kUnauthenticated, "The token is not valid: " + std::move(why));
}

Result<JwtParts> SplitJwt(std::string_view token, size_t bytes_max) {
  if (token.size() > bytes_max) return RefuseToken("it is too long");
  const size_t first = token.find('.');
  const size_t second = first == token.npos ? token.npos : token.find('.', first + 1);
  if (second == token.npos || token.find('.', second + 1) != token.npos) {
    return RefuseToken("it must have three parts with two dots between");
  }
  return JwtParts{.header = token.substr(0, first),
                  .payload = token.substr(first + 1, second - first - 1),
                  .signature = token.substr(second + 1),
                  .signed_text = token.substr(0, second)};
}

Result<JsonMembers> ReadJwtObject(std::string_view encoded, std::string_view what) {
  const auto text = DecodeBase64Url(encoded);
  if (!text) return RefuseToken("its " + std::string(what) + " is not base64url");
  auto members = ReadJsonObject(*text);
  if (members) return *std::move(members);
  const bool twice = members.error() == JsonFault::kMemberTwice;
  return RefuseToken("its " + std::string(what) + (twice ? " has a member twice" : " is not a JSON object"));
}

Result<std::optional<std::string>> JwtText(const JsonMembers& members, std::string_view name) {
  const auto found = members.find(name);
  if (found == members.end()) return std::nullopt;
  const std::string* text = std::get_if<std::string>(&found->second);
  if (text == nullptr) return RefuseToken(std::string(name) + " must be a text");
  return *text;
}

Result<Time> CheckJwtTimes(const JsonMembers& payload, Time now) {
  ASSIGN_OR_RETURN(const auto expires, Seconds(payload, "exp"));
  if (!expires) return RefuseToken("it does not say when it ends");
  const int64_t now_seconds = EpochSeconds(now);
  const int64_t skew_seconds = kClockSkew.count();
  if (now_seconds > *expires + skew_seconds) return RefuseToken("it has expired");
  for (const std::string_view name : {"nbf", "iat"}) {
    ASSIGN_OR_RETURN(const auto begins, Seconds(payload, name));
    if (begins && *begins > now_seconds + skew_seconds) return RefuseToken("its time has not come yet");
  }
  return Time(std::chrono::seconds(*expires));
}

}  // namespace cairn::identity
