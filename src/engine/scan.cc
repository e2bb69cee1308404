// Scan: all items of a table or index, or of one of several segments that together are all.
#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/key_paths.h"
#include "engine/internal/page_read.h"

namespace cairn::engine {
namespace {

using internal::PageSource;

constexpr int64_t kHashes = 1 << (8 * internal::kHashBytes);

// Partitions are spread by a 16-bit hash: segment s of n holds the hashes h with h * n / 65536 == s.
std::string SegmentStart(uint32_t id, int64_t segment, int64_t total) {
  const int64_t hash = (segment * kHashes + total - 1) / total;
  std::string key;
  if (hash >= kHashes) {
    internal::AppendBigEndian(key, static_cast<uint64_t>(id) + 1, internal::kIdBytes);
    return key;
  }
  internal::AppendBigEndian(key, id, internal::kIdBytes);
  internal::AppendBigEndian(key, static_cast<uint64_t>(hash), internal::kHashBytes);
  return key;
}

Status SetStart(PageSource& source, const store::ScanRequest& request) {
  auto row = internal::StartRow(source, *request.exclusive_start_key);
  if (!row) {
    return Fail(
        Invalid("The provided starting key is invalid: The provided key element does not match the schema"));
  }
  if (*row < source.low || *row >= source.high) {
    return Fail(
        Invalid("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
                "ExclusiveStartKey with correct Segment. TotalSegments: " +
                std::to_string(request.total_segments) + " Segment: " + std::to_string(request.segment)));
  }
  source.after = *std::move(row);
  return {};
}

}  // namespace

Task<Result<store::PageResponse>> Engine::Scan(store::ScanRequest request) {
  scans_.fetch_add(1, std::memory_order_relaxed);
  CO_ASSIGN_OR_RETURN(internal::TableRef table, catalog_->Find(request.table));
  CO_ASSIGN_OR_RETURN(PageSource source, internal::OpenSource(std::move(table), request));
  CO_RETURN_IF_ERROR(internal::CheckKeyPaths(*source.table, request.projection));
  CO_RETURN_IF_ERROR(internal::CheckKeyPaths(*source.table, request.filter));
  source.low = SegmentStart(source.id(), request.segment, request.total_segments);
  source.high = SegmentStart(source.id(), request.segment + 1, request.total_segments);
  if (request.exclusive_start_key) {
    CO_RETURN_IF_ERROR(SetStart(source, request));
  }
  co_return co_await internal::ReadPage(*database_, source, request);
}

}  // namespace cairn::engine
