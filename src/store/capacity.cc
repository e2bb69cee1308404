#include "store/capacity.h"

#include <algorithm>

namespace cairn::store {
namespace {

// What AWS reports as warm for a new on-demand table.
constexpr Throughput kOnDemandWarm = {.read_units = 12'000, .write_units = 4'000};

std::unexpected<Error> InvalidValues(const std::string& what) {
  return Fail(Invalid("One or more parameter values were invalid: " + what));
}

// A new one has no ceiling that -1 could take away.
enum class CeilingChange { kNew, kUpdate };

Status CheckCeiling(std::optional<int64_t> units, BillingMode billing_mode, CeilingChange change,
                    const std::string& name, const std::string& of) {
  if (!units) return {};
  if (billing_mode == BillingMode::kProvisioned) {
    const std::string where = of == "table" ? "" : " for " + of;
    return InvalidValues(name + " for OnDemandThroughput cannot be specified" + where +
                         " when the table BillingMode is PROVISIONED");
  }
  if (*units >= 1 || (*units == -1 && change == CeilingChange::kUpdate)) return {};
  return InvalidValues("Requested " + name + " for OnDemandThroughput for " + of +
                       " is outside of valid range");
}

// Units of zero were not asked for. `why`: what the least is.
Status CheckWarm(const Throughput& asked, const Throughput& least, const std::string& of,
                 const std::string& why) {
  const auto low = [&](const std::string& name) {
    return InvalidValues("Requested " + name + " for WarmThroughput for " + of + " is lower than " + why);
  };
  if (asked.read_units == 0 && asked.write_units == 0) {
    return InvalidValues(
        "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for " +
        of);
  }
  if (asked.read_units != 0 && asked.read_units < least.read_units) return low("ReadUnitsPerSecond");
  if (asked.write_units != 0 && asked.write_units < least.write_units) return low("WriteUnitsPerSecond");
  return {};
}

Status CheckCeilings(const std::optional<OnDemandThroughput>& ceilings, BillingMode billing_mode,
                     CeilingChange change, const std::string& of) {
  if (!ceilings) return {};
  RETURN_IF_ERROR(CheckCeiling(ceilings->max_read_units, billing_mode, change, "MaxReadRequestUnits", of));
  return CheckCeiling(ceilings->max_write_units, billing_mode, change, "MaxWriteRequestUnits", of);
}

}  // namespace

Throughput WarmOf(BillingMode billing_mode, const Throughput& provisioned,
                  const std::optional<Throughput>& asked) {
  Throughput warm = billing_mode == BillingMode::kPayPerRequest ? kOnDemandWarm : provisioned;
  if (asked) {
    warm.read_units = std::max(warm.read_units, asked->read_units);
    warm.write_units = std::max(warm.write_units, asked->write_units);
  }
  return warm;
}

Status CheckNewCapacity(BillingMode billing_mode, const Throughput& provisioned,
                        const std::optional<OnDemandThroughput>& ceilings,
                        const std::optional<Throughput>& warm, const std::string& of) {
  RETURN_IF_ERROR(CheckCeilings(ceilings, billing_mode, CeilingChange::kNew, of));
  if (!warm) return {};
  const bool on_demand = billing_mode == BillingMode::kPayPerRequest;
  return CheckWarm(*warm, WarmOf(billing_mode, provisioned, std::nullopt), of,
                   on_demand ? "initial throughput for OnDemand" : "ProvisionedThroughput");
}

Status CheckCapacityChange(BillingMode billing_mode, const Throughput& current,
                           const std::optional<OnDemandThroughput>& ceilings,
                           const std::optional<Throughput>& warm, const std::string& of) {
  RETURN_IF_ERROR(CheckCeilings(ceilings, billing_mode, CeilingChange::kUpdate, of));
  if (!warm) return {};
  return CheckWarm(*warm, current, of, "current WarmThroughput, decreasing WarmThroughput is not supported");
}

void MergeCeilings(std::optional<OnDemandThroughput>& kept, const OnDemandThroughput& change) {
  OnDemandThroughput merged = kept.value_or(OnDemandThroughput());
  const auto merge = [](std::optional<int64_t>& units, std::optional<int64_t> to) {
    if (to) units = *to < 0 ? std::nullopt : to;
  };
  merge(merged.max_read_units, change.max_read_units);
  merge(merged.max_write_units, change.max_write_units);
  kept.reset();
  if (merged.max_read_units || merged.max_write_units) kept = merged;
}

}  // namespace cairn::store
