// The judge: compares what a store holds after a crash with what its writers were told.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "ledger.h"

namespace cairn::faults {

// What relaxed durability may lose: what was acknowledged after `log_synced`, the begin of the last completed
// sync of the log, and not more than `window` before the power went.
struct RelaxedLoss {
  std::chrono::steady_clock::time_point log_synced, power_cut;
  std::chrono::milliseconds window{0};
};

struct Verdict {
  std::vector<std::string> problems;
  Items items;  // of both tables
  size_t stream_records = 0;
  std::chrono::milliseconds longest_loss{0};  // age of the oldest acknowledged write that was lost
};

// Reads everything and compares: the stream has no gap (except what a start in relaxed mode
// skips) and replays to the tables; acknowledged operations are
// in it, others completely or not at all (batches: item by item), unknown ones are not; operations that
// followed one another are in that order; every index is what its table says; `cairn verify` finds nothing.
// Settles the fates of open operations. `allowed`: relaxed durability.
Verdict Judge(engine::Engine& engine, Ledger& ledger, const Clock& clock,
              const std::optional<RelaxedLoss>& allowed = std::nullopt);

}  // namespace cairn::faults
