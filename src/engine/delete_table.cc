// DeleteTable: the table, its items and index rows go in one batch. Its stream stays readable for a day.
#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/streams.h"
#include "engine/internal/writer.h"

namespace cairn::engine {

using internal::CommitGroup;
using internal::Family;
using internal::TableRef;
using store::TableDescription;

namespace {

void DeleteRows(CommitGroup& group, Family family, uint32_t id) {
  const auto [low, high] = internal::IdRange(id);
  group.DeleteRange(family, low, high);
}

}  // namespace

Task<Result<TableDescription>> Engine::DeleteTable(std::string name) {
  auto work = [&](CommitGroup& group) -> Result<TableDescription> {
    ASSIGN_OR_RETURN(const TableRef table, catalog_->FindAny(name));
    if (internal::Describe(*table).status != store::TableStatus::kActive) {
      return Fail(Code::kResourceInUse,
                  "Attempt to change a resource which is still in use: Table is being updated: " + name);
    }
    if (table->definition.deletion_protection) {
      return Fail(
          Invalid("Resource cannot be deleted as it is currently protected against deletion. Disable "
                  "deletion protection first."));
    }
    DeleteRows(group, Family::kItems, table->id);
    for (const internal::Index& index : table->indexes) DeleteRows(group, Family::kIndexes, index.id);
    if (table->expiry) DeleteRows(group, Family::kIndexes, table->expiry->id);
    group.Delete(Family::kCatalog, internal::CountersKey(table->id));
    if (table->stream) internal::CloseStream(*catalog_, group, table->stream->id, writer_->next_sequence());
    catalog_->Remove(group, *table);
    TableDescription description = internal::Describe(*table);
    description.status = store::TableStatus::kDeleting;
    return description;
  };
  co_return co_await writer_->Submit(work, internal::Grouping::kAlone);
}

}  // namespace cairn::engine
