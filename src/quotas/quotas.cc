#include "quotas/quotas.h"

#include <cstdio>

#include "base/metrics.h"
#include "http/ip_address.h"

namespace cairn::quotas {
namespace {

constexpr double kBurstSeconds = 20;
constexpr double kMegabyte = 1 << 20;

Rate RequestRate(int64_t per_second) {
  return {.per_second = static_cast<double>(per_second),
          .burst = static_cast<double>(per_second) * kBurstSeconds};
}
Rate WriteRate(int64_t per_hour) {
  return {.per_second = static_cast<double>(per_hour) / 3600, .burst = static_cast<double>(per_hour)};
}

std::string Megabytes(int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / kMegabyte);
  return text;
}

// Everybody in an IPv6 network has as many addresses as they like.
std::string NetworkOf(const http::Request& request) {
  const auto address = http::IpAddress::Parse(request.peer);
  return address ? address->Network().Text() : std::string(request.peer);
}

std::string WaitText(std::chrono::seconds wait) {
  if (wait <= std::chrono::seconds(1)) return "Try again in a second";
  if (wait < std::chrono::minutes(2)) return "Try again in " + std::to_string(wait.count()) + " seconds";
  return "Try again in " + std::to_string(std::chrono::ceil<std::chrono::minutes>(wait).count()) + " minutes";
}

http::Problem Later(std::string code, std::string title, std::string detail, std::chrono::seconds wait) {
  return {.status = 429,
          .code = std::move(code),
          .title = std::move(title),
          .detail = std::move(detail) + ". " + WaitText(wait),
          .errors = {},
          .headers = {{"Retry-After", std::to_string(wait.count())}}};
}

http::Problem Full(std::string detail) {
  return {
      .status = 413,
      .code = "quota-exceeded",
      .title = "There is no room for more",
      .detail = std::move(detail) +
                ". Delete what you no longer need, or ask the operator of this server for more room. Every "
                "revision of your values tree and of a plan keeps all of it",
      .errors = {}};
}

// Whether a request may add to what its user keeps.
bool NeedsRoom(const rest::EndpointInfo& endpoint, std::string_view user_id) {
  return !user_id.empty() && rest::IsChange(endpoint) && endpoint.stores && endpoint.method != "DELETE";
}

}  // namespace

Quotas::Quotas(const Clock& clock, Limits limits)
    : limits_(limits),
      requests_(clock, RequestRate(limits.requests_per_second)),
      addresses_(clock, RequestRate(limits.address_requests_per_second)),
      written_(clock, WriteRate(limits.written_bytes_per_hour)) {}

void Quotas::Charge(std::string_view user_id, int64_t written_bytes) {
  written_.Charge(user_id, static_cast<double>(written_bytes));
}

http::Problem Quotas::TooMany(std::string_view user_id, std::chrono::seconds wait) {
  const bool is_anyone = user_id.empty();
  (is_anyone ? address_refusals_ : request_refusals_).fetch_add(1, std::memory_order_relaxed);
  return Later("too-many-requests", "Too many requests",
               is_anyone ? "There were too many requests from your address"
                         : "You may make " + std::to_string(limits_.requests_per_second) +
                               " requests in a second; changes and costly ones count as several",
               wait);
}

Result<void, http::Problem> Quotas::Admit(const rest::EndpointInfo& endpoint, std::string_view user_id,
                                          const http::Request& request) {
  const bool is_anyone = user_id.empty();
  RateTable& table = is_anyone ? addresses_ : requests_;
  const auto taken = is_anyone ? table.Take(NetworkOf(request), rest::CostOf(endpoint))
                               : table.Take(user_id, rest::CostOf(endpoint));
  if (!taken) return std::unexpected(TooMany(user_id, taken.error()));
  if (!NeedsRoom(endpoint, user_id)) return {};
  return CheckRoom(user_id);
}

Result<void, http::Problem> Quotas::Consider(const rest::EndpointInfo& endpoint, std::string_view user_id,
                                             const http::Request& head) {
  const auto wait = user_id.empty() ? addresses_.WaitFor(NetworkOf(head), rest::CostOf(endpoint))
                                    : requests_.WaitFor(user_id, rest::CostOf(endpoint));
  if (wait.count() > 0) return std::unexpected(TooMany(user_id, wait));
  if (!NeedsRoom(endpoint, user_id)) return {};
  return CheckRoom(user_id);
}

Result<void, http::Problem> Quotas::CheckRoom(std::string_view user_id) {
  const std::chrono::seconds wait = written_.WaitOf(user_id);
  if (wait.count() > 0) {
    write_refusals_.fetch_add(1, std::memory_order_relaxed);
    return std::unexpected(Later(
        "too-much-written", "Too much was written",
        "You have written more than " + Megabytes(limits_.written_bytes_per_hour) + " within an hour", wait));
  }
  if (meter_ == nullptr || (limits_.bytes == 0 && limits_.items == 0)) return {};
  const auto known = meter_->Find(user_id);
  if (!known) return {};
  Usage total;
  for (const Usage& usage : *known) {
    total.bytes += usage.bytes;
    total.items += usage.items;
  }
  if (limits_.bytes > 0 && total.bytes >= limits_.bytes) {
    storage_refusals_.fetch_add(1, std::memory_order_relaxed);
    return std::unexpected(Full("You keep " + Megabytes(total.bytes) + " of " + Megabytes(limits_.bytes)));
  }
  if (limits_.items > 0 && total.items >= limits_.items) {
    item_refusals_.fetch_add(1, std::memory_order_relaxed);
    return std::unexpected(
        Full("You keep " + std::to_string(total.items) + " items of " + std::to_string(limits_.items)));
  }
  return {};
}

std::string Quotas::MetricsText() const {
  constexpr std::string_view kName = "cairn_quota_refusals_total";
  std::string text;
  metrics::AppendHead(text, kName, metrics::Kind::kCounter,
                      "Requests refused for the limits of a user or address");
  const auto sample = [&](std::string_view kind, const std::atomic<uint64_t>& count) {
    metrics::AppendSample(text, kName, metrics::Label("kind", kind),
                          static_cast<double>(count.load(std::memory_order_relaxed)));
  };
  sample("requests", request_refusals_);
  sample("address", address_refusals_);
  sample("storage", storage_refusals_);
  sample("items", item_refusals_);
  sample("writes", write_refusals_);
  if (meter_ != nullptr) text += meter_->MetricsText();
  return text;
}

}  // namespace cairn::quotas
