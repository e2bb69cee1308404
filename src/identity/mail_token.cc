#include "identity/mail_token.h"

#include <charconv>
#include <vector>

#include "base/base64url.h"
#include "base/check.h"
#include "rest/hmac.h"

namespace cairn::identity {
namespace {

using models::platform::User;

constexpr size_t kTextBytesMax = 512;
constexpr std::string_view kPurposes = "vcr";  // in the order of MailPurpose

// Everything whose change must end the token. No part has a zero byte.
std::string BoundTo(MailPurpose purpose, const User& user) {
  std::string text = user.email;
  if (purpose == MailPurpose::kChange) text.append(1, '\0').append(user.pending_email.value_or(""));
  if (purpose != MailPurpose::kVerify) text.append(1, '\0').append(user.password_hash.value_or(""));
  return text;
}

std::string Mac(std::string_view key, MailPurpose purpose, std::string_view said, const User& user) {
  std::string text("cairn mail token");
  text.append(1, '\0').append(said).append(1, '\0').append(BoundTo(purpose, user));
  return EncodeBase64Url(rest::HmacSha256(key, text));
}

}  // namespace

std::string SealMailToken(std::string_view key, const MailToken& token, const User& user) {
  CHECK(token.user_id.find('.') == token.user_id.npos, "ids of accounts have no dots");
  const auto seconds = std::chrono::floor<std::chrono::seconds>(token.expires.time_since_epoch()).count();
  std::string said(1, kPurposes[static_cast<size_t>(token.purpose)]);
  said += "." + token.user_id + "." + std::to_string(seconds);
  return said + "." + Mac(key, token.purpose, said, user);
}

std::optional<MailToken> ReadMailToken(std::string_view text) {
  if (text.size() > kTextBytesMax) return std::nullopt;
  std::vector<std::string_view> parts;
  for (std::string_view rest = text;;) {
    const size_t dot = rest.find('.');
    parts.push_back(rest.substr(0, dot));
    if (dot == rest.npos) break;
    rest.remove_prefix(dot + 1);
  }
  if (parts.size() != 4 || parts[0].size() != 1 || parts[1].empty()) return std::nullopt;
  const size_t purpose = kPurposes.find(parts[0]);
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), seconds);
  const bool is_moment = error == std::errc() && end == parts[2].data() + parts[2].size() && seconds >= 0 &&
                         parts[2].size() <= 11;
  if (purpose == kPurposes.npos || !is_moment) return std::nullopt;
  return MailToken{.purpose = static_cast<MailPurpose>(purpose),
                   .user_id = std::string(parts[1]),
                   .expires = Time(std::chrono::seconds(seconds))};
}

bool IsMailTokenFor(std::string_view key, std::string_view text, const User& user, Time now) {
  const auto token = ReadMailToken(text);
  if (!token || token->user_id != user.user_id || now >= token->expires) return false;
  return rest::EqualInConstantTime(text, SealMailToken(key, *token, user));
}

}  // namespace cairn::identity
