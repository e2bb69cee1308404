// Condition: a parsed condition or filter expression. A pure tree: names and values are already substituted.
//
// Made by expr/parse.h (expression text), expr/legacy.h (Expected, QueryFilter, ScanFilter) and
// partiql (WHERE); evaluated by EvaluateCondition; printed by expr/print.h for a remote store.
#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "expr/path.h"
#include "item/attribute_value.h"
#include "item/packed_item.h"

namespace cairn::expr {

struct SizeOf {
  DocumentPath path;
  friend bool operator==(const SizeOf&, const SizeOf&) = default;
};

// Something with a value: a path into the item, a constant, or size(path).
using Operand = std::variant<DocumentPath, item::AttributeValue, SizeOf>;

enum class Comparator { kEqual, kNotEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

// `1 < a` says the same as `a > 1`.
Comparator Mirrored(Comparator comparator);

struct Condition;
using ConditionPtr = std::shared_ptr<const Condition>;  // immutable, shared freely between threads

struct Comparison {
  Operand left;
  Comparator comparator;
  Operand right;
};
struct Between {
  Operand value, low, high;
};
struct In {
  Operand value;
  std::vector<Operand> candidates;
};
struct AttributeExists {
  DocumentPath path;
};
struct AttributeNotExists {
  DocumentPath path;
};
struct AttributeType {
  DocumentPath path;
  Operand type;  // a constant such as "SS"
};
struct BeginsWith {
  Operand value, prefix;
};
struct Contains {
  Operand container, element;
};
struct And {
  ConditionPtr left, right;
};
struct Or {
  ConditionPtr left, right;
};
struct Not {
  ConditionPtr inner;
};

struct Condition {
  std::variant<Comparison, Between, In, AttributeExists, AttributeNotExists, AttributeType, BeginsWith,
               Contains, And, Or, Not>
      node;
};

// True or false for every item; a missing attribute or a type mismatch makes a comparison false, as in
// DynamoDB, except <>, which it makes true.
bool EvaluateCondition(const Condition& condition, const item::Item& item);

// The same for a stored item, of which only the attributes the condition reads are unpacked. No condition
// (null) holds; an absent item has no attributes.
bool EvaluateCondition(const ConditionPtr& condition, const std::optional<item::PackedItem>& item);

// How many of its parts look through a whole value, as contains() does.
size_t CountSearches(const Condition& condition);
// How many comparisons and functions it has.
size_t CountParts(const Condition& condition);

// The top-level attributes the condition reads, sorted, each once.
std::vector<std::string> ReferencedAttributes(const Condition& condition);

// Orders two values of one type (S, N, B); unordered for everything else and for different types.
std::partial_ordering CompareValues(const item::AttributeValue& a, const item::AttributeValue& b);

}  // namespace cairn::expr
