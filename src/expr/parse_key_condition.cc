#include <array>

#include "expr/parse_condition.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;

std::unexpected<Error> InvalidOperator(std::string_view name) {
  return Fail(Invalid(std::string("Invalid operator used in KeyConditionExpression: ").append(name)));
}

std::unexpected<Error> InvalidCondition(std::string_view why) {
  return Fail(Invalid(std::string("Invalid condition in KeyConditionExpression: ").append(why)));
}

// The condition language knows more than keys can answer; this turns a tree into a conjunction of comparisons
// of single attributes with constants, or says why it is none.
class KeyConditionReader {
 public:
  Status operator()(const And& node) {
    RETURN_IF_ERROR(Read(*node.left));
    return Read(*node.right);
  }
  Status operator()(const Comparison& node) {
    const bool is_mirrored = std::holds_alternative<AttributeValue>(node.left);
    const KeyOperator op = KeyOperatorOf(is_mirrored ? Mirrored(node.comparator) : node.comparator);
    if (op == KeyOperator::kUnsupported) return InvalidOperator("<>");
    return Add(op, {&node.left, &node.right});
  }
  Status operator()(const Between& node) {
    if (!std::holds_alternative<DocumentPath>(node.value)) {
      return InvalidCondition("BETWEEN operator must have the key attribute as its first operand");
    }
    return Add(KeyOperator::kBetween, {&node.value, &node.low, &node.high});
  }
  Status operator()(const BeginsWith& node) {
    if (!std::holds_alternative<DocumentPath>(node.value)) {
      return InvalidCondition("begins_with operator must have the key attribute as its first operand");
    }
    return Add(KeyOperator::kBeginsWith, {&node.value, &node.prefix});
  }
  Status operator()(const In&) { return InvalidOperator("IN"); }
  Status operator()(const Or&) { return InvalidOperator("OR"); }
  Status operator()(const Not&) { return InvalidOperator("NOT"); }
  Status operator()(const AttributeExists&) { return InvalidOperator("attribute_exists"); }
  Status operator()(const AttributeNotExists&) { return InvalidOperator("attribute_not_exists"); }
  Status operator()(const AttributeType&) { return InvalidOperator("attribute_type"); }
  Status operator()(const Contains&) { return InvalidOperator("contains"); }

  Status Read(const Condition& condition) { return std::visit(*this, condition.node); }
  KeyCondition Take() { return std::move(result_); }

 private:
  Status Add(KeyOperator op, std::initializer_list<const Operand*> operands) {
    const DocumentPath* path = nullptr;
    std::array<const AttributeValue*, 2> values = {};
    size_t value_count = 0;
    for (const Operand* operand : operands) {
      if (const auto* constant = std::get_if<AttributeValue>(operand)) {
        if (value_count < values.size()) values[value_count++] = constant;
        continue;
      }
      if (std::holds_alternative<SizeOf>(*operand)) {
        return Fail(Invalid("KeyConditionExpressions cannot contain nested operations"));
      }
      if (path != nullptr) return InvalidCondition("Multiple attribute names used in one condition");
      path = &std::get<DocumentPath>(*operand);
      if (!path->steps.empty()) {
        return Fail(Invalid("KeyConditionExpressions cannot have conditions on nested attributes"));
      }
    }
    if (path == nullptr) return InvalidCondition("No key attribute specified");
    for (const KeyComparison& other : result_.comparisons) {
      if (other.attribute != path->attribute) continue;
      return Fail(Invalid("KeyConditionExpressions must only contain one condition per key"));
    }
    // One operand is the path, so the others are constants.
    KeyComparison comparison{.attribute = path->attribute, .op = op, .value = *values[0], .high = {}};
    if (op == KeyOperator::kBetween) comparison.high = *values[1];
    result_.comparisons.push_back(std::move(comparison));
    return {};
  }

  KeyCondition result_;
};

}  // namespace

Result<KeyCondition> ParseKeyCondition(std::string_view text, Placeholders& placeholders) {
  ASSIGN_OR_RETURN(const ParsedCondition parsed,
                   ParseConditionText("KeyConditionExpression", text, placeholders));
  KeyConditionReader reader;
  RETURN_IF_ERROR(reader.Read(*parsed.condition));
  if (parsed.folded_size) return Fail(Invalid("KeyConditionExpressions cannot contain nested operations"));
  return reader.Take();
}

}  // namespace cairn::expr
