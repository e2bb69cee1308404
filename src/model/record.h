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
  // `read`: of an item that was read in part, the stored names that were asked for; null: it is whole.
  // Outlives the record.
  Record(const Model& model, const Entity& entity, item::PackedItem packed,
         const std::vector<std::string>* read = nullptr)
      : model_(&model), entity_(&entity), read_(read), packed_(std::move(packed)) {}

  const Model& model() const { return *model_; }
  const Entity& entity() const { return *entity_; }
  const item::PackedItem& packed() const { return packed_; }
  bool is_whole() const { return read_ == nullptr; }

  // One attribute by its stored name, also one that only the key tells, or the default of one that is absent.
  std::optional<item::AttributeValue> Find(std::string_view stored_name) const;
  // All attributes of the entity, under their stored names, those that only the key tells included; without
  // key attributes, index attributes and the type attribute. Where the item has no value (it may be older
  // than the attribute), the default.
  item::Item Values() const;
  // The same without defaults: what conditions on the item compare.
  item::Item StoredValues() const;
  // The default of an attribute that the item lacks; null when it has none, or when it was not read.
  const item::AttributeValue* DefaultOf(std::string_view stored_name) const;
  // The optimistic lock's value; none when the entity has no lock or the item no such attribute.
  std::optional<item::AttributeValue> Version() const;

 private:
  bool IsRead(std::string_view stored_name) const;

  const Model* model_;
  const Entity* entity_;
  const std::vector<std::string>* read_;
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
