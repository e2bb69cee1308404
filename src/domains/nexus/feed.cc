#include "domains/nexus/feed.h"

#include <functional>

#include "base/base64url.h"
#include "domains/nexus/settings.h"
#include "model/value_type.h"
#include "rest/sha256.h"

namespace cairn::nexus {
namespace {

constexpr size_t kSecretWords = 4;  // of 64 bits
constexpr size_t kUserIdBytesMax = 256;

std::string NewSecret(Random& random) {
  std::string bytes;
  for (size_t i = 0; i < kSecretWords; ++i) {
    const uint64_t word = random.Next();
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift);
  }
  return EncodeBase64Url(bytes);
}

std::string HashOf(const std::string& secret) { return rest::Sha256Text("nexus-feed\n" + secret); }

// Takes as long wherever the texts differ.
bool IsEqual(std::string_view a, std::string_view b) {
  volatile unsigned char differs = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    differs = static_cast<unsigned char>(differs | (a[i] ^ b[i]));
  return differs == 0;
}

bool IsUserId(const std::string& text) {
  static const model::ValueType kId{.kind = model::Kind::kId};
  item::AttributeValue value(text);
  return !text.empty() && text.size() <= kUserIdBytesMax && model::CheckValue(kId, {}, value).has_value();
}

std::unexpected<Refusal> NoFeed() { return RefuseUnknown("There is no calendar at this address"); }

Task<Decision<void>> ChangeFeedSettings(Nexus& nexus, const model::Caller& caller,
                                        const std::optional<std::string>& hash,
                                        const std::optional<std::string>& created_at) {
  for (int attempt = 1;; ++attempt) {
    Work work(nexus, caller);
    auto settings = co_await ReadSettings(work);
    if (!settings) co_return std::unexpected(std::move(settings).error());
    if (!hash && !settings->feed_hash) co_return Decision<void>();
    settings->feed_hash = hash;
    settings->feed_created_at = created_at;
    auto staged = StageSettings(work, *std::move(settings));
    if (!staged) co_return std::unexpected(std::move(staged).error());
    auto committed = co_await work.Commit();
    if (committed || attempt == kAttemptsMax || !IsWorthAnotherTry(committed.error(), {}))
      co_return committed;
  }
}

}  // namespace

Task<Decision<Feed>> RenewFeed(Nexus& nexus, model::Caller caller) {
  const std::string secret = NewSecret(nexus.random());
  Feed feed{.token = EncodeBase64Url(*caller.Claim("sub")) + "." + secret, .created_at = nexus.NowText()};
  const std::optional<std::string> hash = HashOf(secret), created_at = feed.created_at;
  auto changed = co_await ChangeFeedSettings(nexus, caller, hash, created_at);
  if (!changed) co_return std::unexpected(std::move(changed).error());
  co_return feed;
}

Task<Decision<void>> RevokeFeed(Nexus& nexus, model::Caller caller) {
  const std::optional<std::string> nothing;
  co_return co_await ChangeFeedSettings(nexus, caller, nothing, nothing);
}

Task<Decision<model::Caller>> OpenFeed(Nexus& nexus, std::string token) {
  const size_t dot = token.find('.');
  if (dot == std::string::npos) co_return NoFeed();
  const auto user_id = DecodeBase64Url(std::string_view(token).substr(0, dot));
  if (!user_id || !IsUserId(*user_id)) co_return NoFeed();
  const std::string hash = HashOf(token.substr(dot + 1));
  model::Caller caller = model::Caller::User({{"sub", *user_id}});
  Work work(nexus, caller);
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  if (!IsEqual(hash, settings->feed_hash.value_or(""))) co_return NoFeed();
  const auto may_act = co_await nexus.MayAct(*user_id);
  if (!may_act) co_return std::unexpected(Refusal(may_act.error()));
  if (!*may_act) co_return NoFeed();
  co_return caller;
}

}  // namespace cairn::nexus
