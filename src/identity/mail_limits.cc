#include "identity/mail_limits.h"

#include <algorithm>

#include "identity/network_of.h"

namespace cairn::identity {

MailLimits::Taken MailLimits::TakeRecovery(std::string_view email) {
  return Take("recover " + std::string(email), 3, std::chrono::minutes(30));
}
MailLimits::Taken MailLimits::TakeConfirmation(std::string_view email) {
  return Take("confirm " + std::string(email), 3, std::chrono::minutes(30));
}
MailLimits::Taken MailLimits::TakeForNetwork(std::string_view address) {
  return Take("network " + NetworkOf(address), 10, std::chrono::hours(1));
}
MailLimits::Taken MailLimits::TakeAddressChange(std::string_view user_id) {
  return Take("change " + std::string(user_id), 5, std::chrono::hours(24));
}

MailLimits::Taken MailLimits::Take(std::string name, int count_max, std::chrono::seconds length) {
  const Time now = clock_.Now();
  std::lock_guard lock(mutex_);
  Window& window = windows_.At(name);
  // One that is over, or that the clock was set back from, counts as new.
  if (window.count == 0 || now < window.start || now >= window.start + length) window = {now, 0};
  if (window.count >= count_max) {
    const auto wait = std::chrono::ceil<std::chrono::seconds>(window.start + length - now);
    return std::unexpected(std::max(wait, std::chrono::seconds(1)));
  }
  ++window.count;
  return {};
}

}  // namespace cairn::identity
