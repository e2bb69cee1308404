#include "engine/internal/layout.h"

#include "item/key_bytes.h"

namespace cairn::engine::internal {
namespace {

// FNV-1a folded to 16 bits: fixed for ever, because it is part of every stored key.
uint16_t PartitionHash(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3ull;
  return static_cast<uint16_t>(hash ^ (hash >> 16) ^ (hash >> 32) ^ (hash >> 48));
}

std::string Named(char kind, std::string_view name) {
  std::string key(1, kind);
  key += name;
  return key;
}

std::string Numbered(char kind, uint64_t number, size_t width) {
  std::string key(1, kind);
  AppendBigEndian(key, number, width);
  return key;
}

std::string PartitionedKey(uint32_t id, const item::KeySchema& schema, const item::Item& attributes) {
  std::string partition;
  item::AppendPartition(partition, schema, attributes);
  std::string key = PartitionPrefix(id, partition);
  item::AppendSort(key, schema, attributes);
  return key;
}

}  // namespace

void AppendBigEndian(std::string& out, uint64_t value, size_t width) {
  for (size_t i = width; i-- > 0;) out += static_cast<char>(value >> (8 * i));
}

uint64_t ReadBigEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (const char c : bytes) value = (value << 8) | static_cast<uint8_t>(c);
  return value;
}

std::string PartitionPrefix(uint32_t id, std::string_view partition_bytes) {
  std::string key;
  key.reserve(kIdBytes + kHashBytes + partition_bytes.size() + 64);
  AppendBigEndian(key, id, kIdBytes);
  AppendBigEndian(key, PartitionHash(partition_bytes), kHashBytes);
  key += partition_bytes;
  return key;
}

std::string ItemKey(const Table& table, const item::Item& key) {
  return PartitionedKey(table.id, table.key_schema(), key);
}

std::string IndexRowKey(const Index& index, const item::Item& attributes, std::string_view item_key) {
  std::string key = PartitionedKey(index.id, index.definition.key_schema, attributes);
  key += item_key.substr(kIdBytes);
  return key;
}

std::string ItemKeyFromTail(const Table& table, std::string_view tail) {
  std::string key;
  AppendBigEndian(key, table.id, kIdBytes);
  key += tail;
  return key;
}

std::string ExpiryRowKey(uint32_t ttl_id, int64_t expires_seconds, std::string_view item_key) {
  std::string key;
  AppendBigEndian(key, ttl_id, kIdBytes);
  AppendBigEndian(key, static_cast<uint64_t>(expires_seconds), 8);
  key += item_key.substr(kIdBytes);
  return key;
}

std::string StreamRowKey(uint32_t stream_id, uint64_t sequence) {
  std::string key;
  AppendBigEndian(key, stream_id, kIdBytes);
  AppendBigEndian(key, sequence, 8);
  return key;
}

std::string MetaKey(std::string_view name) { return Named('M', name); }
std::string TableRecordKey(std::string_view table_name) { return Named(kTableRecordPrefix, table_name); }
std::string CountersKey(uint32_t table_id) { return Numbered('C', table_id, kIdBytes); }
std::string StreamRecordKey(uint32_t stream_id) { return Numbered(kStreamRecordPrefix, stream_id, kIdBytes); }
std::string TokenKey(std::string_view client_token) { return Named(kTokenPrefix, client_token); }
std::string TokenExpiryKey(int64_t expires_seconds, std::string_view client_token) {
  return Numbered(kTokenExpiryPrefix, static_cast<uint64_t>(expires_seconds), 8).append(client_token);
}
std::string BackupRecordKey(std::string_view backup_id) { return Named(kBackupRecordPrefix, backup_id); }

std::pair<std::string, std::string> IdRange(uint32_t id) {
  std::string low, high;
  AppendBigEndian(low, id, kIdBytes);
  AppendBigEndian(high, static_cast<uint64_t>(id) + 1, kIdBytes);
  return {low, high};
}

}  // namespace cairn::engine::internal
