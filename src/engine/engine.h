// Engine: the Store on this machine's disk, on RocksDB.
//
// One writer applies every change (internal/writer.h); readers work on RocksDB's own consistent views and
// never wait for it. Used by server/ and by the offline commands; knows nothing of HTTP or of domains.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "store/store.h"

namespace rocksdb {
class Env;
}

namespace cairn::engine {

enum class Durability {
  kSync,     // a write is acknowledged after it was synced to disk
  kRelaxed,  // synced every `relaxed_sync_interval`; a power loss may cost that suffix, never a hole
  kMemory,   // nothing touches the disk
};

enum class BackgroundJobs { kOn, kOff };

struct EngineOptions {
  std::string directory;  // created if missing; unused with kMemory
  Durability durability = Durability::kSync;
  size_t cache_bytes = 256 << 20;  // blocks, indexes and filters read from disk, and what is not yet there
  size_t write_buffer_bytes = 32 << 20;
  std::chrono::milliseconds relaxed_sync_interval{100};
  std::chrono::seconds ttl_sweep_interval{20};
  std::chrono::hours stream_retention{24};
  BackgroundJobs background_jobs = BackgroundJobs::kOn;  // kOff: only Engine::RunJobs does them
  rocksdb::Env* env = nullptr;                           // for fault injection; null: the real one
};

struct EngineHealth {
  bool writable = true;
  std::string reason;  // why not
};

// What a scrub found. See docs/storage-format.md for what must hold.
struct VerifyReport {
  uint64_t tables = 0, items = 0, index_rows = 0, stream_records = 0;
  std::vector<std::string> findings;  // empty: all is well
};
// Called now and then during long work with the number of rows done so far.
using Progress = std::function<void(uint64_t rows)>;

namespace internal {
class Database;
class Catalog;
class Writer;
class Jobs;
class TokensInFlight;
}  // namespace internal

class Engine final : public store::Store {
 public:
  // Opens or creates the directory. Fails when it is in use, damaged in the middle of its log, or written by
  // a newer version.
  static Result<std::unique_ptr<Engine>> Open(EngineOptions options, const Clock& clock, Random& random);
  ~Engine() override;

  Task<Result<store::GetItemResponse>> GetItem(store::GetItemRequest request) override;
  Task<Result<store::WriteResponse, store::WriteFailure>> PutItem(store::PutItemRequest request) override;
  Task<Result<store::WriteResponse, store::WriteFailure>> UpdateItem(
      store::UpdateItemRequest request) override;
  Task<Result<store::WriteResponse, store::WriteFailure>> DeleteItem(
      store::DeleteItemRequest request) override;
  Task<Result<store::PageResponse>> Query(store::QueryRequest request) override;
  Task<Result<store::PageResponse>> Scan(store::ScanRequest request) override;
  Task<Result<store::BatchGetItemResponse>> BatchGetItem(store::BatchGetItemRequest request) override;
  Task<Result<store::BatchWriteItemResponse>> BatchWriteItem(store::BatchWriteItemRequest request) override;
  Task<Result<store::TransactGetItemsResponse, store::TransactionFailure>> TransactGetItems(
      store::TransactGetItemsRequest request) override;
  Task<Result<store::TransactWriteItemsResponse, store::TransactionFailure>> TransactWriteItems(
      store::TransactWriteItemsRequest request) override;

  Task<Result<store::TableDescription>> CreateTable(store::TableDefinition definition) override;
  Task<Result<store::TableDescription>> UpdateTable(store::UpdateTableRequest request) override;
  Task<Result<store::TableDescription>> DeleteTable(std::string table) override;
  Task<Result<store::TableDescription>> DescribeTable(std::string table) override;
  Task<Result<store::ListTablesResponse>> ListTables(store::ListTablesRequest request) override;
  Task<Result<store::TimeToLive>> UpdateTimeToLive(store::UpdateTimeToLiveRequest request) override;
  Task<Result<store::TimeToLive>> DescribeTimeToLive(std::string table) override;
  Task<Status> TagTable(std::string table, std::map<std::string, std::string> tags) override;
  Task<Status> UntagTable(std::string table, std::vector<std::string> tag_keys) override;

  Task<Result<store::ListStreamsResponse>> ListStreams(store::ListStreamsRequest request) override;
  Task<Result<store::StreamDescription>> DescribeStream(store::StreamId stream) override;
  Task<Result<store::ShardPosition>> GetShardPosition(store::GetShardPositionRequest request) override;
  Task<Result<store::GetRecordsResponse>> GetRecords(store::GetRecordsRequest request) override;

  Task<Result<store::BackupDescription>> CreateBackup(store::CreateBackupRequest request) override;
  Task<Result<store::BackupDescription>> DescribeBackup(store::BackupId backup) override;
  Task<Result<store::BackupDescription>> DeleteBackup(store::BackupId backup) override;
  Task<Result<store::ListBackupsResponse>> ListBackups(store::ListBackupsRequest request) override;
  Task<Result<store::TableDescription>> RestoreTableFromBackup(store::RestoreTableRequest request) override;

  EngineHealth Health() const;
  // Before a clean stop: leaves nothing in the log for the next start to read.
  void Flush();
  // Commits, scans and what RocksDB tells of itself, as Prometheus reads it.
  std::string MetricsText() const;

  // For operators. A checkpoint is a complete data directory, consistent as of one moment, made by hard
  // links.
  Status Checkpoint(const std::string& directory);
  // Reads everything and checks it: checksums, every index row against its item, counts, stream records.
  Result<VerifyReport> Verify(const Progress& progress);

  // For tests: runs one round of the background jobs (expiry, trimming, backfill) now and returns when done.
  void RunJobs();

 private:
  Engine(EngineOptions options, const Clock& clock, Random& random);

  EngineOptions options_;
  const Clock& clock_;
  Random& random_;
  std::unique_ptr<internal::Database> database_;
  std::unique_ptr<internal::Catalog> catalog_;
  std::unique_ptr<internal::Writer> writer_;
  std::unique_ptr<internal::TokensInFlight> tokens_;
  std::unique_ptr<internal::Jobs> jobs_;
  std::atomic<uint64_t> scans_ = 0;
};

}  // namespace cairn::engine
