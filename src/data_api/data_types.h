// Requests and answers of /api/data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rest/fields.h"

namespace cairn::data_api {

inline constexpr int64_t kPartitionBytesMax = 2'048;  // as DynamoDB has it
inline constexpr int64_t kItemsDefault = 50;
inline constexpr rest::Rule kTableName{.min = 1, .max = 255};
inline constexpr rest::Rule kPartition{.min = 1, .max = kPartitionBytesMax};

struct Empty {};
template <class Fields>
void Describe(Fields&, Empty&) {}

struct PartitionView {
  std::string label, model, table, partition;
};
template <class Fields>
void Describe(Fields& fields, PartitionView& view) {
  fields.Name("DataPartition");
  fields.Body("label", view.label);
  fields.Body("model", view.model);
  fields.Body("table", view.table, kTableName);
  fields.Body("partition", view.partition, kPartition);
}

struct PartitionList {
  std::vector<PartitionView> items;
};
template <class Fields>
void Describe(Fields& fields, PartitionList& list) {
  fields.Name("DataPartitionList");
  fields.Body("items", list.items);
}

struct ItemsRequest {
  std::string table, partition;
  std::optional<int64_t> limit;
  std::optional<std::string> cursor;
};
template <class Fields>
void Describe(Fields& fields, ItemsRequest& request) {
  fields.Query("table", request.table, {.min = 1, .max = 255, .doc = "As DynamoDB clients know it."});
  fields.Query("partition", request.partition,
               {.min = 1, .max = kPartitionBytesMax, .doc = "A partition key; of your own."});
  fields.Query("limit", request.limit, {.min = 1, .max = 100, .doc = "Items of a page; 50 unless said."});
  fields.Query("cursor", request.cursor, {.min = 1, .max = 8'000, .doc = "nextCursor of the page before."});
}

struct LinkView {
  std::string table, partition;
  std::vector<std::string> entities;
};
template <class Fields>
void Describe(Fields& fields, LinkView& link) {
  fields.Name("DataLink");
  fields.Body("table", link.table, kTableName);
  fields.Body("partition", link.partition, kPartition);
  fields.Body("entities", link.entities);
}

struct EntityView {
  std::string name, doc, pk, sk;
};
template <class Fields>
void Describe(Fields& fields, EntityView& entity) {
  fields.Name("DataEntity");
  fields.Body("name", entity.name);
  fields.Body("doc", entity.doc, {.max = 10'000});
  fields.Body("pk", entity.pk);
  fields.Body("sk", entity.sk);
}

struct ItemView {
  std::optional<std::string> entity;
  rest::Json keys, attributes;  // DynamoDB JSON
  std::vector<std::string> hidden;
  std::vector<LinkView> links;
};
template <class Fields>
void Describe(Fields& fields, ItemView& item) {
  fields.Name("DataItem");
  fields.Body("entity", item.entity);
  fields.Body("keys", item.keys);
  fields.Body("attributes", item.attributes);
  fields.Body("hidden", item.hidden);
  fields.Body("links", item.links);
}

struct ItemsPage {
  std::string model, table, partition;
  std::vector<LinkView> parents;
  std::vector<EntityView> entities;
  std::vector<ItemView> items;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, ItemsPage& page) {
  fields.Name("DataItems");
  fields.Body("model", page.model);
  fields.Body("table", page.table, kTableName);
  fields.Body("partition", page.partition, kPartition);
  fields.Body("parents", page.parents);
  fields.Body("entities", page.entities);
  fields.Body("items", page.items);
  fields.Body("nextCursor", page.next_cursor, {.max = 8'000});
}

}  // namespace cairn::data_api
