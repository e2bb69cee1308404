// Record: one stored item, known to be of one entity. Holds the packed bytes and decodes on demand, so that a
// page of results costs little more than the store's own page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "item/packed_item.h"
#include "model/definition.h"

namespace cairn::model {

class Record {
 public:
  Record(const Model& model, const Entity& entity, item::PackedItem packed)
      : model_(&model), entity_(&entity), packed_(std::move(packed)) {}

  const Model& model() const { return *model_; }
  const Entity& entity() const { return *entity_; }
  const item::PackedItem& packed() const { return packed_; }

  // One attribute by its stored name, also one that only the key tells.
  std::optional<item::AttributeValue> Find(std::string_view stored_name) const;
  // All attributes of the entity, under their stored names, those that only the key tells included; without
  // key attributes, index attributes and the type attribute.
  item::Item Values() const;
  // The optimistic lock's value; none when the entity has no lock or the item no such attribute.
  std::optional<item::AttributeValue> Version() const;

 private:
  const Model* model_;
  const Entity* entity_;
  item::PackedItem packed_;
};

// What only their keys tell of records, one after another: remembers what the latest partition key of each
// entity told, for those of a page mostly have the same.
class KeyReader {
 public:
  // Null when the key does not tell it. Stays until the next call.
  const item::AttributeValue* Find(const Record& record, std::string_view stored_name);

 private:
  struct Told {
    const Entity* entity;
    std::string pk;
    item::Item values;
  };
  const item::Item& ToldByPartitionKey(const Entity& entity, std::string_view pk);

  std::vector<Told> latest_;
  item::Item told_by_sk_;
};

}  // namespace cairn::model
