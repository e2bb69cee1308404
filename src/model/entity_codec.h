// Between an entity's values and the stored item: keys, index keys, type, time to live. Pure.
//
// "Values" are an entity's attributes under their stored names, those that only the key tells included; the
// item adds the key attributes and leaves those out.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "item/attribute_value.h"
#include "item/packed_fields.h"
#include "item/packed_item.h"
#include "model/definition.h"

namespace cairn::model {

// The primary key: {PK, SK}. Fails when a value is missing or cannot stand in a key.
Result<item::Item> PrimaryKey(const Model& model, const Entity& entity, const item::Item& values);

// Sets the index's key attributes in `item` when the entity is in that index: its rule holds and every
// attribute the templates need is there. Otherwise `item` gets none of them. Fails when a value cannot stand
// in a key.
Status SetIndexKeys(const Model& model, const EntityIndex& index, const Entity& entity,
                    const item::Item& values, item::Item& item);

// Sets or leaves out the table's time-to-live attribute.
Status SetTimeToLive(const Model& model, const Entity& entity, std::chrono::seconds after,
                     const item::Item& values, item::Item& item);

// The whole item.
Result<item::Item> StoredItem(const Model& model, const Entity& entity, std::chrono::seconds ttl_after,
                              item::Item values);

// What decides about an item before it is decoded, as views into its bytes. Read in one pass.
struct ItemFacts {
  std::optional<std::string_view> pk, sk, type, owner;  // texts; a value of another type counts as absent
  std::optional<std::string_view> expiry;               // the time-to-live attribute, a number's text
};

// Knows the names to look for in one table.
class FactReader {
 public:
  // `owner_attribute`: stored name of the tenant's attribute; "" when it does not matter.
  FactReader(const Table& table, std::string_view owner_attribute);
  ItemFacts Read(const item::PackedItem& item) const;

 private:
  static constexpr size_t kFactsMax = 3;
  std::string_view expiry_name_;
  std::optional<item::NumberProbe> expiry_;  // most items have none, so it is not looked for in every one
  size_t count_ = 0;
  std::array<std::string_view, kFactsMax> names_;  // ascending
  std::array<std::optional<std::string_view> ItemFacts::*, kFactsMax> targets_{};
};

const Entity* EntityOf(const Model& model, std::span<const size_t> candidates, const ItemFacts& facts);
bool IsExpired(const ItemFacts& facts, int64_t now_seconds);

// Which of `candidates` (positions in Model::entities) this item is; null when none.
const Entity* EntityOf(const Model& model, std::span<const size_t> candidates, const item::PackedItem& item);

// Whether the item's time to live has passed.
bool IsExpired(const Table& table, const item::PackedItem& item, Time now);

}  // namespace cairn::model
