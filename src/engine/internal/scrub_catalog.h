// Scrubs what the catalog keeps beside tables: ids are given out once, every client token is found when it
// expires, rows of backups are items.
#pragma once

#include "base/result.h"
#include "engine/internal/catalog.h"
#include "engine/internal/database.h"
#include "engine/internal/scrub_streams.h"

namespace cairn::engine::internal {

Status ScrubIds(const Database& database, const Catalog& catalog, const SnapshotRef& snapshot,
                const Find& find);
Status ScrubTokens(const Database& database, const SnapshotRef& snapshot, const Find& find);
Status ScrubBackups(const Database& database, const Catalog& catalog, const SnapshotRef& snapshot,
                    const Find& find);

}  // namespace cairn::engine::internal
