// What others call time zones, and the name that the IANA database has for it. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cairn::nexus::ics {

// Of a TZID: a name of the database; the same behind a prefix ("/freeassociation.sourceforge.net/Europe/
// Berlin"); the common names of Windows ("W. Europe Standard Time"); UTC and GMT. Nothing for others.
std::optional<std::string> FindZone(std::string_view name);

}  // namespace cairn::nexus::ics
