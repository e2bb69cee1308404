// Mail tokens: what the links in mails about accounts carry. They name an account and a moment when they end,
// with a MAC over that and over what the account is like: whoever changes the address or the password ends
// them. So they are good once, and nothing of them is stored.
//
//   <purpose>.<user id>.<seconds since 1970>.<MAC>
//
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "models/platform.h"

namespace cairn::identity {

enum class MailPurpose {
  kVerify,   // the account's address; ends with it
  kChange,   // the address that is to become the account's; ends with either, and with the password
  kRecover,  // a new password; ends with the old one, and with the address
};

struct MailToken {
  MailPurpose purpose = MailPurpose::kVerify;
  std::string user_id;
  Time expires;
};

// Precondition: an id without a dot; a moment of whole seconds.
std::string SealMailToken(std::string_view key, const MailToken& token, const models::platform::User& user);

// What it says; whether it is genuine only the account can tell. Nothing for a text that is no such token.
std::optional<MailToken> ReadMailToken(std::string_view text);
// Whether SealMailToken made exactly this text for the account as it is now, and it has not ended.
bool IsMailTokenFor(std::string_view key, std::string_view text, const models::platform::User& user,
                    Time now);

}  // namespace cairn::identity
