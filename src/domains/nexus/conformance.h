// Conformance: the checklist of the source document (its section 9, with the conventions that it sums up)
// over stored items (REQ-001-36). CheckConformance judges one item and is pure; Inspect runs it over the
// table, for operators: the only scan there is.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domains/nexus/nexus.h"
#include "item/packed_item.h"

namespace cairn::nexus {

// In the order of ConformanceRules().
enum class RuleId {
  kKeys,
  kAgendaYear,
  kStateKey,
  kCamelCase,
  kEntityType,
  kPrefixedIds,
  kMandatory,
  kInstants,
  kTimeZones,
  kSets,
  kAgendaDated,
  kSeriesOnly,
  kIndexKeys,
  kValues,
};
inline constexpr size_t kRuleCount = static_cast<size_t>(RuleId::kValues) + 1;

struct ConformanceRule {
  std::string_view id;    // stable: "agenda-year"
  std::string_view what;  // for people
};
std::span<const ConformanceRule, kRuleCount> ConformanceRules();

struct ConformanceFinding {
  RuleId rule{};
  std::string pk, sk, message;
};

// All that is wrong with an item of the table ProductivityData. `database` is of models/nexus.toml.
std::vector<ConformanceFinding> CheckConformance(const model::Database& database,
                                                 const item::PackedItem& item);

struct Inspection {
  int64_t checked = 0;
  std::vector<ConformanceFinding> findings;  // the first thousand
  std::array<int64_t, kRuleCount> violations{};
  std::string next_cursor;  // "": that was the end of the table
};
// `limit` items from where `cursor` ended.
Task<Decision<Inspection>> Inspect(Nexus& nexus, std::string cursor, int64_t limit);

// What is wrong with somebody's reminders, as sentences; none: nothing. Every one that waits has a job of its
// moment; if it follows something, that is there, wants it, and is where the reminder takes it to be. Every
// series that has reminders has the next one waiting, or one that is about to fire and will make it. Reads
// all a user has: for tests and operators. While others write or jobs run it may tell of what is about to be
// put right.
Task<Decision<std::vector<std::string>>> CheckReminders(Nexus& nexus, std::string user_id);

struct RemindersInspection {
  int64_t users = 0;    // who have reminders or series
  int64_t waiting = 0;  // reminders
  std::vector<std::string> findings;
};
// The same for everybody, for operators: scans the table and reads all jobs, once each.
Task<Decision<RemindersInspection>> InspectReminders(Nexus& nexus);

}  // namespace cairn::nexus
