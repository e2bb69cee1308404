#include "identity/jwks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/base64url.h"
#include "identity/json_members.h"

namespace cairn::identity {
namespace {

constexpr size_t kKeysMax = 100;
constexpr size_t kKidBytesMax = 256;
// Members that only a secret key has. Whoever publishes them has lost it.
constexpr auto kSecretMembers =
    std::to_array<std::string_view>({"d", "p", "q", "dp", "dq", "qi", "oth", "k"});

std::optional<std::string> Decoded(const JsonMembers& key, std::string_view name) {
  const std::string* text = FindText(key, name);
  return text == nullptr ? std::nullopt : DecodeBase64Url(*text);
}

// What `name` says, if it is there at all, must be this.
bool SaysNothingElse(const JsonMembers& key, std::string_view name, std::string_view expected) {
  const std::string* text = FindText(key, name);
  return text == nullptr ? !key.contains(name) : *text == expected;
}

// `key_ops` (RFC 7517, 4.3), if it is there at all, must let others verify signatures, and say nothing twice.
bool IsForVerifying(const JsonMembers& key) {
  if (!key.contains("key_ops")) return true;
  const JsonTexts* operations = FindTexts(key, "key_ops");
  if (operations == nullptr) return false;
  const std::set<std::string_view> different(operations->begin(), operations->end());
  return different.size() == operations->size() && different.contains("verify");
}

std::optional<PublicKey> UsableKey(const JsonMembers& key) {
  const bool is_secret = std::ranges::any_of(kSecretMembers, [&](auto name) { return key.contains(name); });
  if (is_secret || !SaysNothingElse(key, "use", "sig") || !IsForVerifying(key)) return std::nullopt;
  const std::string* type = FindText(key, "kty");
  if (type == nullptr) return std::nullopt;
  if (*type == "RSA" && SaysNothingElse(key, "alg", "RS256")) {
    const auto modulus = Decoded(key, "n"), exponent = Decoded(key, "e");
    if (!modulus || !exponent) return std::nullopt;
    auto usable = PublicKey::Rsa(*modulus, *exponent);
    return usable ? std::optional(*std::move(usable)) : std::nullopt;
  }
  const std::string* curve = FindText(key, "crv");
  if (*type == "EC" && curve != nullptr && *curve == "P-256" && SaysNothingElse(key, "alg", "ES256")) {
    const auto x = Decoded(key, "x"), y = Decoded(key, "y");
    if (!x || !y) return std::nullopt;
    auto usable = PublicKey::P256(*x, *y);
    return usable ? std::optional(*std::move(usable)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Result<KeySet> ParseKeySet(std::string_view document) {
  const auto keys = ReadJsonObjects(document, "keys");
  if (!keys) {
    return Fail(Code::kMalformed,
                keys.error() == JsonFault::kMemberTwice
                    ? "the key set has a member twice"
                    : "the key set must be a JSON object with an array of objects called keys");
  }
  if (keys->size() > kKeysMax) return Fail(Code::kMalformed, "the key set has more than 100 keys");
  std::map<std::string_view, const JsonMembers*> by_kid;
  for (const JsonMembers& key : *keys) {
    const std::string* kid = FindText(key, "kid");
    if (kid == nullptr || kid->empty() || kid->size() > kKidBytesMax) continue;
    if (!by_kid.emplace(*kid, &key).second)
      return Fail(Code::kMalformed, "two keys of the key set have one kid");
  }
  KeySet usable;
  for (const auto& [kid, key] : by_kid) {
    if (auto found = UsableKey(*key)) usable.emplace(kid, *std::move(found));
  }
  if (usable.empty()) return Fail(Code::kMalformed, "the key set has no key that can be used");
  return usable;
}

}  // namespace cairn::identity
