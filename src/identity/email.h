// E-mail addresses as names of accounts: one spelling each, so that nobody registers "Ada@example.org" beside
// "ada@example.org". Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cairn::identity {

// Without space around, ASCII letters in lower case. Nothing when it is no address by the rule of the model
// type `email`: at most 254 bytes, one '@', a domain with a dot. Letters beyond ASCII stay as they are.
std::optional<std::string> NormalizedEmail(std::string_view text);

}  // namespace cairn::identity
