// Random rules, with the list of what they mean.
#pragma once

#include <optional>

#include "chance.h"
#include "series_model.h"

namespace cairn::nexus {

// Of a series that begins at `start`, which need not be an occurrence. Several times of a day only if
// `has_times`: zones with changes of the clocks would make their lists a riddle. Nothing where the rule never
// happens.
std::optional<ModelRule> RandomRule(Chance& chance, LocalTime start, bool has_times);

}  // namespace cairn::nexus
