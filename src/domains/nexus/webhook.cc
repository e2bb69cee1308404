#include "domains/nexus/webhook.h"

#include "base/base64url.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/webhook_signature.h"

namespace cairn::nexus {
namespace {

std::string NewSalt(Random& random) {
  std::string bytes;
  for (const uint64_t word : {random.Next(), random.Next()}) {
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift);
  }
  return EncodeBase64Url(bytes);
}

struct WebhookSettings {
  std::optional<std::string> url, salt, created_at;
};

Task<Decision<void>> ChangeWebhook(Nexus& nexus, const model::Caller& caller,
                                   const WebhookSettings& webhook) {
  for (int attempt = 1;; ++attempt) {
    Work work(nexus, caller);
    auto settings = co_await ReadSettings(work);
    if (!settings) co_return std::unexpected(std::move(settings).error());
    if (!webhook.url && !settings->webhook_url) co_return Decision<void>();
    settings->webhook_url = webhook.url;
    settings->webhook_salt = webhook.salt;
    settings->webhook_created_at = webhook.created_at;
    settings->last_webhook.reset();
    auto staged = StageSettings(work, *std::move(settings));
    if (!staged) co_return std::unexpected(std::move(staged).error());
    auto committed = co_await work.Commit();
    if (committed || attempt == kAttemptsMax || !IsWorthAnotherTry(committed.error(), {}))
      co_return committed;
  }
}

}  // namespace

Task<Decision<Webhook>> NameWebhook(Nexus& nexus, model::Caller caller, std::string url) {
  if (!nexus.HasWebhooks())
    co_return RefuseField("url", "cannot be set: the operator of this server has not allowed webhooks");
  if (auto checked = nexus.delivery().courier->CheckWebhookUrl(url); !checked)
    co_return RefuseField("url", checked.error().message);
  const WebhookSettings webhook{.url = url, .salt = NewSalt(nexus.random()), .created_at = nexus.NowText()};
  auto changed = co_await ChangeWebhook(nexus, caller, webhook);
  if (!changed) co_return std::unexpected(std::move(changed).error());
  co_return Webhook{
      .url = std::move(url),
      .secret = WebhookSecret(nexus.delivery().webhook_key, *caller.Claim("sub"), *webhook.salt),
      .created_at = *webhook.created_at};
}

Task<Decision<void>> RemoveWebhook(Nexus& nexus, model::Caller caller) {
  const WebhookSettings nothing;
  co_return co_await ChangeWebhook(nexus, caller, nothing);
}

}  // namespace cairn::nexus
