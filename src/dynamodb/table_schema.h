// The parts of a table's definition as requests give them: read here, judged by table_rules.h.
// Shared by CreateTable, UpdateTable and RestoreTableFromBackup.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dynamodb/enum_names.h"
#include "dynamodb/request_reader.h"
#include "store/table.h"
#include "store/table_requests.h"

namespace cairn::dynamodb {

inline constexpr size_t kTagsMax = 50;
inline constexpr size_t kTableKeyElementsMax = 2;
inline constexpr size_t kGlobalKeyElementsMax = 8;  // up to four HASH, then up to four RANGE

struct KeySchemaElement {
  std::string name;
  KeyRole role = KeyRole::kHash;
};

struct IndexSchema {
  std::string name;
  store::IndexKind kind = store::IndexKind::kGlobal;
  std::vector<KeySchemaElement> keys;
  std::optional<store::ProjectionType> projection;
  std::optional<std::vector<std::string>> non_key_attributes;
  std::optional<store::Throughput> throughput;
  std::optional<store::OnDemandThroughput> on_demand;
  std::optional<store::Throughput> warm;
};

struct StreamSpecification {
  bool enabled = false;
  std::optional<store::StreamView> view;
};

struct SseSpecification {
  bool enabled = false;
  std::string key;  // KMSMasterKeyId; empty: the default key

  store::Encryption Wanted() const { return {enabled ? std::optional(key) : std::nullopt}; }
};

// Readers note in the request's findings what is wrong; what they return is complete if nothing was found.
std::vector<item::KeyElement> ReadAttributeDefinitions(const RequestReader& request, Presence presence);
std::vector<KeySchemaElement> ReadKeySchema(const RequestReader& request, size_t elements_max);
std::optional<store::Throughput> ReadThroughput(const RequestReader& request, std::string_view name,
                                                Presence presence = Presence::kOptional);
std::optional<store::OnDemandThroughput> ReadOnDemandThroughput(const RequestReader& request,
                                                                std::string_view name);
std::optional<store::Throughput> ReadWarmThroughput(const RequestReader& request);
// Absent stays apart from empty: DynamoDB refuses an empty list.
std::optional<std::vector<IndexSchema>> ReadIndexes(const RequestReader& request, std::string_view name,
                                                    store::IndexKind kind);
IndexSchema ReadIndex(const RequestReader& index, store::IndexKind kind);
std::optional<StreamSpecification> ReadStreamSpecification(const RequestReader& request);
std::optional<SseSpecification> ReadSseSpecification(const RequestReader& request, std::string_view name);
// The wire's name, e.g. "STANDARD".
std::optional<std::string> ReadTableClass(const RequestReader& request);
std::map<std::string, std::string> ReadTags(const RequestReader& request, Presence presence);

}  // namespace cairn::dynamodb
