// What a network address counts as, where requests are counted by where they come from. Pure.
#pragma once

#include <string>
#include <string_view>

namespace cairn::identity {

// Itself, or the network (64 bits) of an IPv6 address, for everybody there has as many addresses as they
// like. 2001:db8::1 and ::ffff:192.0.2.1 are spelt in many ways; what is returned is not, and is not for
// people's eyes.
std::string NetworkOf(std::string_view address);

}  // namespace cairn::identity
