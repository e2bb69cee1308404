#include "domains/nexus/nexus.h"

#include <algorithm>
#include <array>

#include "base/base64url.h"
#include "base/check.h"
#include "base/temporal_text.h"
#include "rest/sha256.h"

namespace cairn::nexus {

std::string Nexus::NowText() const { return TextOf(clock_.Now()); }

Task<Result<bool>> Nexus::MayAct(std::string user_id) const {
  if (!may_act_) co_return true;
  co_return co_await may_act_(std::move(user_id));
}

std::string TextOf(Time time) {
  std::string text;
  AppendInstant(text, std::clamp(time, kTimeMin, kTimeMax));
  return text;
}

Time TimeOf(std::string_view instant) {
  const auto time = ParseInstant(instant);
  CHECK(time.has_value(), "stored moments are instants");
  return *time;
}

std::string PrefixedId(std::string_view prefix, std::string_view of_what, std::string_view use) {
  std::string hashed(use);
  hashed.append("\n").append(of_what);
  const auto bytes = DecodeBase64Url(rest::Sha256Text(hashed));
  CHECK(bytes && bytes->size() >= 16, "a hash is text of its bytes");
  std::array<unsigned char, 16> uuid;
  std::copy_n(bytes->begin(), uuid.size(), uuid.begin());
  uuid[6] = static_cast<unsigned char>((uuid[6] & 0x0F) | 0x80);  // version 8: made in a way of one's own
  uuid[8] = static_cast<unsigned char>((uuid[8] & 0x3F) | 0x80);
  std::string id(prefix);
  static constexpr char kHex[] = "0123456789abcdef";
  for (size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) id += '-';
    id += kHex[uuid[i] >> 4];
    id += kHex[uuid[i] & 0x0F];
  }
  return id;
}

}  // namespace cairn::nexus
