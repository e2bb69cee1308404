// ItemChange: what a write has decided to do to one item; the commit group carries it out.
#pragma once

#include <optional>
#include <string>

#include "engine/internal/table.h"
#include "item/packed_item.h"
#include "store/stream_requests.h"

namespace cairn::engine::internal {

// One decided change of one item: nothing before, nothing after, or both.
struct ItemChange {
  TableRef table;
  std::string key;  // layout.h: ItemKey
  std::optional<item::PackedItem> old_item, new_item;
  store::ChangeOrigin origin = store::ChangeOrigin::kClient;
};

}  // namespace cairn::engine::internal
