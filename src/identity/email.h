// E-mail addresses as names of accounts: one spelling each, so that nobody registers "Ada@example.org" beside
// "ada@example.org". Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cairn::identity {

// For looking up an account. Without space around, ASCII letters in lower case. Nothing when it is no address
// by the rule of the model type `email`: at most 254 bytes, one '@', a domain with a dot. Letters beyond
// ASCII stay as they are.
std::optional<std::string> NormalizedEmail(std::string_view text);

// For a new account or a new address of one: normalised as well, and mail can be sent there. A local part of
// at most 64 characters, without quotes (RFC 5321, Dot-string); a domain of two or more labels of letters,
// digits and inner hyphens, whose last one is not a number; ASCII only. Accounts from before this rule keep
// what they have, and log in with it.
std::optional<std::string> NewEmail(std::string_view text);

}  // namespace cairn::identity
