#include "domains/nexus/webhook_signature.h"

#include "base/base64url.h"
#include "rest/hmac.h"

namespace cairn::nexus {

std::string WebhookSecret(std::string_view webhook_key, std::string_view user_id, std::string_view salt) {
  std::string text(salt);
  text.append("\n").append(user_id);
  return "whsec_" + EncodeBase64Url(rest::HmacSha256(webhook_key, text));
}

std::string WebhookSignature(std::string_view secret, Time now, std::string_view body) {
  static constexpr char kHex[] = "0123456789abcdef";
  const std::string at = std::to_string(EpochSeconds(now));
  std::string hex;
  for (const char byte : rest::HmacSha256(secret, (at + ".").append(body))) {
    hex += kHex[static_cast<unsigned char>(byte) >> 4];
    hex += kHex[static_cast<unsigned char>(byte) & 15];
  }
  return "t=" + at + ",v1=" + hex;
}

}  // namespace cairn::nexus
