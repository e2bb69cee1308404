// Catalog records: tables, streams and backups written as items, so that the stored form can grow attributes
// without a change of format. Stored on disk: docs/storage-format.md.
#pragma once

#include "base/result.h"
#include "engine/internal/catalog.h"
#include "item/attribute_value.h"

namespace cairn::engine::internal {

item::Item RecordOf(const Table& table);
item::Item RecordOf(const Stream& stream);
item::Item RecordOf(const Backup& backup);

Result<Table> TableFromRecord(const item::Item& record);
Result<Stream> StreamFromRecord(const item::Item& record);
Result<Backup> BackupFromRecord(const item::Item& record);

}  // namespace cairn::engine::internal
