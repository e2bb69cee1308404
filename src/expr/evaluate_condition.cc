#include <algorithm>
#include <compare>

#include "base/find_bytes.h"
#include "expr/condition.h"
#include "expr/condition_work.h"
#include "expr/for_each_path.h"
#include "expr/value_size.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;
using item::Item;
using item::Type;

// The operand's value, or null. `scratch` holds it where the item does not.
const AttributeValue* Resolve(const Operand& operand, const Item& item, AttributeValue& scratch) {
  if (const auto* path = std::get_if<DocumentPath>(&operand)) return FindValue(item, *path);
  if (const auto* constant = std::get_if<AttributeValue>(&operand)) return constant;
  const AttributeValue* measured = FindValue(item, std::get<SizeOf>(operand).path);
  if (measured == nullptr) return nullptr;
  const std::optional<int64_t> size = ValueSize(*measured);
  if (!size) return nullptr;
  scratch = AttributeValue(item::Number(*size));
  return &scratch;
}

bool Compare(const AttributeValue& left, Comparator comparator, const AttributeValue& right) {
  switch (comparator) {
    case Comparator::kEqual:
      return left == right;
    case Comparator::kNotEqual:
      return !(left == right);
    case Comparator::kLess:
      return CompareValues(left, right) < 0;
    case Comparator::kLessOrEqual:
      return CompareValues(left, right) <= 0;
    case Comparator::kGreater:
      return CompareValues(left, right) > 0;
    case Comparator::kGreaterOrEqual:
      return CompareValues(left, right) >= 0;
  }
  return false;
}

bool StartsWith(const AttributeValue& value, const AttributeValue& prefix) {
  if (value.type() != prefix.type()) return false;
  if (value.is(Type::kString)) return value.string().starts_with(prefix.string());
  if (value.is(Type::kBinary)) return value.binary().starts_with(prefix.binary());
  return false;
}

bool Holds(const AttributeValue& container, const AttributeValue& element) {
  switch (container.type()) {
    case Type::kString:
      return element.is(Type::kString) && ContainsBytes(container.string(), element.string());
    case Type::kBinary:
      return element.is(Type::kBinary) && ContainsBytes(container.binary(), element.binary());
    case Type::kStringSet:
      return element.is(Type::kString) &&
             std::ranges::binary_search(container.string_set(), element.string());
    case Type::kNumberSet:
      return element.is(Type::kNumber) &&
             std::ranges::binary_search(container.number_set(), element.number());
    case Type::kBinarySet:
      return element.is(Type::kBinary) &&
             std::ranges::binary_search(container.binary_set(), element.binary());
    case Type::kList:
      return std::ranges::find(container.list(), element) != container.list().end();
    case Type::kNumber:
    case Type::kBoolean:
    case Type::kNull:
    case Type::kMap:
      return false;
  }
  return false;
}

// One overload per node. The nesting of conditions is bounded by the parsers.
class Evaluator {
 public:
  explicit Evaluator(const Item& item) : item_(item) {}

  bool operator()(const Comparison& node) const {
    AttributeValue left_scratch, right_scratch;
    const AttributeValue* left = Resolve(node.left, item_, left_scratch);
    const AttributeValue* right = Resolve(node.right, item_, right_scratch);
    // What does not exist differs from everything.
    if (left == nullptr || right == nullptr) return node.comparator == Comparator::kNotEqual;
    return Compare(*left, node.comparator, *right);
  }
  bool operator()(const Between& node) const {
    AttributeValue value_scratch, low_scratch, high_scratch;
    const AttributeValue* value = Resolve(node.value, item_, value_scratch);
    const AttributeValue* low = Resolve(node.low, item_, low_scratch);
    const AttributeValue* high = Resolve(node.high, item_, high_scratch);
    if (value == nullptr || low == nullptr || high == nullptr) return false;
    return CompareValues(*low, *value) <= 0 && CompareValues(*value, *high) <= 0;
  }
  bool operator()(const In& node) const {
    AttributeValue value_scratch;
    const AttributeValue* value = Resolve(node.value, item_, value_scratch);
    if (value == nullptr) return false;
    return std::ranges::any_of(node.candidates, [&](const Operand& candidate) {
      AttributeValue scratch;
      const AttributeValue* other = Resolve(candidate, item_, scratch);
      return other != nullptr && *value == *other;
    });
  }
  bool operator()(const AttributeExists& node) const { return FindValue(item_, node.path) != nullptr; }
  bool operator()(const AttributeNotExists& node) const { return FindValue(item_, node.path) == nullptr; }
  bool operator()(const AttributeType& node) const {
    AttributeValue scratch;
    const AttributeValue* value = FindValue(item_, node.path);
    const AttributeValue* type = Resolve(node.type, item_, scratch);
    return value != nullptr && type != nullptr && type->is(Type::kString) &&
           item::TypeName(value->type()) == type->string();
  }
  bool operator()(const BeginsWith& node) const {
    AttributeValue value_scratch, prefix_scratch;
    const AttributeValue* value = Resolve(node.value, item_, value_scratch);
    const AttributeValue* prefix = Resolve(node.prefix, item_, prefix_scratch);
    return value != nullptr && prefix != nullptr && StartsWith(*value, *prefix);
  }
  bool operator()(const Contains& node) const {
    AttributeValue container_scratch, element_scratch;
    const AttributeValue* container = Resolve(node.container, item_, container_scratch);
    const AttributeValue* element = Resolve(node.element, item_, element_scratch);
    return container != nullptr && element != nullptr && Holds(*container, *element);
  }
  bool operator()(const And& node) const { return Evaluate(*node.left) && Evaluate(*node.right); }
  bool operator()(const Or& node) const { return Evaluate(*node.left) || Evaluate(*node.right); }
  bool operator()(const Not& node) const { return !Evaluate(*node.inner); }

  bool Evaluate(const Condition& condition) const { return std::visit(*this, condition.node); }

 private:
  const Item& item_;
};

// Adds up what `weigh` says of the leaves.
template <class Weigh>
class LeafSum {
 public:
  explicit LeafSum(Weigh weigh) : weigh_(weigh) {}
  size_t operator()(const And& node) const { return Of(*node.left) + Of(*node.right); }
  size_t operator()(const Or& node) const { return Of(*node.left) + Of(*node.right); }
  size_t operator()(const Not& node) const { return Of(*node.inner); }
  size_t operator()(const auto& leaf) const { return weigh_(leaf); }
  size_t Of(const Condition& condition) const { return std::visit(*this, condition.node); }

 private:
  Weigh weigh_;
};

// How often a leaf goes through a whole value.
struct PassesOf {
  size_t operator()(const Comparison& node) const { return Of(node.left) + Compared(node.left, node.right); }
  size_t operator()(const Between& node) const {
    return Of(node.value) + Compared(node.value, node.low) + Compared(node.value, node.high);
  }
  size_t operator()(const In& node) const {
    size_t passes = Of(node.value);
    for (const Operand& candidate : node.candidates) passes += Compared(node.value, candidate);
    return passes;
  }
  size_t operator()(const BeginsWith& node) const { return Compared(node.value, node.prefix); }
  size_t operator()(const Contains&) const { return 1; }
  size_t operator()(const auto&) const { return 0; }

 private:
  static size_t Of(const Operand& operand) { return std::holds_alternative<SizeOf>(operand) ? 1 : 0; }
  static size_t Compared(const Operand& left, const Operand& right) {
    const bool are_attributes =
        std::holds_alternative<DocumentPath>(left) && std::holds_alternative<DocumentPath>(right);
    return Of(right) + (are_attributes ? 1 : 0);
  }
};

}  // namespace

size_t CountSearches(const Condition& condition) {
  const auto weigh = []<class Leaf>(const Leaf&) -> size_t { return std::is_same_v<Leaf, Contains> ? 1 : 0; };
  return LeafSum(weigh).Of(condition);
}

size_t CountPasses(const Condition& condition) { return LeafSum(PassesOf()).Of(condition); }

size_t CountParts(const Condition& condition) {
  const auto weigh = []<class Leaf>(const Leaf& leaf) -> size_t {
    if constexpr (std::is_same_v<Leaf, In>) return leaf.candidates.size();
    return 1;
  };
  return LeafSum(weigh).Of(condition);
}

bool EvaluateCondition(const Condition& condition, const Item& item) {
  return Evaluator(item).Evaluate(condition);
}

std::vector<std::string> ReferencedAttributes(const Condition& condition) {
  std::vector<std::string> names;
  ForEachPath([&](const DocumentPath& path) { names.push_back(path.attribute); }, condition);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::partial_ordering CompareValues(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) return std::partial_ordering::unordered;
  switch (a.type()) {
    case Type::kString:
      return a.string() <=> b.string();
    case Type::kNumber:
      return a.number() <=> b.number();
    case Type::kBinary:
      return a.binary() <=> b.binary();
    default:
      return std::partial_ordering::unordered;
  }
}

bool EvaluateCondition(const ConditionPtr& condition, const std::optional<item::PackedItem>& item) {
  if (!condition) return true;
  return EvaluateCondition(*condition,
                           item ? item->UnpackSorted(ReferencedAttributes(*condition)) : item::Item());
}

Comparator Mirrored(Comparator comparator) {
  switch (comparator) {
    case Comparator::kLess:
      return Comparator::kGreater;
    case Comparator::kLessOrEqual:
      return Comparator::kGreaterOrEqual;
    case Comparator::kGreater:
      return Comparator::kLess;
    case Comparator::kGreaterOrEqual:
      return Comparator::kLessOrEqual;
    default:
      return comparator;
  }
}

}  // namespace cairn::expr
