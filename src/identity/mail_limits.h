// MailLimits: how many mails may be asked for. The server must not become a way to fill somebody's mailbox.
//
//   per e-mail address     3 links for a new password in half an hour, which is how long they are good; and 3
//   that
//                          ask whether the address is right. Counted apart: only what reaches somebody's
//                          mailbox may use up what they could ask for
//   per network address    10 an hour
//   per account            5 changes of address a day
//
// In memory and bounded, as LoginThrottle. Thread-safe.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "identity/recent_table.h"

namespace cairn::identity {

class MailLimits {
 public:
  explicit MailLimits(const Clock& clock, size_t entries_max = 30'000)
      : clock_(clock), windows_(entries_max) {}

  // Each counts one, if it may happen now. Fails with how long to wait.
  using Taken = Result<void, std::chrono::seconds>;
  Taken TakeRecovery(std::string_view email);
  Taken TakeConfirmation(std::string_view email);
  Taken TakeForNetwork(std::string_view address);
  Taken TakeAddressChange(std::string_view user_id);

 private:
  struct Window {
    Time start;
    int count = 0;
  };
  Taken Take(std::string name, int count_max, std::chrono::seconds length);

  const Clock& clock_;
  std::mutex mutex_;  // guards what follows
  RecentTable<Window> windows_;
};

}  // namespace cairn::identity
