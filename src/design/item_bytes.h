// How large the items of an entity are, judged by its declarations: what they usually need and what they may
// need at most. Used by the linter (400 KB) and the cost estimate.
//
// Usual sizes are guesses, and the same ones everywhere: text of at most n bytes counts n/2 but no more than
// 512, text without a bound 48; lists and sets 4 elements or half their bound; attributes that may be absent
// count half.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/definition.h"

namespace cairn::design {

struct ByteEstimate {
  double usual = 0;
  std::optional<int64_t> most;  // none: nothing bounds it
};

// The value alone. Texts inside lists, sets and maps cannot be given a bound; they count as at most 1 KB.
ByteEstimate EstimateValue(const model::ValueType& type, const model::ValueLimits& limits);

struct ItemEstimate {
  ByteEstimate bytes;  // `most` without the unbounded ones
  std::vector<const model::Attribute*> unbounded;
};

// The whole item with its key, index and type attributes. An attribute that overflows elsewhere counts as a
// pointer.
ItemEstimate EstimateItem(const model::Model& model, const model::Entity& entity);
// What the index keeps of an item: everything, or keys and the included attributes.
ByteEstimate EstimateIndexEntry(const model::Model& model, const model::Entity& entity,
                                const model::EntityIndex& in);
// A key text.
ByteEstimate EstimateKey(const model::Entity& entity, const model::Template& key);

}  // namespace cairn::design
