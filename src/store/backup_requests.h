// On-demand backups of single tables, kept inside the store.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/table.h"

namespace cairn::store {

struct BackupDescription {
  std::string id;  // unique part of the backup's ARN, e.g. "01730000000000-1a2b3c4d"
  std::string name;
  Time created;
  TableDescription table;  // as it was
  int64_t size_bytes = 0;
};

struct CreateBackupRequest {
  std::string table;
  std::string name;
};
struct ListBackupsRequest {
  std::string table;  // empty: of all tables
  std::optional<Time> created_from, created_before;
  std::string exclusive_start_id;
  size_t limit = 100;
};
struct ListBackupsResponse {
  std::vector<BackupDescription> backups;
  std::string last_evaluated_id;  // empty: no more
};
// A backup is named by its table and its id.
struct BackupId {
  std::string table;
  std::string id;
};
struct RestoreTableRequest {
  BackupId backup;
  std::string target_table;
  std::optional<BillingMode> billing_mode;
  std::optional<Throughput> throughput;
  std::optional<std::vector<IndexDefinition>> global_indexes, local_indexes;  // a subset of the backup's
  std::optional<OnDemandThroughput> on_demand;
  std::optional<Encryption> encryption;
};

}  // namespace cairn::store
