// Engine::MetricsText: numbers for operators.
#include "base/metrics.h"

#include "engine/engine.h"
#include "engine/internal/database.h"
#include "engine/internal/writer.h"

namespace cairn::engine {
namespace {

using metrics::Kind;

struct Figure {
  const char* property;  // RocksDB's name
  std::string_view name, help;
};

// Of all families together.
constexpr Figure kSums[] = {
    {"rocksdb.total-sst-files-size", "cairn_rocksdb_file_bytes", "Size of all table files."},
    {"rocksdb.estimate-live-data-size", "cairn_rocksdb_live_bytes",
     "What of them is not outdated, estimated."},
    {"rocksdb.cur-size-all-mem-tables", "cairn_rocksdb_memtable_bytes", "Written, but not yet in files."},
    {"rocksdb.num-immutable-mem-table", "cairn_rocksdb_memtables_waiting",
     "Memtables waiting to be flushed."},
    {"rocksdb.estimate-pending-compaction-bytes", "cairn_rocksdb_compaction_pending_bytes",
     "What compaction still has to rewrite."},
    {"rocksdb.estimate-table-readers-mem", "cairn_rocksdb_table_reader_bytes",
     "Indexes and filters of open files, in memory."},
};
// Of the database as a whole.
constexpr Figure kSingles[] = {
    {"rocksdb.block-cache-usage", "cairn_rocksdb_cache_bytes", "Blocks in the cache."},
    {"rocksdb.num-running-flushes", "cairn_rocksdb_flushes_running", "Flushes under way."},
    {"rocksdb.num-running-compactions", "cairn_rocksdb_compactions_running", "Compactions under way."},
    {"rocksdb.is-write-stopped", "cairn_rocksdb_writes_stopped", "1 while writes wait for compaction."},
    {"rocksdb.background-errors", "cairn_rocksdb_background_errors", "Failed flushes and compactions."},
};

}  // namespace

std::string Engine::MetricsText() const {
  std::string text;
  const auto histogram = [&](std::string_view name, std::string_view help, const metrics::Histogram& values) {
    metrics::AppendHead(text, name, Kind::kHistogram, help);
    values.AppendTo(text, name, "");
  };
  histogram("cairn_store_commit_writes", "Writes that shared one commit and one sync.",
            writer_->group_sizes());
  histogram("cairn_store_commit_seconds", "Time of a commit: log, sync, memtable.",
            writer_->commit_seconds());
  if (const metrics::Histogram* syncs = database_->sync_seconds()) {
    histogram("cairn_store_sync_seconds", "Time the disk took for a sync of the log.", *syncs);
  }
  metrics::AppendMetric(text, "cairn_store_scans_total", Kind::kCounter,
                        "Pages of Scans served, whoever asked for them.", static_cast<double>(scans_));
  metrics::AppendMetric(text, "cairn_store_writable", Kind::kGauge,
                        "1, or 0 while the store takes no writes (see /healthz).", Health().writable ? 1 : 0);
  for (const Figure& figure : kSums) {
    metrics::AppendMetric(text, figure.name, Kind::kGauge, figure.help,
                          static_cast<double>(database_->SumOf(figure.property)));
  }
  for (const Figure& figure : kSingles) {
    metrics::AppendMetric(text, figure.name, Kind::kGauge, figure.help,
                          static_cast<double>(database_->ValueOf(figure.property)));
  }
  return text;
}

}  // namespace cairn::engine
