#include "store_reader.h"

#include "base/task.h"
#include "item/key_schema.h"

namespace cairn::faults {

using engine::Engine;
using item::Item;

Result<Items> ReadTable(Engine& engine, const std::string& table, const std::optional<std::string>& index) {
  Items items;
  store::ScanRequest request;
  request.table = table;
  request.index = index;
  do {
    auto page = SyncWait(engine.Scan(request));
    if (!page) return Fail(std::move(page).error());
    for (const item::PackedItem& packed : page->items) {
      Item whole = packed.Unpack();
      Place place = PlaceOf(table, whole);
      items.insert_or_assign(std::move(place), std::move(whole));
    }
    request.exclusive_start_key = std::move(page->last_evaluated_key);
  } while (request.exclusive_start_key);
  return items;
}

Result<std::vector<TableRecord>> ReadStream(Engine& engine, const std::string& table) {
  ASSIGN_OR_RETURN(const auto description, SyncWait(engine.DescribeTable(table)));
  const store::StreamId id{table, description.stream_label};
  ASSIGN_OR_RETURN(const auto stream, SyncWait(engine.DescribeStream(id)));
  store::GetShardPositionRequest start{.stream = id, .shard_id = stream.shard_id};
  ASSIGN_OR_RETURN(store::ShardPosition position, SyncWait(engine.GetShardPosition(start)));
  std::vector<TableRecord> records;
  while (true) {
    store::GetRecordsRequest request{.position = position};
    ASSIGN_OR_RETURN(auto page, SyncWait(engine.GetRecords(request)));
    for (store::StreamRecord& record : page.records) records.push_back({table, std::move(record)});
    if (page.records.empty() || !page.next) return records;
    position = *page.next;
  }
}

Items ExpectedRows(const Items& items, const std::string& table, const store::IndexDefinition& index) {
  Items rows;
  for (const auto& [place, whole] : items) {
    if (place.table != table || !item::HasKey(index.key_schema, whole)) continue;
    if (index.projection == store::ProjectionType::kAll) {
      rows.emplace(place, whole);
      continue;
    }
    Item keys{{"pk", place.pk}, {"sk", place.sk}};
    for (const auto* elements : {&index.key_schema.partition, &index.key_schema.sort}) {
      for (const item::KeyElement& element : *elements) keys.Set(element.name, *whole.Find(element.name));
    }
    rows.emplace(place, std::move(keys));
  }
  return rows;
}

}  // namespace cairn::faults
