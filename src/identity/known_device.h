// Known devices: a browser that has logged in to an account before shows a cookie that says so. It lets
// nobody in; it says only that whoever guesses here is not a stranger, so that strangers' guesses do not make
// this person wait (login_throttle.h).
//
// The cookie holds an entry for each of the last accounts of the browser, the newest first:
//
//   <device id>.<seconds since 1970>.<MAC over e-mail address, device id and seconds> ~ ...
//
// The e-mail address itself is not in it, and nothing of it is stored. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"

namespace cairn::identity {

inline constexpr std::chrono::seconds kDeviceLifetime =
    std::chrono::days(400);  // the longest that browsers take

// The id of the device, if the cookie says that this account has logged in on it. `email` is normalised.
std::optional<std::string> FindKnownDevice(std::string_view key, std::string_view cookie,
                                           std::string_view email, Time now);

// The cookie after a login: with this account first, and what `cookie` says about up to four others.
std::string RememberDevice(std::string_view key, std::string_view cookie, std::string_view email, Time now,
                           Random& random);

}  // namespace cairn::identity
