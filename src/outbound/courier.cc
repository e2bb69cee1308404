#include "outbound/courier.h"

#include <chrono>

#include "outbound/transfer.h"

namespace cairn::outbound {
namespace {

constexpr std::chrono::seconds kTimeout{10};
constexpr size_t kAnswerBytesMax = 64 << 10;
constexpr std::string_view kStopping = "the server stops";

}  // namespace

Result<std::unique_ptr<NetworkCourier>> NetworkCourier::Create(CourierOptions options) {
  if (options.smtp_url.empty()) {
    if (!options.smtp_from.empty() || !options.smtp_user.empty())
      return Fail(Invalid("--smtp-from and --smtp-credentials need --smtp-url"));
  } else {
    const auto server = SplitUrl(options.smtp_url);
    const bool is_mail = server && (server->scheme == "smtp" || server->scheme == "smtps");
    if (!is_mail) return Fail(Invalid("--smtp-url must begin with smtp:// or smtps://"));
    if (server->has_user)
      return Fail(Invalid("--smtp-url must not hold a user or password: use --smtp-credentials"));
    if (!IsPlainMailAddress(options.smtp_from))
      return Fail(Invalid("--smtp-url needs --smtp-from, the address that mails come from"));
  }
  return std::unique_ptr<NetworkCourier>(new NetworkCourier(std::move(options)));
}

Status NetworkCourier::CheckWebhookUrl(const std::string& url) const {
  if (!HasWebhooks())
    return Fail(Invalid("is not possible: the operator of this server has not allowed webhooks"));
  const auto parts = SplitUrl(url);
  if (!parts) return Fail(Invalid("must be an address such as https://example.org/hook"));
  if (parts->has_user) return Fail(Invalid("must not have a user name or password"));
  const bool is_here = *options_.webhooks == Reach::kPrivate && IsThisMachine(parts->host);
  if (parts->scheme != "https" && !(parts->scheme == "http" && is_here))
    return Fail(Invalid("must begin with https://"));
  const bool is_named_here = *options_.webhooks == Reach::kPublic && IsThisMachine(parts->host);
  if (is_named_here || !MayReachText(parts->host, *options_.webhooks))
    return Fail(Invalid("must be on the internet: addresses of this server's own network are refused"));
  return {};
}

Result<long> NetworkCourier::Post(const WebhookPost& post) const {
  // The operator may have changed their mind since it was named.
  RETURN_IF_ERROR(CheckWebhookUrl(post.url));
  if (stopping_) return Fail(Code::kUnavailable, std::string(kStopping));
  const auto answer = Exchange({.url = post.url,
                                .body = post.body,
                                .headers = post.headers,
                                .timeout = kTimeout,
                                .answer_bytes_max = kAnswerBytesMax,
                                .reach = *options_.webhooks,
                                .give_up = &stopping_});
  if (!answer) return Fail(Code::kUnavailable, answer.error().message);
  return answer->status;
}

Status NetworkCourier::Send(const Mail& mail) const {
  if (!HasMail()) return Fail(Invalid("the operator of this server has not set up e-mail"));
  ASSIGN_OR_RETURN(std::string text, MailText(mail, options_.smtp_from));
  if (stopping_) return Fail(Code::kUnavailable, std::string(kStopping));
  return SendMail({.server = options_.smtp_url,
                   .user = options_.smtp_user,
                   .password = options_.smtp_password,
                   .from = options_.smtp_from,
                   .to = mail.to,
                   .text = std::move(text),
                   .timeout = kTimeout,
                   .give_up = &stopping_});
}

}  // namespace cairn::outbound
