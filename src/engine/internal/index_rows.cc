#include "engine/internal/index_rows.h"

#include <charconv>

#include "engine/internal/layout.h"
#include "item/key_schema.h"

namespace cairn::engine::internal {
namespace {

bool InBounds(const item::AttributeValue& value, size_t bytes_max) {
  if (value.is(item::Type::kNumber)) return true;
  const size_t bytes = value.is(item::Type::kString) ? value.string().size() : value.binary().size();
  return bytes > 0 && bytes <= bytes_max;
}

// Items stored before the index was made may hold values that no new write could bring in: they stay out of
// it.
bool BelongsTo(const item::KeySchema& schema, const item::Item& attributes) {
  if (!item::HasKey(schema, attributes)) return false;
  for (const item::KeyElement& element : schema.partition) {
    if (!InBounds(*attributes.Find(element.name), item::kPartitionKeyBytesMax)) return false;
  }
  for (const item::KeyElement& element : schema.sort) {
    if (!InBounds(*attributes.Find(element.name), item::kSortKeyBytesMax)) return false;
  }
  return true;
}

// The next whole second of a positive moment between two; nothing for any other number.
std::optional<int64_t> RoundedUp(const item::Number& moment) {
  const std::string text = moment.ToString();
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool has_fraction = end != text.data() + text.size() && *end == '.';
  if (error != std::errc() || !has_fraction || moment < item::Number() || seconds == INT64_MAX)
    return std::nullopt;
  return seconds + 1;
}

}  // namespace

std::optional<IndexRow> RowIn(const Index& index, const item::Item& watched, const item::PackedItem& item,
                              std::string_view item_key) {
  if (!BelongsTo(index.definition.key_schema, watched)) return std::nullopt;
  return IndexRow{IndexRowKey(index, watched, item_key),
                  index.carries_everything() ? item : item.Only(index.projected)};
}

std::optional<int64_t> ExpiresAt(const Expiry& expiry, const item::Item& watched) {
  const item::AttributeValue* value = watched.Find(expiry.attribute);
  if (!value || !value->is(item::Type::kNumber)) return std::nullopt;
  std::optional<int64_t> seconds = value->number().ToInteger();
  if (!seconds) seconds = RoundedUp(value->number());
  return seconds && *seconds > 0 ? seconds : std::nullopt;
}

}  // namespace cairn::engine::internal
