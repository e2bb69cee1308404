#include "identity/issuer_keys.h"

#include "base/log.h"

namespace cairn::identity {
namespace {

constexpr std::chrono::seconds kBetweenTries = std::chrono::minutes(1);
constexpr std::chrono::seconds kFreshFor = std::chrono::hours(1);

}  // namespace

IssuerKeys::IssuerKeys(std::string issuer, Source source, const Clock& clock)
    : issuer_(std::move(issuer)),
      source_(std::move(source)),
      clock_(clock),
      keys_(std::make_shared<const KeySet>()),
      reader_({.threads = 1, .queue_max = 64}) {}

Task<std::optional<PublicKey>> IssuerKeys::Find(std::string kid) {
  {
    std::lock_guard lock(mutex_);
    if (auto known = FindKnown(kid)) co_return known;
    // Somebody who asks while the reader is at it waits for what it brings.
    if (waiting_ == 0 && !IsDue(clock_.Now())) co_return std::nullopt;
    ++waiting_;
  }
  auto read_again = [this] {
    ReadAgainIfDue();
    return true;
  };
  const auto read = co_await reader_.Run(read_again);
  std::lock_guard lock(mutex_);
  --waiting_;
  if (!read) co_return std::nullopt;
  const auto found = keys_->find(kid);
  co_return found == keys_->end() ? std::nullopt : std::optional(found->second);
}

// A known key is given at once, also when it is time to look for new ones.
std::optional<PublicKey> IssuerKeys::FindKnown(const std::string& kid) {
  const auto found = keys_->find(kid);
  if (found == keys_->end()) return std::nullopt;
  const Time now = clock_.Now();
  const bool stale = now < *last_try_ || now >= *last_try_ + kFreshFor;
  if (stale && !hourly_posted_) hourly_posted_ = reader_.Post([this] { ReadAgainIfDue(); });
  return found->second;
}

bool IssuerKeys::IsDue(Time now) const {
  return !last_try_ || now < *last_try_ || now >= *last_try_ + kBetweenTries;
}

void IssuerKeys::ReadAgainIfDue() {
  {
    std::lock_guard lock(mutex_);
    const Time now = clock_.Now();
    hourly_posted_ = false;
    if (!IsDue(now)) return;
    last_try_ = now;
  }
  const auto document = source_();
  Result<KeySet> keys = document ? ParseKeySet(*document) : Result<KeySet>(Fail(document.error()));
  if (!keys) {
    log::Warning("the keys of an issuer could not be read; the old ones stay",
                 {{"issuer", issuer_}, {"reason", keys.error().message}});
    return;
  }
  std::lock_guard lock(mutex_);
  keys_ = std::make_shared<const KeySet>(*std::move(keys));
}

}  // namespace cairn::identity
