#include "data_api/data_api.h"

#include <algorithm>

#include "data_api/item_view.h"
#include "data_api/own_partition.h"
#include "item/item_json.h"
#include "model/cursor.h"
#include "model/entity_codec.h"

namespace cairn::data_api {
namespace {

// The same for a partition of someone else and for one that nobody has.
std::unexpected<http::Problem> NotThere() {
  return std::unexpected(http::ProblemOf(
      {Code::kResourceNotFound, "You have no such partition; GET /api/data/partitions lists some"}));
}

// A cursor is good for one user and one partition.
std::string BindingOf(const rest::Call& call, std::string_view table, std::string_view partition) {
  std::string binding = "data";
  for (const std::string_view part : {std::string_view(call.user_id()), table, partition}) {
    binding += '\0';
    binding += part;
  }
  return binding;
}

Result<item::Item> OpenCursor(const model::Database& database, const std::string& cursor,
                              const std::string& binding) {
  const auto payload = database.cursors().Open(cursor, binding);
  if (!payload) return Fail(Code::kMalformed, payload.error().message);
  return item::ParseItemJson(*payload);
}

std::string SealCursor(const model::Database& database, const item::Item& key, const std::string& binding) {
  std::string payload;
  item::AppendItemJson(payload, key);
  return database.cursors().Seal(payload, binding);
}

std::vector<LinkView> ViewOf(const model::Database& database, const model::Caller& caller,
                             const std::vector<Link>& links) {
  std::vector<LinkView> views;
  for (const Link& link : links) {
    if (!IsOwn(database.model().tables[link.table], caller, link.partition)) continue;
    views.push_back({database.physical_name(link.table), link.partition, link.entities});
  }
  return views;
}

}  // namespace

DataApi::DataApi(std::vector<DataSource> sources) {
  for (DataSource& source : sources) {
    sources_.push_back({.database = source.database,
                        .starts = std::move(source.starts),
                        .map = PartitionMap(source.database->model())});
  }
}

std::vector<rest::Endpoint> DataApi::Endpoints() {
  const auto get = [](std::string path, std::string id, std::string summary) {
    return rest::EndpointInfo{.method = "GET", .path = path, .id = id, .summary = summary, .tag = "data"};
  };
  return {
      rest::MakeEndpoint<Empty, PartitionList>(
          get("/api/data/partitions", "listDataPartitions", "Where your items begin"),
          [this](rest::Call& call, Empty request) { return ListPartitions(call, request); }),
      rest::MakeEndpoint<ItemsRequest, ItemsPage>(
          get("/api/data/items", "readDataItems", "The items of one of your partitions, as they are stored"),
          [this](rest::Call& call, ItemsRequest request) { return ReadItems(call, std::move(request)); }),
  };
}

Task<rest::Reply<PartitionList>> DataApi::ListPartitions(rest::Call& call, Empty) {
  PartitionList list;
  for (const Source& source : sources_) {
    model::Session session(*source.database, call.caller());
    auto starts = co_await source.starts(session);
    if (!starts) co_return std::unexpected(http::ProblemOf(starts.error()));
    for (StartingPartition& start : *starts) {
      list.items.push_back({.label = std::move(start.label),
                            .model = source.database->model().name,
                            .table = source.database->physical_name(start.table),
                            .partition = std::move(start.key)});
    }
  }
  co_return rest::Answer(std::move(list));
}

std::optional<DataApi::Place> DataApi::Find(const model::Caller& caller, const ItemsRequest& request) const {
  for (const Source& source : sources_) {
    const model::Model& model = source.database->model();
    for (size_t table = 0; table < model.tables.size(); ++table) {
      if (source.database->physical_name(table) == request.table &&
          IsOwn(model.tables[table], caller, request.partition)) {
        return Place{&source, table, request.partition};
      }
    }
  }
  return std::nullopt;
}

Task<rest::Reply<ItemsPage>> DataApi::ReadItems(rest::Call& call, ItemsRequest request) {
  const model::Caller caller = call.caller();
  const auto place = Find(caller, request);
  if (!place) co_return NotThere();
  const model::Database& database = *place->source->database;
  const std::string binding = BindingOf(call, place->table_name(), place->partition);
  store::QueryRequest query;
  query.table = place->table_name();
  query.key_condition.comparisons.push_back({place->model().tables[place->table].pk_attribute,
                                             expr::KeyOperator::kEqual, place->partition,
                                             item::AttributeValue()});
  query.consistency = store::Consistency::kStrong;
  query.limit = request.limit.value_or(kItemsDefault);
  if (request.cursor) {
    auto key = OpenCursor(database, *request.cursor, binding);
    if (!key) co_return std::unexpected(http::ProblemOf(key.error()));
    query.exclusive_start_key = *std::move(key);
  }
  auto read = co_await database.store().Query(std::move(query));
  if (!read) co_return std::unexpected(http::ProblemOf(read.error()));
  ItemsPage page = PageOf(caller, *place, *read);
  if (read->last_evaluated_key) page.next_cursor = SealCursor(database, *read->last_evaluated_key, binding);
  co_return rest::Answer(std::move(page));
}

ItemsPage DataApi::PageOf(const model::Caller& caller, const Place& place,
                          const store::PageResponse& read) const {
  const model::Database& database = *place.source->database;
  const model::Model& model = place.model();
  const std::vector<size_t> candidates = EntitiesOf(model, place.table);
  ItemsPage page{.model = model.name, .table = place.table_name(), .partition = place.partition};
  page.parents = ViewOf(database, caller, place.source->map.ParentsOf(place.table, place.partition));
  std::vector<const model::Entity*> seen;
  for (const item::PackedItem& item : read.items) {
    const model::Entity* entity = model::EntityOf(model, candidates, item);
    ItemView view = data_api::ViewOf(model, place.table, entity, item);
    if (entity != nullptr) {
      view.links = ViewOf(database, caller, place.source->map.LinksOf({model, *entity, item}));
      if (std::ranges::find(seen, entity) == seen.end()) seen.push_back(entity);
    }
    page.items.push_back(std::move(view));
  }
  for (const model::Entity* entity : seen) page.entities.push_back(data_api::ViewOf(*entity));
  return page;
}

}  // namespace cairn::data_api
