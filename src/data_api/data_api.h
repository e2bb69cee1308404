// DataApi: the routes of /api/data: raw items of the caller's own partitions, with the names that the models
// have for them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data_api/data_types.h"
#include "data_api/partition_map.h"
#include "data_api/starting_partition.h"
#include "model/database.h"
#include "rest/endpoint.h"
#include "store/item_requests.h"

namespace cairn::data_api {

// What a domain contributes.
struct DataSource {
  model::Database* database;
  FindStarts starts;
};

class DataApi {
 public:
  // The databases outlive this.
  explicit DataApi(std::vector<DataSource> sources);

  // They call into this object: it must outlive them.
  std::vector<rest::Endpoint> Endpoints();

 private:
  struct Source {
    model::Database* database;
    FindStarts starts;
    PartitionMap map;
  };
  // A partition that is the caller's.
  struct Place {
    const Source* source;
    size_t table;  // position in the model
    std::string partition;

    const model::Model& model() const { return source->database->model(); }
    const std::string& table_name() const { return source->database->physical_name(table); }
  };

  Task<rest::Reply<PartitionList>> ListPartitions(rest::Call& call, Empty request);
  Task<rest::Reply<ItemsPage>> ReadItems(rest::Call& call, ItemsRequest request);

  // Nothing for what is not the caller's, and for tables that are not there.
  std::optional<Place> Find(const model::Caller& caller, const ItemsRequest& request) const;
  ItemsPage PageOf(const model::Caller& caller, const Place& place, const store::PageResponse& read) const;

  std::vector<Source> sources_;
};

}  // namespace cairn::data_api
