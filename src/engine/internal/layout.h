// Layout: the keys under which everything lies in RocksDB. Stored on disk: docs/storage-format.md tells it in
// prose.
//
// All numbers are big-endian, so that bytes sort like numbers. The hash in front of a partition spreads a
// table's partitions evenly, which gives parallel scans their segments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "engine/internal/table.h"
#include "item/attribute_value.h"
#include "item/key_schema.h"

namespace cairn::engine::internal {

// Column families, in the order they are opened.
enum class Family { kCatalog, kItems, kIndexes, kStreams };
inline constexpr int kFamilyCount = 4;

inline constexpr size_t kIdBytes = 4;
inline constexpr size_t kHashBytes = 2;

void AppendBigEndian(std::string& out, uint64_t value, size_t width);
uint64_t ReadBigEndian(std::string_view bytes);

// [owner id][hash of the partition bytes][partition bytes]
std::string PartitionPrefix(uint32_t id, std::string_view partition_bytes);

// kItems: partition prefix + sort bytes. `key` has all key attributes.
std::string ItemKey(const Table& table, const item::Item& key);
// kIndexes: the index key's partition prefix and sort bytes, then the item's key without its table id.
std::string IndexRowKey(const Index& index, const item::Item& attributes, std::string_view item_key);
// The item's key inside an index row's or expiry row's key is its tail.
std::string ItemKeyFromTail(const Table& table, std::string_view tail);

// kIndexes: [id][expiry seconds][item key without its table id]
std::string ExpiryRowKey(uint32_t ttl_id, int64_t expires_seconds, std::string_view item_key);

// kStreams: [stream id][sequence]
std::string StreamRowKey(uint32_t stream_id, uint64_t sequence);

// kCatalog
std::string MetaKey(std::string_view name);
std::string TableRecordKey(std::string_view table_name);
std::string CountersKey(uint32_t table_id);
std::string StreamRecordKey(uint32_t stream_id);
std::string TokenKey(std::string_view client_token);
// Ordered by expiry, so that old tokens are found without reading all: [expiry seconds][token]
std::string TokenExpiryKey(int64_t expires_seconds, std::string_view client_token);
std::string BackupRecordKey(std::string_view backup_id);

inline constexpr char kTableRecordPrefix = 'T';
inline constexpr char kStreamRecordPrefix = 'S';
inline constexpr char kBackupRecordPrefix = 'B';
inline constexpr char kTokenPrefix = 'K';
inline constexpr char kTokenExpiryPrefix = 'X';

// Every row of an id: [id] up to [id + 1].
std::pair<std::string, std::string> IdRange(uint32_t id);

}  // namespace cairn::engine::internal
