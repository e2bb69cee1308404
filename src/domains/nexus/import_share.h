// How many occurrences of the series of one calendar are kept as items. A file of a megabyte can have
// thousands of daily series, each with hundreds of occurrences: what is kept then is shared among them, and
// the rest is expanded without items (series_store.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "domains/nexus/ics/calendar.h"
#include "domains/nexus/nexus.h"

namespace cairn::nexus {

// Of all series of a calendar together: about forty daily ones have all of theirs, or two hundred and fifty
// weekly ones.
inline constexpr size_t kImportedOccurrencesMax = 16'000;

// The most that each of them may have, so that those which want less have all they want and all together have
// `total` at most, but at least one each. Nothing when everybody can have what they want. Pure.
std::optional<int64_t> ShareOf(std::vector<size_t> wanted, size_t total);

// That of the series of a calendar, around now.
Task<std::optional<int64_t>> FindShare(const Nexus& nexus, const ics::Calendar& calendar);

}  // namespace cairn::nexus
