#include <algorithm>
#include <array>
#include <span>

#include "expr/legacy.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;
using item::Type;

constexpr size_t kLegacyComparisonsMax = 1'000;

constexpr auto kOperatorNames =
    std::to_array<std::string_view>({"EQ", "NE", "IN", "LE", "LT", "GE", "GT", "BETWEEN", "NOT_NULL", "NULL",
                                     "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"});
static_assert(kOperatorNames.size() == static_cast<size_t>(LegacyOperator::kBeginsWith) + 1);

std::string_view NameOf(LegacyOperator op) { return kOperatorNames[static_cast<size_t>(op)]; }

std::unexpected<Error> InvalidValue(std::string text) {
  return Fail(Invalid("One or more parameter values were invalid: " + std::move(text)));
}

bool IsCountAllowed(LegacyOperator op, size_t count) {
  switch (op) {
    case LegacyOperator::kNull:
    case LegacyOperator::kNotNull:
      return count == 0;
    case LegacyOperator::kBetween:
      return count == 2;
    case LegacyOperator::kIn:
      return count > 0;
    default:
      return count == 1;
  }
}

bool IsTypeAllowed(LegacyOperator op, Type type) {
  switch (op) {
    case LegacyOperator::kEq:
    case LegacyOperator::kNe:
      return true;
    case LegacyOperator::kBeginsWith:
      return type == Type::kString || type == Type::kBinary;
    default:
      return item::IsKeyType(type);
  }
}

Status Check(const LegacyComparison& comparison) {
  const auto& [attribute, op, values] = comparison;
  if (!IsCountAllowed(op, values.size())) {
    return InvalidValue("Invalid number of argument(s) for the " + std::string(NameOf(op)) +
                        " ComparisonOperator");
  }
  if (values.empty()) return {};
  const Type type = values[0].type();
  if (!std::ranges::all_of(values, [type](const AttributeValue& value) { return value.is(type); })) {
    return InvalidValue("AttributeValues inside AttributeValueList must be of same type");
  }
  if (!IsTypeAllowed(op, type)) {
    return InvalidValue("ComparisonOperator " + std::string(NameOf(op)) + " is not valid for " +
                        std::string(item::TypeName(type)) + " AttributeValue type");
  }
  if (op == LegacyOperator::kBetween && CompareValues(values[0], values[1]) > 0) {
    return Fail(Invalid(
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"));
  }
  return {};
}

template <class Node>
ConditionPtr MakeCondition(Node node) {
  return std::make_shared<const Condition>(Condition{std::move(node)});
}

ConditionPtr Compare(const LegacyComparison& comparison, Comparator comparator) {
  return MakeCondition(Comparison{DocumentPath{.attribute = comparison.attribute, .steps = {}}, comparator,
                                  Operand(comparison.values[0])});
}

ConditionPtr ToCondition(const LegacyComparison& comparison) {
  const auto& [attribute, op, values] = comparison;
  const DocumentPath path{.attribute = attribute, .steps = {}};
  switch (op) {
    case LegacyOperator::kEq:
      return Compare(comparison, Comparator::kEqual);
    case LegacyOperator::kNe:
      return Compare(comparison, Comparator::kNotEqual);
    case LegacyOperator::kLe:
      return Compare(comparison, Comparator::kLessOrEqual);
    case LegacyOperator::kLt:
      return Compare(comparison, Comparator::kLess);
    case LegacyOperator::kGe:
      return Compare(comparison, Comparator::kGreaterOrEqual);
    case LegacyOperator::kGt:
      return Compare(comparison, Comparator::kGreater);
    case LegacyOperator::kBetween:
      return MakeCondition(Between{path, values[0], values[1]});
    case LegacyOperator::kIn:
      return MakeCondition(In{path, std::vector<Operand>(values.begin(), values.end())});
    case LegacyOperator::kNotNull:
      return MakeCondition(AttributeExists{path});
    case LegacyOperator::kNull:
      return MakeCondition(AttributeNotExists{path});
    case LegacyOperator::kContains:
      return MakeCondition(Contains{path, values[0]});
    case LegacyOperator::kNotContains:
      // Unlike NE it wants the attribute to be there.
      return MakeCondition(And{MakeCondition(AttributeExists{path}),
                               MakeCondition(Not{MakeCondition(Contains{path, values[0]})})});
    case LegacyOperator::kBeginsWith:
      return MakeCondition(BeginsWith{path, values[0]});
  }
  return nullptr;
}

// Halves rather than a chain: trees are walked recursively.
ConditionPtr Join(std::span<const LegacyComparison> comparisons, ConditionalOperator conditional_operator) {
  if (comparisons.size() == 1) return ToCondition(comparisons[0]);
  const size_t half = comparisons.size() / 2;
  ConditionPtr left = Join(comparisons.first(half), conditional_operator);
  ConditionPtr right = Join(comparisons.subspan(half), conditional_operator);
  return conditional_operator == ConditionalOperator::kAnd
             ? MakeCondition(And{std::move(left), std::move(right)})
             : MakeCondition(Or{std::move(left), std::move(right)});
}

KeyOperator ToKeyOperator(LegacyOperator op) {
  switch (op) {
    case LegacyOperator::kEq:
      return KeyOperator::kEqual;
    case LegacyOperator::kLe:
      return KeyOperator::kLessOrEqual;
    case LegacyOperator::kLt:
      return KeyOperator::kLess;
    case LegacyOperator::kGe:
      return KeyOperator::kGreaterOrEqual;
    case LegacyOperator::kGt:
      return KeyOperator::kGreater;
    case LegacyOperator::kBetween:
      return KeyOperator::kBetween;
    case LegacyOperator::kBeginsWith:
      return KeyOperator::kBeginsWith;
    default:
      return KeyOperator::kUnsupported;
  }
}

}  // namespace

std::optional<LegacyOperator> ParseLegacyOperator(std::string_view name) {
  const auto found = std::ranges::find(kOperatorNames, name);
  if (found == kOperatorNames.end()) return std::nullopt;
  return static_cast<LegacyOperator>(found - kOperatorNames.begin());
}

Result<ConditionPtr> ConditionFromLegacy(const std::vector<LegacyComparison>& comparisons,
                                         ConditionalOperator conditional_operator) {
  for (const LegacyComparison& comparison : comparisons) RETURN_IF_ERROR(Check(comparison));
  if (comparisons.empty()) return ConditionPtr();
  // Each is looked at for every item of a page.
  size_t count = 0;
  for (const LegacyComparison& comparison : comparisons)
    count += std::max<size_t>(1, comparison.values.size());
  if (count > kLegacyComparisonsMax) {
    return InvalidValue("Too many conditions; number of conditions and values: " + std::to_string(count));
  }
  return Join(comparisons, conditional_operator);
}

Result<KeyCondition> KeyConditionFromLegacy(const std::vector<LegacyComparison>& comparisons) {
  KeyCondition condition;
  for (const LegacyComparison& comparison : comparisons) {
    RETURN_IF_ERROR(Check(comparison));
    KeyComparison key{
        .attribute = comparison.attribute, .op = ToKeyOperator(comparison.op), .value = {}, .high = {}};
    if (!comparison.values.empty()) key.value = comparison.values[0];
    if (comparison.values.size() > 1) key.high = comparison.values[1];
    condition.comparisons.push_back(std::move(key));
  }
  return condition;
}

}  // namespace cairn::expr
