// Cards: tasks as they lie on the board, in the order of their ranks inside a group: those of one status and
// one priority. Used by the use cases of tasks.
#pragma once

#include <optional>
#include <string>

#include "domains/nexus/work.h"

namespace cairn::nexus {

using data::TaskStatus;

// Where inside its group a card is to lie; at most one of them. None: at the end.
struct Spot {
  std::optional<std::string> after_id = {}, before_id = {};
  bool first = false;
};

// Gives `card` the rank of that spot in the group that its status and priority name. Where there is no room
// between two cards, those behind the spot get new ranks in the same transaction; they are staged here. What
// is asked for is refused when the neighbour is not there or in another group, or ("no-room") when too many
// cards lie behind.
Task<Decision<void>> PlaceCard(Work& work, data::Task& card, Spot spot);

}  // namespace cairn::nexus
