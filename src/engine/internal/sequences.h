// The sequences of stream records, over restarts: none is given out twice, also when a power loss takes the
// end of the log. A reader that has seen a lost record goes on after its sequence, and would otherwise miss
// what comes under the same one.
//
// With Durability::kRelaxed sequences are therefore reserved on the disk before they are used, many at once.
// What was reserved and may have been used is skipped at the next start.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "engine/internal/commit_group.h"
#include "engine/internal/database.h"

namespace cairn::engine::internal {

inline constexpr uint64_t kSequencesReserved = 1 << 20;

// At the start: the next sequence to be given out. Records what is skipped.
Result<uint64_t> FirstSequence(Database& database);

// Brings the reservation of all sequences before `end` to the disk.
Status ReserveSequences(Database& database, uint64_t end);
// Before a clean stop: nothing from `next` on was used. Durable with the next flush.
void GiveBackSequences(CommitGroup& group, uint64_t next);

// Records before `end` are trimmed: what was skipped between them is of no interest any more.
void ForgetSkipped(CommitGroup& group, uint64_t end);
// The end of the skipped sequences that begin with `first`; `first` itself when none do.
Result<uint64_t> EndOfSkipped(const Database& database, const SnapshotRef& snapshot, uint64_t first);

}  // namespace cairn::engine::internal
