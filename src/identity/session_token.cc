#include "identity/session_token.h"

#include <charconv>

#include "base/base64url.h"
#include "base/check.h"
#include "rest/hmac.h"

namespace cairn::identity {
namespace {

constexpr size_t kTextBytesMax = 512;

std::string_view NameOf(SessionTokenPurpose purpose) {
  return purpose == SessionTokenPurpose::kCookie ? "cairn session cookie" : "cairn refresh token";
}

// The zero byte cannot be part of a name or of an id, so no two purposes sign the same bytes.
std::string Mac(std::string_view key, std::string_view purpose, std::string_view text) {
  std::string signed_text(purpose);
  signed_text += '\0';
  signed_text += text;
  return rest::HmacSha256(key, signed_text);
}

// The part behind the last dot, which is taken off; nothing without a dot.
std::optional<std::string_view> TakeLast(std::string_view& text) {
  const size_t dot = text.rfind('.');
  if (dot == text.npos) return std::nullopt;
  const std::string_view last = text.substr(dot + 1);
  text = text.substr(0, dot);
  return last;
}

}  // namespace

std::string SealSessionToken(std::string_view key, SessionTokenPurpose purpose, const SessionToken& token) {
  const std::string ids = token.user_id + "." + token.session_id;
  CHECK(ids.find('.') == ids.rfind('.'), "the ids of sessions have no dots");
  std::string text = ids + "." + std::to_string(token.generation);
  const std::string mac = EncodeBase64Url(Mac(key, NameOf(purpose), text));
  return text + "." + mac;
}

std::optional<SessionToken> OpenSessionToken(std::string_view key, SessionTokenPurpose purpose,
                                             std::string_view text) {
  if (text.size() > kTextBytesMax) return std::nullopt;
  const auto mac = TakeLast(text);
  const auto given = mac ? DecodeBase64Url(*mac) : std::nullopt;
  if (!given || !rest::EqualInConstantTime(*given, Mac(key, NameOf(purpose), text))) return std::nullopt;
  const auto generation = TakeLast(text);
  const auto session_id = TakeLast(text);
  CHECK(generation && session_id, "what carries this MAC was sealed here");
  SessionToken token{.user_id = std::string(text), .session_id = std::string(*session_id)};
  std::from_chars(generation->data(), generation->data() + generation->size(), token.generation);
  return token;
}

std::string CsrfToken(std::string_view key, std::string_view user_id, std::string_view session_id) {
  std::string ids(user_id);
  ids += '.';
  ids += session_id;
  return EncodeBase64Url(Mac(key, "cairn csrf token", ids));
}

}  // namespace cairn::identity
