// LoginThrottle: makes guessing passwords slow, without a lock that others can close for somebody who knows
// theirs. Counts failures, and says how long to wait. An e-mail address without an account is treated the
// same, so that waiting tells nobody which accounts there are.
//
//   by source           one network address with one e-mail address, one known device, or one session:
//                       after 5 failures in a row a pause of 1, 2, 4 ... seconds up to 15 minutes;
//                       never more than 10 failures in 15 minutes and 20 in a day
//   by e-mail address   over all sources that are strangers: 50 failures, and one more every half an hour:
//                       never more than 98 guesses in a day, however many networks they come from
//   by network address  100 failures in 15 minutes, 16 attempts at once; 20 registrations an hour
//
// A known device (known_device.h: the browser has logged in to this account before) and a session that
// confirms its password are sources of their own, and nothing else counts for them: whatever strangers do,
// they get in. Somebody who comes as a stranger waits for others only when these came from several networks
// and used up the fifty.
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
        : throttle_(std::exchange(other.throttle_, nullptr)), names_(std::move(other.names_)) {}
    Attempt& operator=(Attempt&&) = delete;
    ~Attempt();

    void Failed();
    // Forgets the failures of the source, not those of the e-mail address or the network address: programs
    // that log in every minute must not give strangers new guesses.
    void Succeeded();

   private:
    friend class LoginThrottle;
    // Where it is counted; "" counts nowhere.
    struct Names {
      std::string source, email, network;
    };
    Attempt(LoginThrottle& throttle, Names names) : throttle_(&throttle), names_(std::move(names)) {}

    LoginThrottle* throttle_;  // null once it was told
    Names names_;
  };
  using Begun = Result<Attempt, std::chrono::seconds>;  // or how long to wait, at least a second

  // `email` is normalised, or "" when only the network address counts.
  Begun BeginAsStranger(std::string_view email, std::string_view address);
  // `device` is the id of a device that is known for this e-mail address.
  Begun BeginOnKnownDevice(std::string_view email, std::string_view device);
  // Somebody who is logged in shows the password once more.
  Begun BeginInSession(std::string_view session);

  // Counts a registration, if it may happen now. Fails with how long to wait.
  Result<void, std::chrono::seconds> TakeRegistration(std::string_view address);

 private:
  // How often something happened since a moment.
  struct Window {
    Time start;
    int count = 0;
  };
  struct SourceEntry {
    Window failures, failures_of_day;
    int in_a_row = 0;
    Time last_failure;
    Time paused_until;
    int under_way = 0;
  };
  // Guesses that are left, as of a moment.
  struct EmailEntry {
    double left = 0;
    Time as_of;
    bool is_used = false;
    int under_way = 0;
  };
  struct NetworkEntry {
    Window failures, registrations;
    int under_way = 0;
  };
  enum class Judgement { kNone, kFailed, kSucceeded };
  using Names = Attempt::Names;

  Begun Begin(Names names);
  static std::chrono::microseconds WaitOfSource(SourceEntry& entry, Time now);
  static std::chrono::microseconds WaitOfEmail(EmailEntry& entry, Time now);
  static std::chrono::microseconds WaitOfNetwork(NetworkEntry& entry, Time now);
  static void CountFailure(SourceEntry& entry, Time now);
  void End(const Names& names, Judgement judgement);

  const Clock& clock_;
  std::mutex mutex_;  // guards what follows
  RecentTable<SourceEntry> sources_;
  RecentTable<EmailEntry> emails_;
  RecentTable<NetworkEntry> networks_;
};

}  // namespace cairn::identity
