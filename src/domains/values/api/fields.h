// What requests and answers of this domain's routes have in common: forms of fields, paging. Used in this
// folder only.
#pragma once

#include <optional>
#include <string>

#include "domains/values/tree/tree.h"
#include "rest/fields.h"

namespace cairn::values {

using model::Kind;
using rest::Json;

inline constexpr rest::Rule kId{.kind = Kind::kId};
inline constexpr rest::Rule kRevId{.kind = Kind::kUlid};
inline constexpr rest::Rule kDay{.kind = Kind::kDate};
inline constexpr rest::Rule kInstant{.kind = Kind::kInstantMs};
inline constexpr rest::Rule kNewTitle{
    .min = 1, .max = static_cast<int64_t>(kTitleBytesMax), .form = rest::Form::kTitle};
// Of what exists: titles were once anything that is not empty.
inline constexpr rest::Rule kTitle{.min = 1, .max = static_cast<int64_t>(kTitleBytesMax)};
inline constexpr rest::Rule kNotes{.max = static_cast<int64_t>(kNotesBytesMax)};
inline constexpr rest::Rule kMessage{.max = 2'000};
inline constexpr rest::Rule kMany{.max = 100'000};  // lists of answers

// ---- paging

struct PageQuery {
  std::optional<int64_t> limit;
  std::optional<std::string> cursor;
};
template <class Fields>
void DescribePage(Fields& fields, PageQuery& page) {
  fields.Query("limit", page.limit, {.min = 1, .max = 100, .doc = "Items of a page; 50 unless said."});
  fields.Query("cursor", page.cursor, {.min = 1, .max = 4'000, .doc = "nextCursor of the page before."});
}

}  // namespace cairn::values
