// The routes of /api/nexus/settings and of the webhook.
#include "domains/nexus/api/convert.h"
#include "domains/nexus/api/endpoints.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/webhook.h"

namespace cairn::nexus {
namespace {

struct ColumnView {
  data::TaskStatus status{};
  std::string title;
  std::optional<int64_t> limit;
};
template <class Fields>
void Describe(Fields& fields, ColumnView& column) {
  fields.Name("BoardColumn");
  fields.Body("status", column.status);
  fields.Body("title", column.title, {.min = 1, .max = 60, .form = rest::Form::kTitle});
  fields.Body("limit", column.limit,
              {.min = 1, .max = 1'000, .doc = "Cards it should not exceed. The board warns only."});
}

struct DeliveryView {
  std::string at;
  data::DeliveryOutcome outcome{};
  std::optional<std::string> reason;
  std::string reminder_id;
  int64_t attempts = 0;
};
template <class Fields>
void Describe(Fields& fields, DeliveryView& delivery) {
  fields.Name("Delivery");
  fields.Body("at", delivery.at, kInstant);
  fields.Body("outcome", delivery.outcome, {.doc = "RETRYING: it is tried again, for a day at most."});
  fields.Body("reason", delivery.reason, {.doc = "Why it was not delivered."});
  fields.Body("reminderId", delivery.reminder_id, kId);
  fields.Body("attempts", delivery.attempts);
}
std::optional<DeliveryView> DeliveryViewOf(const std::optional<data::Delivery>& delivery) {
  if (!delivery) return {};
  return DeliveryView{.at = delivery->at,
                      .outcome = delivery->outcome,
                      .reason = delivery->reason,
                      .reminder_id = delivery->reminder_id,
                      .attempts = delivery->attempts};
}

struct SettingsView {
  std::string timezone;
  std::vector<ColumnView> columns;
  bool notify_email = false, has_feed = false;
  std::optional<std::string> feed_created_at, webhook_url, webhook_created_at;
  std::optional<DeliveryView> last_webhook, last_email;
  std::optional<bool> offers_webhook, offers_email;
  int64_t version = 0;
};
template <class Fields>
void Describe(Fields& fields, SettingsView& settings) {
  fields.Name("NexusSettings");
  fields.Body("timezone", settings.timezone, {.kind = Kind::kTimeZone, .doc = "Where floating times are."});
  fields.Body("columns", settings.columns, {.doc = "Of the board, from left to right."});
  fields.Body("notifyEmail", settings.notify_email,
              {.doc = "Reminders also go to the account's e-mail address."});
  fields.Body("hasFeed", settings.has_feed, {.doc = "There is a secret address of the calendar."});
  fields.Body("feedCreatedAt", settings.feed_created_at, kInstant);
  fields.Body("webhookUrl", settings.webhook_url,
              {.max = 2'000, .doc = "Where reminders are posted when they fire."});
  fields.Body("webhookCreatedAt", settings.webhook_created_at, kInstant);
  fields.Body("lastWebhook", settings.last_webhook, {.doc = "What became of the last one posted."});
  fields.Body("lastEmail", settings.last_email, {.doc = "What became of the last one by e-mail."});
  fields.Body("offersWebhook", settings.offers_webhook,
              {.doc = "This server posts to webhooks. Said when settings are read, not when they change."});
  fields.Body("offersEmail", settings.offers_email, {.doc = "This server sends e-mails. As offersWebhook."});
  fields.Body("version", settings.version, {.doc = "0: nothing was ever set."});
}

SettingsView ViewOf(const Settings& settings) {
  SettingsView view{.timezone = settings.timezone.value_or("UTC"),
                    .columns = {},
                    .notify_email = settings.notify_email.value_or(false),
                    .has_feed = settings.feed_hash.has_value(),
                    .feed_created_at = settings.feed_created_at,
                    .webhook_url = settings.webhook_url,
                    .webhook_created_at = settings.webhook_created_at,
                    .last_webhook = DeliveryViewOf(settings.last_webhook),
                    .last_email = DeliveryViewOf(settings.last_email),
                    .offers_webhook = {},
                    .offers_email = {},
                    .version = settings.version.value_or(0)};
  for (const data::Column& column : *settings.columns)
    view.columns.push_back({.status = column.status, .title = column.title, .limit = column.limit});
  return view;
}

struct SettingsRequest {
  std::optional<std::string> timezone;
  std::optional<std::vector<ColumnView>> columns;
  std::optional<bool> notify_email;
};
template <class Fields>
void Describe(Fields& fields, SettingsRequest& request) {
  fields.Body("timezone", request.timezone, {.kind = Kind::kTimeZone});
  fields.Body("columns", request.columns, {.min = 1, .max = 20});
  fields.Body("notifyEmail", request.notify_email);
}

Task<rest::Reply<SettingsView>> GetSettings(Nexus& nexus, rest::Call& call, NoFields) {
  Work work(nexus, call.caller());
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return Refused(settings.error(), call);
  SettingsView view = ViewOf(*settings);
  view.offers_webhook = nexus.HasWebhooks();
  view.offers_email = nexus.HasMail();
  co_return rest::Answered<SettingsView>{.body = std::move(view),
                                         .etag = TagOf(settings->version.value_or(0))};
}

Task<rest::Reply<SettingsView>> PatchSettings(Nexus& nexus, rest::Call& call, SettingsRequest request) {
  ChangeSettings changes{.timezone = request.timezone, .columns = {}, .notify_email = request.notify_email};
  if (request.columns) {
    changes.columns.emplace();
    for (ColumnView& column : *request.columns)
      changes.columns->push_back(
          {.status = column.status, .title = std::move(column.title), .limit = column.limit});
  }
  co_return co_await Finish(
      ApplySettings(nexus, call.caller(), std::move(changes), SeenOf(call), WitnessOf(call, &ViewOf)), call,
      &ViewOf);
}

// ---- the webhook

struct WebhookRequest {
  std::string url;
};
template <class Fields>
void Describe(Fields& fields, WebhookRequest& request) {
  fields.Body("url", request.url, {.min = 1, .max = 2'000, .doc = "https://"});
}

struct WebhookAnswer {
  std::string url, secret, created_at;
};
template <class Fields>
void Describe(Fields& fields, WebhookAnswer& answer) {
  fields.Name("Webhook");
  fields.Body("url", answer.url, {.max = 2'000});
  fields.Body("secret", answer.secret,
              {.doc = "Posts are signed with it (Cairn-Signature); told this once."});
  fields.Body("createdAt", answer.created_at, kInstant);
}

Task<rest::Reply<WebhookAnswer>> PostWebhook(Nexus& nexus, rest::Call& call, WebhookRequest request) {
  auto webhook = co_await NameWebhook(nexus, call.caller(), std::move(request.url));
  if (!webhook) co_return Refused(webhook.error(), call);
  co_return rest::Answer(
      WebhookAnswer{.url = webhook->url, .secret = webhook->secret, .created_at = webhook->created_at});
}

Task<rest::Reply<rest::Nothing>> DeleteWebhook(Nexus& nexus, rest::Call& call, NoFields) {
  co_return co_await Finish(RemoveWebhook(nexus, call.caller()), call);
}

}  // namespace

// clang-format off
std::vector<rest::Endpoint> SettingsEndpoints(Nexus& nexus) {
  rest::EndpointInfo changing = Changing("PATCH", "/api/nexus/settings", "changeNexusSettings", "Zone, columns of the board");
  changing.needs_if_match = false;  // nobody must read them first to set a zone
  rest::EndpointInfo name = Creating("/api/nexus/webhook", "nameWebhook", "Where reminders are posted when they fire, with a new secret");
  name.has_etag = false;
  name.keeps_receipt = false;  // the answer holds a secret, which is kept nowhere
  rest::EndpointInfo remove = Reading("/api/nexus/webhook", "removeWebhook", "Reminders are posted no more");
  remove.method = "DELETE";
  remove.status = 204;
  return {
    Route(nexus, ReadingOne("/api/nexus/settings", "readNexusSettings", "Zone, columns of the board"), &GetSettings),
    Route(nexus, changing, &PatchSettings),
    Route(nexus, name, &PostWebhook),
    Route(nexus, remove, &DeleteWebhook),
  };
}
// clang-format on

}  // namespace cairn::nexus
