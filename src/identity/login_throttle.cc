#include "identity/login_throttle.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

namespace cairn::identity {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr int kFailuresBeforePauses = 5;
constexpr seconds kPauseMax = std::chrono::minutes(15);
constexpr seconds kFailureWindow = std::chrono::minutes(15);
constexpr int kFailuresPerEmail = 10;
constexpr int kFailuresPerNetwork = 100;
constexpr seconds kRegistrationWindow = std::chrono::hours(1);
constexpr int kRegistrationsPerNetwork = 20;
// Failures in a row are forgotten when nothing happened for so long.
constexpr seconds kMemory = std::chrono::hours(24);
constexpr size_t kNameBytesMax = 254;

// What an address counts as: itself, or the network of an IPv6 address. 2001:db8::1 and ::ffff:192.0.2.1 are
// spelt in many ways, bytes are not.
std::string NetworkOf(std::string_view address) {
  const std::string text(address.substr(0, kNameBytesMax));
  in6_addr six{};
  if (::inet_pton(AF_INET6, text.c_str(), &six) != 1) return text;
  if (IN6_IS_ADDR_V4MAPPED(&six)) {
    char four[INET_ADDRSTRLEN];
    if (::inet_ntop(AF_INET, &six.s6_addr[12], four, sizeof four) != nullptr) return four;
  }
  return "6:" + std::string(reinterpret_cast<const char*>(six.s6_addr), 8);
}

seconds Rounded(microseconds wait) { return std::max(std::chrono::ceil<seconds>(wait), seconds(1)); }

microseconds PauseAfter(int failures_in_a_row) {
  if (failures_in_a_row < kFailuresBeforePauses) return microseconds(0);
  const int doublings = std::min(failures_in_a_row - kFailuresBeforePauses, 20);
  return std::min(seconds(int64_t{1} << doublings), kPauseMax);
}

// A window that is over, or that the clock was set back from, counts as new.
template <class Window>
void Open(Window& window, seconds length, Time now) {
  if (window.count == 0 || now < window.start || now >= window.start + length) window = {now, 0};
}

}  // namespace

LoginThrottle::LoginThrottle(const Clock& clock, size_t entries_max)
    : clock_(clock),
      emails_(std::max<size_t>(entries_max / 2, 1)),
      networks_(std::max<size_t>(entries_max / 2, 1)) {}

LoginThrottle::Attempt::~Attempt() {
  if (throttle_ != nullptr) throttle_->End(email_, network_, Judgement::kNone);
}
void LoginThrottle::Attempt::Failed() {
  if (throttle_ != nullptr) std::exchange(throttle_, nullptr)->End(email_, network_, Judgement::kFailed);
}
void LoginThrottle::Attempt::Succeeded() {
  if (throttle_ != nullptr) std::exchange(throttle_, nullptr)->End(email_, network_, Judgement::kSucceeded);
}

Result<LoginThrottle::Attempt, seconds> LoginThrottle::Begin(std::string_view email,
                                                             std::string_view address) {
  std::string email_name(email.substr(0, kNameBytesMax));
  std::string network_name = NetworkOf(address);
  const Time now = clock_.Now();
  std::lock_guard lock(mutex_);
  NetworkEntry& network = networks_.At(network_name);
  Open(network.failures, kFailureWindow, now);
  if (network.failures.count >= kFailuresPerNetwork) {
    return std::unexpected(Rounded(network.failures.start + kFailureWindow - now));
  }
  if (network.failures.count + network.under_way >= kFailuresPerNetwork) return std::unexpected(seconds(1));
  if (!email_name.empty()) {
    EmailEntry& entry = emails_.At(email_name);
    Open(entry.failures, kFailureWindow, now);
    const microseconds wait = WaitOfEmail(entry, now);
    if (wait > microseconds(0)) return std::unexpected(Rounded(wait));
    ++entry.under_way;
  }
  ++network.under_way;
  return Attempt(*this, std::move(email_name), std::move(network_name));
}

microseconds LoginThrottle::WaitOfEmail(const EmailEntry& entry, Time now) {
  microseconds wait(0);
  if (entry.failures.count >= kFailuresPerEmail) wait = entry.failures.start + kFailureWindow - now;
  // A pause never lasts longer than its length, also when the clock was set back.
  if (now < entry.paused_until)
    wait = std::max(wait, std::min<microseconds>(entry.paused_until - now, kPauseMax));
  const bool one_by_one = entry.in_a_row >= kFailuresBeforePauses;
  const int room = one_by_one ? 1 : kFailuresPerEmail - entry.failures.count;
  if (entry.under_way >= room) wait = std::max<microseconds>(wait, seconds(1));
  return wait;
}

void LoginThrottle::CountFailure(EmailEntry& entry, Time now) {
  Open(entry.failures, kFailureWindow, now);
  ++entry.failures.count;
  if (entry.in_a_row > 0 && now >= entry.last_failure + kMemory) entry.in_a_row = 0;
  ++entry.in_a_row;
  entry.last_failure = now;
  entry.paused_until = now + PauseAfter(entry.in_a_row);
}

// Entries may have been forgotten meanwhile; then there is nothing to count back.
void LoginThrottle::End(const std::string& email, const std::string& network, Judgement judgement) {
  const Time now = clock_.Now();
  std::lock_guard lock(mutex_);
  if (NetworkEntry* entry = networks_.Find(network); entry != nullptr && entry->under_way > 0)
    --entry->under_way;
  if (judgement == Judgement::kFailed) {
    Window& failures = networks_.At(network).failures;
    Open(failures, kFailureWindow, now);
    ++failures.count;
  }
  if (email.empty()) return;
  if (EmailEntry* entry = emails_.Find(email); entry != nullptr && entry->under_way > 0) --entry->under_way;
  if (judgement == Judgement::kFailed) CountFailure(emails_.At(email), now);
  if (judgement == Judgement::kSucceeded) {
    EmailEntry& entry = emails_.At(email);
    if (entry.under_way == 0) {
      emails_.Forget(email);
    } else {
      entry =
          EmailEntry{.failures = {}, .last_failure = {}, .paused_until = {}, .under_way = entry.under_way};
    }
  }
}

Result<void, seconds> LoginThrottle::TakeRegistration(std::string_view address) {
  const std::string network_name = NetworkOf(address);
  const Time now = clock_.Now();
  std::lock_guard lock(mutex_);
  Window& registrations = networks_.At(network_name).registrations;
  Open(registrations, kRegistrationWindow, now);
  if (registrations.count >= kRegistrationsPerNetwork) {
    return std::unexpected(Rounded(registrations.start + kRegistrationWindow - now));
  }
  ++registrations.count;
  return {};
}

}  // namespace cairn::identity
