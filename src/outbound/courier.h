// Courier: how something leaves the server on behalf of a user: posted to an address they have named, or as a
// mail. What the operator has not allowed is refused. Sending blocks for up to ten seconds; never call it on
// an event loop.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "outbound/address_rules.h"
#include "outbound/mail_text.h"

namespace cairn::outbound {

struct WebhookPost {
  std::string url, body;             // JSON
  std::vector<std::string> headers;  // "Name: value", without line ends
};

class Courier {
 public:
  virtual ~Courier() = default;
  virtual bool HasWebhooks() const = 0;
  virtual bool HasMail() const = 0;
  // Whether somebody may name this address. Fails with a sentence about it.
  virtual Status CheckWebhookUrl(const std::string& url) const = 0;
  // The status of the answer. Fails with kUnavailable and a reason for people.
  virtual Result<long> Post(const WebhookPost& post) const = 0;
  virtual Status Send(const Mail& mail) const = 0;
};

struct CourierOptions {
  // None: no webhooks. kPrivate also takes http:// to this machine.
  std::optional<Reach> webhooks;
  std::string smtp_url;  // "": no mail
  std::string smtp_from;
  std::string smtp_user, smtp_password;
};

// Over the network.
class NetworkCourier final : public Courier {
 public:
  // Fails with kInvalidArgument when the settings of mail are wrong or incomplete.
  static Result<std::unique_ptr<NetworkCourier>> Create(CourierOptions options);

  bool HasWebhooks() const override { return options_.webhooks.has_value(); }
  bool HasMail() const override { return !options_.smtp_url.empty(); }
  Status CheckWebhookUrl(const std::string& url) const override;
  Result<long> Post(const WebhookPost& post) const override;
  Status Send(const Mail& mail) const override;

  // What was not sent yet fails within a second or so, and what comes later at once. What was sent gets its
  // answer, within ten seconds: given up, it would be sent again although it has arrived.
  void BeginStop() { stopping_.store(true, std::memory_order_relaxed); }

 private:
  explicit NetworkCourier(CourierOptions options) : options_(std::move(options)) {}

  const CourierOptions options_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace cairn::outbound
