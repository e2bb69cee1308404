#include "expr/key_condition.h"

#include <algorithm>

#include "item/key_bytes.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;
using item::KeyElement;
using item::KeySchema;
using item::Type;

std::unexpected<Error> NotSupported() { return Fail(Invalid("Query key condition not supported")); }

const KeyComparison* FindComparison(const KeyCondition& condition, std::string_view attribute) {
  const auto found = std::ranges::find(condition.comparisons, attribute, &KeyComparison::attribute);
  return found == condition.comparisons.end() ? nullptr : &*found;
}

Status CheckNotEmpty(const KeyElement& element, const AttributeValue& value) {
  const bool is_empty = (value.is(Type::kString) && value.string().empty()) ||
                        (value.is(Type::kBinary) && value.binary().empty());
  if (!is_empty) return {};
  return Fail(
      Invalid("One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
              "contain an empty " +
              std::string(value.is(Type::kString) ? "string" : "binary") + " value. Key: " + element.name));
}

Status CheckComparison(const KeyElement& element, const KeyComparison& comparison) {
  if (comparison.op == KeyOperator::kUnsupported) {
    return Fail(Invalid("Attempted conditional constraint is not an indexable operation"));
  }
  const bool has_high = comparison.op == KeyOperator::kBetween;
  if (!comparison.value.is(element.type) || (has_high && !comparison.high.is(element.type))) {
    return Fail(Invalid(
        "One or more parameter values were invalid: Condition parameter type does not match schema type"));
  }
  RETURN_IF_ERROR(CheckNotEmpty(element, comparison.value));
  if (has_high) return CheckNotEmpty(element, comparison.high);
  // begins_with on a number is refused when the condition is read; a schema cannot make it valid.
  if (comparison.op == KeyOperator::kBeginsWith && element.type == Type::kNumber) return NotSupported();
  return {};
}

Status CheckCount(const KeyCondition& condition, const KeySchema& schema) {
  const size_t count = condition.comparisons.size();
  if (count == 0 || count > std::max<size_t>(2, schema.element_count())) {
    return Fail(Invalid("Conditions can be of length 1 or 2 only"));
  }
  if (schema.element_count() == 1 && count > 1) return NotSupported();
  return {};
}

std::unexpected<Error> Missed(const KeyElement& element) {
  return Fail(Invalid("Query condition missed key schema element: " + element.name));
}

}  // namespace

Result<BoundKeyCondition> BindKeyCondition(const KeyCondition& condition, const KeySchema& schema) {
  RETURN_IF_ERROR(CheckCount(condition, schema));
  BoundKeyCondition bound;
  for (const KeyElement& element : schema.partition) {
    const KeyComparison* comparison = FindComparison(condition, element.name);
    if (comparison == nullptr) return Missed(element);
    RETURN_IF_ERROR(CheckComparison(element, *comparison));
    if (comparison->op != KeyOperator::kEqual) return NotSupported();
    bound.partition.push_back(comparison->value);
  }
  size_t unbound = condition.comparisons.size() - schema.partition.size();
  for (const KeyElement& element : schema.sort) {
    if (unbound == 0) break;
    const KeyComparison* comparison = FindComparison(condition, element.name);
    if (comparison == nullptr) return Missed(element);
    RETURN_IF_ERROR(CheckComparison(element, *comparison));
    // A range ends the key: what lies to the right of it has no common order.
    if (!bound.sort.empty() && bound.sort.back().op != KeyOperator::kEqual) return NotSupported();
    bound.sort.push_back(*comparison);
    --unbound;
  }
  if (unbound != 0) return NotSupported();
  return bound;
}

KeyRange SortRange(const BoundKeyCondition& condition) {
  std::string prefix;
  for (const KeyComparison& comparison : condition.sort) {
    if (comparison.op == KeyOperator::kEqual) {
      item::AppendKeyPart(prefix, comparison.value);
      continue;
    }
    // The range, which is the last one.
    KeyRange range{.start = prefix, .end = item::PrefixEnd(prefix)};
    std::string at_value = prefix;
    if (comparison.op == KeyOperator::kBeginsWith) {
      item::AppendKeyPrefix(at_value, comparison.value);
      return {.start = at_value, .end = item::PrefixEnd(at_value)};
    }
    item::AppendKeyPart(at_value, comparison.value);
    // Keys with this value share its part as a prefix; no part is all 0xff, so PrefixEnd is never empty here.
    switch (comparison.op) {
      case KeyOperator::kLess:
        range.end = std::move(at_value);
        break;
      case KeyOperator::kLessOrEqual:
        range.end = item::PrefixEnd(at_value);
        break;
      case KeyOperator::kGreater:
        range.start = item::PrefixEnd(at_value);
        break;
      case KeyOperator::kGreaterOrEqual:
        range.start = std::move(at_value);
        break;
      case KeyOperator::kBetween:
        range.start = std::move(at_value);
        item::AppendKeyPart(prefix, comparison.high);
        range.end = item::PrefixEnd(prefix);
        break;
      case KeyOperator::kEqual:
      case KeyOperator::kBeginsWith:
      case KeyOperator::kUnsupported:
        break;
    }
    return range;
  }
  return {.start = prefix, .end = item::PrefixEnd(prefix)};
}

KeyOperator KeyOperatorOf(Comparator comparator) {
  switch (comparator) {
    case Comparator::kEqual:
      return KeyOperator::kEqual;
    case Comparator::kLess:
      return KeyOperator::kLess;
    case Comparator::kLessOrEqual:
      return KeyOperator::kLessOrEqual;
    case Comparator::kGreater:
      return KeyOperator::kGreater;
    case Comparator::kGreaterOrEqual:
      return KeyOperator::kGreaterOrEqual;
    case Comparator::kNotEqual:
      break;
  }
  return KeyOperator::kUnsupported;
}

}  // namespace cairn::expr
