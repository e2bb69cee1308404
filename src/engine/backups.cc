// On-demand backups: the table's items copied under an id of their own, as of one snapshot.
#include <cstdio>

#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/copy_rows.h"
#include "engine/internal/jobs.h"
#include "engine/internal/streams.h"
#include "engine/internal/writer.h"
#include "store/capacity.h"

namespace cairn::engine {
namespace {

using internal::Backup;
using internal::CommitGroup;
using internal::Family;
using internal::Grouping;
using internal::Index;
using internal::Table;
using internal::TableRef;
using store::BackupDescription;
using store::TableDescription;

Error NoBackup(const store::BackupId& wanted) {
  return {Code::kBackupNotFound, "Backup not found: " + wanted.table + "/backup/" + wanted.id};
}

Result<Backup> FindComplete(const internal::Catalog& catalog, const store::BackupId& wanted) {
  auto backup = catalog.FindBackup(wanted.id);
  if (!backup || backup->description.table.definition.name != wanted.table) return Fail(NoBackup(wanted));
  return *std::move(backup);
}

std::string NewBackupId(Time now, Random& random) {
  char text[40];
  std::snprintf(text, sizeof text, "%014lld-%08x", static_cast<long long>(EpochMilliseconds(now)),
                static_cast<unsigned>(random.Next()));
  return text;
}

// An index that is being deleted is no part of the table any more.
TableDescription DescribeForBackup(Table table) {
  std::erase_if(table.indexes,
                [](const Index& index) { return index.status == store::IndexStatus::kDeleting; });
  return internal::Describe(table);
}

// The indexes a restored table gets: those of the backup, or the subset that was asked for.
std::vector<store::IndexDefinition> WantedIndexes(const Backup& backup,
                                                  const store::RestoreTableRequest& request) {
  std::vector<store::IndexDefinition> wanted;
  for (const store::IndexDefinition& index : backup.description.table.definition.indexes) {
    const auto& only =
        index.kind == store::IndexKind::kGlobal ? request.global_indexes : request.local_indexes;
    const bool keep = !only || std::any_of(only->begin(), only->end(),
                                           [&](const auto& chosen) { return chosen.name == index.name; });
    if (keep) wanted.push_back(index);
  }
  return wanted;
}

Table RestoredTable(const Backup& backup, const store::RestoreTableRequest& request, Time now) {
  Table table;
  table.definition = backup.description.table.definition;
  table.definition.name = request.target_table;
  table.definition.indexes.clear();
  table.definition.stream.reset();
  table.definition.tags.clear();
  table.definition.deletion_protection = false;
  if (request.billing_mode) table.definition.billing_mode = *request.billing_mode;
  if (request.throughput) table.definition.throughput = *request.throughput;
  if (table.definition.billing_mode == store::BillingMode::kProvisioned) table.definition.on_demand.reset();
  if (request.on_demand) table.definition.on_demand = request.on_demand;
  if (request.encryption) table.definition.sse_key = request.encryption->key;
  table.status = store::TableStatus::kCreating;
  table.created = now;
  table.restored_from_backup = backup.description.id;
  table.restored_from_table = backup.description.table.definition.name;
  table.restored_at = backup.description.created;
  return table;
}

// The items of a table at one moment.
struct Source {
  const Table& table;
  const internal::SnapshotRef& snapshot;
};

// Copies them and records that the backup is complete.
Task<Status> Copy(const internal::Database& database, internal::Catalog& catalog, internal::Writer& writer,
                  Source source, Backup& backup) {
  std::string after;
  for (bool last = false; !last;) {
    CO_ASSIGN_OR_RETURN(
        internal::RowPortion portion,
        internal::ReadPortion(database, Family::kItems, source.table.id, after, source.snapshot));
    auto copy = [&](CommitGroup& group) -> Status {
      for (auto& [key, value] : portion.rows) {
        std::string target = internal::IdRange(backup.id).first + key.substr(internal::kIdBytes);
        group.Put(Family::kItems, target, value);
      }
      return {};
    };
    CO_RETURN_IF_ERROR(co_await writer.Submit(copy));
    last = portion.last;
    if (!portion.rows.empty()) after = portion.rows.back().first;
  }
  backup.complete = true;
  auto finish = [&](CommitGroup& group) -> Status {
    catalog.SaveBackup(group, backup);
    return {};
  };
  co_return co_await writer.Submit(finish, Grouping::kAlone);
}

}  // namespace

Task<Result<BackupDescription>> Engine::CreateBackup(store::CreateBackupRequest request) {
  TableRef table;
  internal::SnapshotRef snapshot;
  Backup backup;
  // The table, its description and the view of its items are those of one moment between two commits.
  // Recorded as incomplete first, so that an interrupted copy is cleaned up.
  auto begin = [&](CommitGroup& group) -> Status {
    auto found = catalog_->Find(request.table);
    if (!found) return Fail(Code::kTableNotFound, "Table not found: " + request.table);
    table = *std::move(found);
    snapshot = database_->Snapshot();
    backup.description = {.id = NewBackupId(group.now(), random_),
                          .name = request.name,
                          .created = group.now(),
                          .table = DescribeForBackup(*table),
                          .size_bytes = table->counter->bytes};
    backup.id = catalog_->NewId(group);
    backup.is_being_copied = true;
    catalog_->SaveBackup(group, backup);
    return {};
  };
  CO_RETURN_IF_ERROR(co_await writer_->Submit(begin, Grouping::kAlone));

  auto copied = co_await Copy(*database_, *catalog_, *writer_, {*table, snapshot}, backup);
  catalog_->ReleaseBackup(backup.description.id);
  if (!copied) {
    jobs_->Kick();  // they remove what was copied
    co_return std::unexpected(std::move(copied).error());
  }
  co_return backup.description;
}

Task<Result<BackupDescription>> Engine::DescribeBackup(store::BackupId wanted) {
  CO_ASSIGN_OR_RETURN(Backup backup, FindComplete(*catalog_, wanted));
  co_return std::move(backup.description);
}

Task<Result<BackupDescription>> Engine::DeleteBackup(store::BackupId wanted) {
  auto work = [&](CommitGroup& group) -> Result<BackupDescription> {
    ASSIGN_OR_RETURN(Backup backup, FindComplete(*catalog_, wanted));
    for (const TableRef& table : catalog_->Tables()) {
      if (table->status == store::TableStatus::kCreating && table->restored_from_backup == wanted.id) {
        return Fail(Code::kBackupInUse, "Backup is being restored to table " + table->name());
      }
    }
    const auto [low, high] = internal::IdRange(backup.id);
    group.DeleteRange(Family::kItems, low, high);
    catalog_->RemoveBackup(group, backup);
    return std::move(backup.description);
  };
  co_return co_await writer_->Submit(work, Grouping::kAlone);
}

Task<Result<store::ListBackupsResponse>> Engine::ListBackups(store::ListBackupsRequest request) {
  store::ListBackupsResponse response;
  for (Backup& backup : catalog_->Backups()) {
    BackupDescription& description = backup.description;
    if (!backup.complete) continue;
    if (!request.table.empty() && description.table.definition.name != request.table) continue;
    if (request.created_from && description.created < *request.created_from) continue;
    if (request.created_before && description.created >= *request.created_before) continue;
    if (!request.exclusive_start_id.empty() && description.id <= request.exclusive_start_id) continue;
    if (response.backups.size() == request.limit) {
      response.last_evaluated_id = response.backups.back().id;
      break;
    }
    response.backups.push_back(std::move(description));
  }
  co_return response;
}

Task<Result<TableDescription>> Engine::RestoreTableFromBackup(store::RestoreTableRequest request) {
  auto work = [&](CommitGroup& group) -> Result<TableDescription> {
    ASSIGN_OR_RETURN(const Backup backup, FindComplete(*catalog_, request.backup));
    if (catalog_->FindAny(request.target_table)) {
      return Fail(Code::kTableExists, "Table already exists: " + request.target_table);
    }
    Table table = RestoredTable(backup, request, group.now());
    RETURN_IF_ERROR(store::CheckNewCapacity(table.definition.billing_mode, table.definition.throughput,
                                            request.on_demand, std::nullopt, "table"));
    table.id = catalog_->NewId(group);
    table.uuid = NewUuid(random_);
    for (store::IndexDefinition& definition : WantedIndexes(backup, request)) {
      Index index;
      index.id = catalog_->NewId(group);
      index.definition = std::move(definition);
      table.indexes.push_back(std::move(index));
    }
    TableDescription description = internal::Describe(table);
    catalog_->Save(group, std::move(table));
    return description;
  };
  auto result = co_await writer_->Submit(work, Grouping::kAlone);
  if (result) jobs_->Kick();
  co_return result;
}

}  // namespace cairn::engine
