// LoginThrottle: makes guessing passwords slow. Counts failed logins per e-mail address and per network
// address, and registrations per network address, and says how long to wait. An address without an account is
// treated the same, so that waiting tells nobody which accounts there are.
//
//   per e-mail address     after 5 failures in a row a pause of 1, 2, 4 ... seconds up to 15 minutes;
//                          never more than 10 failures in 15 minutes
//   per network address    100 failures in 15 minutes; 20 registrations an hour
//
// Attempts under way count as if they were going to fail: many at once gain nothing. In memory and bounded:
// it forgets at a restart, and what was idle for longest. An IPv6 address counts with its network (64 bits),
// for everybody there has as many addresses as they like. Thread-safe.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "identity/recent_table.h"

namespace cairn::identity {

class LoginThrottle {
 public:
  explicit LoginThrottle(const Clock& clock, size_t entries_max = 100'000);

  // An attempt that was let through. Ends without judgement unless told what came of it.
  class Attempt {
   public:
    Attempt(Attempt&& other) noexcept
        : throttle_(std::exchange(other.throttle_, nullptr)),
          email_(std::move(other.email_)),
          network_(std::move(other.network_)) {}
    Attempt& operator=(Attempt&&) = delete;
    ~Attempt();

    void Failed();
    // Forgets the failures of the e-mail address, not those of the network address.
    void Succeeded();

   private:
    friend class LoginThrottle;
    Attempt(LoginThrottle& throttle, std::string email, std::string network)
        : throttle_(&throttle), email_(std::move(email)), network_(std::move(network)) {}

    LoginThrottle* throttle_;  // null once it was told
    std::string email_, network_;
  };

  // `email` is normalised, or "" when only the network address counts. Fails with how long to wait, at least
  // a second.
  Result<Attempt, std::chrono::seconds> Begin(std::string_view email, std::string_view address);

  // Counts a registration, if it may happen now. Fails with how long to wait.
  Result<void, std::chrono::seconds> TakeRegistration(std::string_view address);

 private:
  // How often something happened since a moment.
  struct Window {
    Time start;
    int count = 0;
  };
  struct EmailEntry {
    Window failures;
    int in_a_row = 0;
    Time last_failure;
    Time paused_until;
    int under_way = 0;
  };
  struct NetworkEntry {
    Window failures, registrations;
    int under_way = 0;
  };
  enum class Judgement { kNone, kFailed, kSucceeded };

  static std::chrono::microseconds WaitOfEmail(const EmailEntry& entry, Time now);
  void End(const std::string& email, const std::string& network, Judgement judgement);
  void CountFailure(EmailEntry& entry, Time now);

  const Clock& clock_;
  std::mutex mutex_;  // guards what follows
  RecentTable<EmailEntry> emails_;
  RecentTable<NetworkEntry> networks_;
};

}  // namespace cairn::identity
