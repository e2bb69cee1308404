#include "engine/internal/page_read.h"

#include <algorithm>

#include "base/aside.h"
#include "base/slice.h"
#include "engine/internal/capacity.h"
#include "item/key_schema.h"
#include "store/answer_bytes.h"

namespace cairn::engine::internal {
namespace {

using item::Item;
using item::PackedItem;

constexpr size_t kBytesBetweenLooks = 16 * 1024;  // at the clock
// A filter with more comparisons may take long for a single item.
constexpr size_t kFilterPartsHereMax = 16;

void AppendNames(std::vector<std::string>& names, const item::KeySchema& schema) {
  for (const auto& element : schema.partition) names.push_back(element.name);
  for (const auto& element : schema.sort) names.push_back(element.name);
}

// The attributes of a LastEvaluatedKey: the table's key, and the index's key before it.
std::vector<std::string> CursorNames(const PageSource& source) {
  std::vector<std::string> names;
  AppendNames(names, source.table->key_schema());
  if (source.index) AppendNames(names, source.index->definition.key_schema);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> NotCarried(const Index& index, const std::optional<expr::Projection>& projection) {
  if (!projection || index.carries_everything()) return {};
  return NotCarried(index, expr::ReferencedAttributes(*projection));
}

std::string Join(const std::vector<std::string>& names) {
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return joined;
}

Status CheckGlobalIndex(const Index& index, const store::PageRequest& request) {
  if (request.consistency == store::Consistency::kStrong) {
    return Fail(Invalid("Consistent reads are not supported on global secondary indexes"));
  }
  if (index.status == store::IndexStatus::kCreating) {
    return Fail(Invalid("Cannot read from backfilling global secondary index: " + index.definition.name));
  }
  if (request.select == store::Select::kAllAttributes && !index.carries_everything()) {
    return Fail(
        Invalid("One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for "
                "global secondary index " +
                index.definition.name + " because its projection type is not ALL"));
  }
  if (const auto missing = NotCarried(index, request.projection); !missing.empty()) {
    return Fail(Invalid("One or more parameter values were invalid: Global secondary index " +
                        index.definition.name + " does not project [" + Join(missing) + "]"));
  }
  return {};
}

// A local index gives attributes it does not carry by reading the item itself.
bool NeedsWholeItems(const PageSource& source, const store::PageRequest& request) {
  if (!source.index || source.index->definition.kind != store::IndexKind::kLocal) return false;
  if (source.index->carries_everything()) return false;
  return request.select == store::Select::kAllAttributes ||
         !NotCarried(*source.index, request.projection).empty();
}

class PageBuilder {
 public:
  PageBuilder(const Database& database, const PageSource& source, const store::PageRequest& request)
      : database_(database),
        source_(source),
        request_(request),
        whole_items_(NeedsWholeItems(source, request)),
        snapshot_(whole_items_ ? database.Snapshot() : nullptr),
        low_(ToSlice(source.low)),
        high_(ToSlice(source.high)) {
    if (request.filter) filter_names_ = expr::ReferencedAttributes(*request.filter);
    if (request.projection) {
      projected_names_ = expr::ReferencedAttributes(*request.projection);
      whole_attributes_ = expr::NamesWholeAttributes(*request.projection);
    }
  }

  enum class Until { kSliceUsed, kEnd };
  // Reads on until the page is complete, or the slice of the calling thread is used up. Whether it is
  // complete.
  Result<bool> Read(Until until);
  store::PageResponse TakePage() { return std::move(page_); }

 private:
  void Open();
  Status Take(PackedItem row);
  Result<PackedItem> WholeItem(const PackedItem& row);
  bool IsFull() const {
    return bytes_ >= store::kPageBytesMax || fetched_bytes_ >= store::kPageBytesMax ||
           stored_bytes_ >= store::kPageStoredBytesMax;
  }
  void Keep(PackedItem row);
  store::ConsumedCapacity Capacity() const;
  void Seek(rocksdb::Iterator& rows) const;
  // Where the next page goes on: behind this row.
  void EndAt(const PackedItem& row) { page_.last_evaluated_key = row.UnpackOnly(CursorNames(source_)); }

  const Database& database_;
  const PageSource& source_;
  const store::PageRequest& request_;
  const bool whole_items_;
  const SnapshotRef snapshot_;
  const rocksdb::Slice low_, high_;  // the iterator looks at them as long as it is there
  std::vector<std::string> filter_names_, projected_names_;
  bool whole_attributes_ = false;  // the projection names no parts of attributes

  std::unique_ptr<rocksdb::Iterator> rows_;
  store::PageResponse page_;
  size_t bytes_ = 0;          // of the rows, as DynamoDB counts them
  size_t fetched_bytes_ = 0;  // of the items that a local index did not carry
  size_t stored_bytes_ = 0;   // of both, as they lie there
  size_t checked_bytes_ = 0;  // stored_bytes_ when the clock was looked at last
  double fetch_units_ = 0;
};

void PageBuilder::Seek(rocksdb::Iterator& rows) const {
  const bool ascending = source_.order == store::Order::kAscending;
  if (!source_.after) {
    ascending ? rows.SeekToFirst() : rows.SeekToLast();
    return;
  }
  const rocksdb::Slice after = ToSlice(*source_.after);
  ascending ? rows.Seek(after) : rows.SeekForPrev(after);
  if (rows.Valid() && rows.key() == after) ascending ? rows.Next() : rows.Prev();
}

void PageBuilder::Open() {
  const Family family = source_.index ? Family::kIndexes : Family::kItems;
  rows_ = database_.Iterate(family, low_, high_, snapshot_);
  Seek(*rows_);
}

Result<bool> PageBuilder::Read(Until until) {
  if (rows_ == nullptr) Open();
  const bool ascending = source_.order == store::Order::kAscending;
  for (; rows_->Valid(); ascending ? rows_->Next() : rows_->Prev()) {
    if (until == Until::kSliceUsed && stored_bytes_ - checked_bytes_ > kBytesBetweenLooks) {
      checked_bytes_ = stored_bytes_;
      if (Slice::IsUsed()) return false;
    }
    PackedItem row = PackedItem::Trusted(rows_->value().ToString());
    const bool is_last = request_.limit && page_.scanned_count + 1 >= *request_.limit;
    if (is_last) EndAt(row);
    RETURN_IF_ERROR(Take(std::move(row)));
    if (is_last) break;
    // The item that lifts the page to 1 MB is its last one, also when no other follows.
    if (IsFull()) {
      EndAt(PackedItem::Trusted(rows_->value().ToString()));
      break;
    }
  }
  if (!rows_->status().ok()) return Fail(StorageError(rows_->status()));
  if (request_.return_capacity != store::ReturnCapacity::kNone) page_.capacity = Capacity();
  return true;
}

Status PageBuilder::Take(PackedItem row) {
  bytes_ += row.ItemBytes();
  stored_bytes_ += row.bytes().size();
  ++page_.scanned_count;
  if (whole_items_) {
    ASSIGN_OR_RETURN(row, WholeItem(row));
  }
  if (!request_.filter || expr::EvaluateCondition(*request_.filter, row.UnpackSorted(filter_names_))) {
    ++page_.count;
    if (request_.select != store::Select::kCount) Keep(std::move(row));
  }
  return {};
}

Result<PackedItem> PageBuilder::WholeItem(const PackedItem& row) {
  const std::string key = ItemKey(*source_.table, row.UnpackOnly(CursorNames(source_)));
  ASSIGN_OR_RETURN(std::optional<std::string> bytes, database_.Get(Family::kItems, key, snapshot_));
  if (!bytes) return Fail(Code::kDamaged, "An index row has no item.");
  PackedItem whole = PackedItem::Trusted(*std::move(bytes));
  fetched_bytes_ += whole.ItemBytes();
  stored_bytes_ += whole.bytes().size();
  fetch_units_ += ReadUnits(whole.ItemBytes(), request_.consistency, Multiplier::kPlain);
  return whole;
}

void PageBuilder::Keep(PackedItem row) {
  if (request_.projection) {
    const Item named = row.UnpackSorted(projected_names_);
    row = PackedItem::Pack(whole_attributes_ ? named : expr::Project(*request_.projection, named));
  }
  page_.items.push_back(std::move(row));
}

store::ConsumedCapacity PageBuilder::Capacity() const {
  const double units = ReadUnits(bytes_, request_.consistency, Multiplier::kPlain);
  if (!source_.index) return ReadCapacity(*source_.table, units);
  store::ConsumedCapacity capacity = ReadCapacity(*source_.table, fetch_units_);
  auto& indexes = source_.index->definition.kind == store::IndexKind::kLocal ? capacity.local_indexes
                                                                             : capacity.global_indexes;
  indexes[source_.index->definition.name].read = units;
  return capacity;
}

}  // namespace

std::vector<std::string> NotCarried(const Index& index, const std::vector<std::string>& names) {
  std::vector<std::string> missing;
  if (index.carries_everything()) return missing;
  for (const std::string& name : names) {
    if (!std::binary_search(index.projected.begin(), index.projected.end(), name)) missing.push_back(name);
  }
  return missing;
}

Result<PageSource> OpenSource(TableRef table, const store::PageRequest& request) {
  PageSource source{.table = std::move(table)};
  if (request.index) {
    source.index = source.table->FindIndex(*request.index);
    if (!source.index || source.index->status == store::IndexStatus::kDeleting) {
      return Fail(Invalid("The table does not have the specified index: " + *request.index));
    }
    if (source.index->definition.kind == store::IndexKind::kGlobal) {
      RETURN_IF_ERROR(CheckGlobalIndex(*source.index, request));
    }
  }
  return source;
}

Result<std::string> StartRow(const PageSource& source, const Item& start_key) {
  const std::vector<std::string> names = CursorNames(source);
  const auto fits = [&](const item::KeySchema& schema) { return item::HasKey(schema, start_key); };
  if (start_key.size() != names.size() || !fits(source.table->key_schema()) || !fits(source.key_schema())) {
    return Fail(Invalid("The provided starting key is invalid"));
  }
  std::string row = ItemKey(*source.table, start_key);
  return source.index ? IndexRowKey(*source.index, start_key, row) : row;
}

Task<Result<store::PageResponse>> ReadPage(const Database& database, const PageSource& source,
                                           const store::PageRequest& request) {
  PageBuilder builder(database, source, request);
  const bool is_long = request.filter && expr::CountParts(*request.filter) > kFilterPartsHereMax;
  Result<bool> is_complete = false;
  if (!is_long) is_complete = builder.Read(PageBuilder::Until::kSliceUsed);
  if (is_complete && !*is_complete) {
    auto rest = [&] { return builder.Read(PageBuilder::Until::kEnd); };
    is_complete = co_await Aside(rest);
  }
  if (!is_complete) co_return std::unexpected(std::move(is_complete).error());
  co_return builder.TakePage();
}

}  // namespace cairn::engine::internal
