#include "identity/login_throttle.h"

#include <algorithm>

#include "identity/network_of.h"

namespace cairn::identity {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr int kFailuresBeforePauses = 5;
constexpr seconds kPauseMax = std::chrono::minutes(15);
constexpr seconds kFailureWindow = std::chrono::minutes(15);
constexpr seconds kDay = std::chrono::hours(24);
constexpr int kFailuresPerSource = 10;
constexpr int kFailuresPerSourceAndDay = 20;
constexpr double kGuessesPerEmail = 50;
constexpr seconds kAnotherGuess = std::chrono::minutes(30);
constexpr int kFailuresPerNetwork = 100;
// Half of what the queue of passwords to be tried holds: no network fills it alone.
constexpr int kUnderWayPerNetwork = 16;
constexpr seconds kRegistrationWindow = std::chrono::hours(1);
constexpr int kRegistrationsPerNetwork = 20;
constexpr size_t kNameBytesMax = 254;

// The zero byte is in none of the parts.
std::string SourceName(std::string_view kind, std::string_view first, std::string_view second) {
  std::string name(kind);
  name.append(1, '\0').append(first.substr(0, kNameBytesMax));
  name.append(1, '\0').append(second.substr(0, kNameBytesMax));
  return name;
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

// Until a window has room again; nothing when it has.
template <class Window>
microseconds WaitOf(const Window& window, int count_max, seconds length, Time now) {
  return window.count < count_max ? microseconds(0) : microseconds(window.start + length - now);
}

}  // namespace

LoginThrottle::LoginThrottle(const Clock& clock, size_t entries_max)
    : clock_(clock),
      sources_(std::max<size_t>(entries_max / 2, 1)),
      emails_(std::max<size_t>(entries_max / 4, 1)),
      networks_(std::max<size_t>(entries_max / 4, 1)) {}

LoginThrottle::Attempt::~Attempt() {
  if (throttle_ != nullptr) throttle_->End(names_, Judgement::kNone);
}
void LoginThrottle::Attempt::Failed() {
  if (throttle_ != nullptr) std::exchange(throttle_, nullptr)->End(names_, Judgement::kFailed);
}
void LoginThrottle::Attempt::Succeeded() {
  if (throttle_ != nullptr) std::exchange(throttle_, nullptr)->End(names_, Judgement::kSucceeded);
}

LoginThrottle::Begun LoginThrottle::BeginAsStranger(std::string_view email, std::string_view address) {
  Names names{
      .source = {}, .email = std::string(email.substr(0, kNameBytesMax)), .network = NetworkOf(address)};
  if (!email.empty()) names.source = SourceName("network", names.email, names.network);
  return Begin(std::move(names));
}

LoginThrottle::Begun LoginThrottle::BeginOnKnownDevice(std::string_view email, std::string_view device) {
  return Begin({.source = SourceName("device", email, device), .email = {}, .network = {}});
}

LoginThrottle::Begun LoginThrottle::BeginInSession(std::string_view session) {
  return Begin({.source = SourceName("session", session, ""), .email = {}, .network = {}});
}

LoginThrottle::Begun LoginThrottle::Begin(Names names) {
  const Time now = clock_.Now();
  std::lock_guard lock(mutex_);
  SourceEntry* source = names.source.empty() ? nullptr : &sources_.At(names.source);
  EmailEntry* email = names.email.empty() ? nullptr : &emails_.At(names.email);
  NetworkEntry* network = names.network.empty() ? nullptr : &networks_.At(names.network);
  microseconds wait(0);
  if (source != nullptr) wait = std::max(wait, WaitOfSource(*source, now));
  if (email != nullptr) wait = std::max(wait, WaitOfEmail(*email, now));
  if (network != nullptr) wait = std::max(wait, WaitOfNetwork(*network, now));
  if (wait > microseconds(0)) return std::unexpected(Rounded(wait));
  if (source != nullptr) ++source->under_way;
  if (email != nullptr) ++email->under_way;
  if (network != nullptr) ++network->under_way;
  return Attempt(*this, std::move(names));
}

microseconds LoginThrottle::WaitOfSource(SourceEntry& entry, Time now) {
  Open(entry.failures, kFailureWindow, now);
  Open(entry.failures_of_day, kDay, now);
  microseconds wait = WaitOf(entry.failures, kFailuresPerSource, kFailureWindow, now);
  wait = std::max(wait, WaitOf(entry.failures_of_day, kFailuresPerSourceAndDay, kDay, now));
  // A pause never lasts longer than its length, also when the clock was set back.
  if (now < entry.paused_until)
    wait = std::max(wait, std::min<microseconds>(entry.paused_until - now, kPauseMax));
  const bool one_by_one = entry.in_a_row >= kFailuresBeforePauses;
  const int room = one_by_one ? 1
                              : std::min(kFailuresPerSource - entry.failures.count,
                                         kFailuresPerSourceAndDay - entry.failures_of_day.count);
  if (entry.under_way >= room) wait = std::max<microseconds>(wait, seconds(1));
  return wait;
}

microseconds LoginThrottle::WaitOfEmail(EmailEntry& entry, Time now) {
  if (!entry.is_used)
    entry = {.left = kGuessesPerEmail, .as_of = now, .is_used = true, .under_way = entry.under_way};
  if (now > entry.as_of) {
    const std::chrono::duration<double> passed = now - entry.as_of;
    entry.left = std::min(kGuessesPerEmail, entry.left + passed / kAnotherGuess);
  }
  entry.as_of = now;  // also when the clock was set back
  if (entry.left < 1) return std::chrono::ceil<microseconds>((1 - entry.left) * kAnotherGuess);
  return entry.left - entry.under_way < 1 ? microseconds(seconds(1)) : microseconds(0);
}

microseconds LoginThrottle::WaitOfNetwork(NetworkEntry& entry, Time now) {
  Open(entry.failures, kFailureWindow, now);
  const microseconds wait = WaitOf(entry.failures, kFailuresPerNetwork, kFailureWindow, now);
  if (wait > microseconds(0)) return wait;
  const bool has_room =
      entry.under_way < kUnderWayPerNetwork && entry.failures.count + entry.under_way < kFailuresPerNetwork;
  return has_room ? microseconds(0) : microseconds(seconds(1));
}

void LoginThrottle::CountFailure(SourceEntry& entry, Time now) {
  Open(entry.failures, kFailureWindow, now);
  ++entry.failures.count;
  Open(entry.failures_of_day, kDay, now);
  ++entry.failures_of_day.count;
  if (entry.in_a_row > 0 && now >= entry.last_failure + kDay) entry.in_a_row = 0;
  ++entry.in_a_row;
  entry.last_failure = now;
  entry.paused_until = now + PauseAfter(entry.in_a_row);
}

// Entries may have been forgotten meanwhile; then there is nothing to count back.
void LoginThrottle::End(const Names& names, Judgement judgement) {
  const auto leave = [](auto* entry) {
    if (entry != nullptr && entry->under_way > 0) --entry->under_way;
  };
  const bool failed = judgement == Judgement::kFailed;
  const Time now = clock_.Now();
  std::lock_guard lock(mutex_);
  if (!names.network.empty()) {
    leave(networks_.Find(names.network));
    Window& failures = networks_.At(names.network).failures;
    Open(failures, kFailureWindow, now);
    if (failed) ++failures.count;
  }
  if (!names.email.empty()) {
    leave(emails_.Find(names.email));
    EmailEntry& entry = emails_.At(names.email);
    (void)WaitOfEmail(entry, now);
    if (failed) entry.left = std::max(0.0, entry.left - 1);
  }
  if (names.source.empty()) return;
  leave(sources_.Find(names.source));
  if (failed) CountFailure(sources_.At(names.source), now);
  if (judgement == Judgement::kSucceeded) {
    SourceEntry& entry = sources_.At(names.source);
    entry = SourceEntry{.failures = {},
                        .failures_of_day = {},
                        .in_a_row = 0,
                        .last_failure = {},
                        .paused_until = {},
                        .under_way = entry.under_way};
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
