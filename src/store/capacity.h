// Rules for the capacity of tables and global indexes that is kept and reported: ceilings of what is billed
// by request, and what is warm. Shared by those who judge a new table and those who change one.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "store/table.h"

namespace cairn::store {

// What a table or an index bears at once: as asked for, and never less than it comes with.
Throughput WarmOf(BillingMode billing_mode, const Throughput& provisioned,
                  const std::optional<Throughput>& asked);

// `of`: "table" or "index NAME".
Status CheckNewCapacity(BillingMode billing_mode, const Throughput& provisioned,
                        const std::optional<OnDemandThroughput>& ceilings,
                        const std::optional<Throughput>& warm, const std::string& of);
// Of one that has `current` warm.
Status CheckCapacityChange(BillingMode billing_mode, const Throughput& current,
                           const std::optional<OnDemandThroughput>& ceilings,
                           const std::optional<Throughput>& warm, const std::string& of);

// A ceiling that is not named stays, -1 takes it away.
void MergeCeilings(std::optional<OnDemandThroughput>& kept, const OnDemandThroughput& change);

}  // namespace cairn::store
