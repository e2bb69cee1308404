// KeySchema: which attributes, of which types, form a key; and the rules a key must obey.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "item/attribute_value.h"

namespace cairn::item {

inline constexpr size_t kPartitionKeyBytesMax = 2048;
inline constexpr size_t kSortKeyBytesMax = 1024;

struct KeyElement {
  std::string name;
  Type type = Type::kString;  // S, N or B
  friend bool operator==(const KeyElement&, const KeyElement&) = default;
};

// A table has one partition element and at most one sort element; a global index up to four of each.
struct KeySchema {
  std::vector<KeyElement> partition;
  std::vector<KeyElement> sort;

  bool Contains(std::string_view name) const;
  const KeyElement* Find(std::string_view name) const;
  size_t element_count() const { return partition.size() + sort.size(); }
  friend bool operator==(const KeySchema&, const KeySchema&) = default;
};

// The key attributes of `item`, which must have them all.
Item KeyOf(const KeySchema& schema, const Item& item);

// Whether `item` has every key attribute with the right type: an item that has not is not in a sparse index.
bool HasKey(const KeySchema& schema, const Item& item);

// A key given to GetItem, DeleteItem, ...: exactly the schema's attributes, right types, sizes in bounds.
Status ValidateKey(const KeySchema& schema, const Item& key);

// The key attributes inside an item to be stored: present, right types, not empty, sizes in bounds.
Status ValidateKeyInItem(const KeySchema& schema, const Item& item);

// A secondary index key inside an item to be stored: absent is fine; a wrong type, an empty or an oversized
// value is not. `index_name` appears in the message.
Status ValidateIndexKeyInItem(const KeySchema& schema, std::string_view index_name, const Item& item);

}  // namespace cairn::item
