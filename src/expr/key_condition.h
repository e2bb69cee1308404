// KeyCondition: a parsed KeyConditionExpression (or KeyConditions): a conjunction of comparisons of single
// attributes. Which of them are key attributes is known only with a schema: BindKeyCondition.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/condition.h"
#include "item/attribute_value.h"
#include "item/key_schema.h"

namespace cairn::expr {

enum class KeyOperator {
  kEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kBeginsWith,
  kUnsupported,  // an operator of KeyConditions that no key takes, e.g. NE: BindKeyCondition refuses it
};

// kUnsupported for <>, which no key condition knows.
KeyOperator KeyOperatorOf(Comparator comparator);

struct KeyComparison {
  std::string attribute;
  KeyOperator op = KeyOperator::kEqual;
  item::AttributeValue value;
  item::AttributeValue high;  // only for kBetween
};

struct KeyCondition {
  std::vector<KeyComparison> comparisons;
};

// A KeyCondition checked against a schema: every partition attribute is bound by equality, in schema order;
// then sort attributes from the left, equal ones first, at most one range at the end.
struct BoundKeyCondition {
  std::vector<item::AttributeValue> partition;
  std::vector<KeyComparison> sort;
};

// Fails with DynamoDB's message: missing key, wrong type, unsupported operator, attribute that is no key, ...
Result<BoundKeyCondition> BindKeyCondition(const KeyCondition& condition, const item::KeySchema& schema);

// Key bytes [start, end) of the sort part for the bound comparisons (item/key_bytes.h); end empty: no bound.
struct KeyRange {
  std::string start;
  std::string end;
};
KeyRange SortRange(const BoundKeyCondition& condition);

}  // namespace cairn::expr
