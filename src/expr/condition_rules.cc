#include "expr/condition_rules.h"

#include <algorithm>
#include <array>

#include "expr/expression_reader.h"
#include "item/item_json.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;
using item::Type;

// The type an operand has whatever the item holds.
std::optional<Type> KnownType(const Operand& operand) {
  if (const auto* constant = std::get_if<AttributeValue>(&operand)) return constant->type();
  if (std::holds_alternative<SizeOf>(operand)) return Type::kNumber;
  return std::nullopt;
}

BrokenRule CheckType(std::string_view function, const Operand& operand, std::span<const Type> allowed) {
  const std::optional<Type> type = KnownType(operand);
  if (!type || std::ranges::find(allowed, *type) != allowed.end()) return std::nullopt;
  return OperandTypeMessage(function, item::TypeName(*type));
}

// "AttributeValue: {S:a}".
std::string ValueInMessage(const AttributeValue& value) {
  std::string text = "AttributeValue: {";
  text.append(item::TypeName(value.type())).append(":");
  if (value.is(Type::kString)) text.append(value.string());
  if (value.is(Type::kNumber)) value.number().AppendTo(text);
  if (value.is(Type::kBinary)) item::AppendBase64(text, value.binary());
  return text.append("}");
}

}  // namespace

BrokenRule CheckDistinct(std::string_view function, const Operand& first, const Operand& other) {
  const auto* path = std::get_if<DocumentPath>(&first);
  const auto* other_path = std::get_if<DocumentPath>(&other);
  if (path == nullptr || other_path == nullptr || *path != *other_path) return std::nullopt;
  return "The first operand must be distinct from the remaining operands for this operator or function; "
         "operator: " +
         std::string(function) + ", first operand: " + PathInMessage(*path);
}

BrokenRule CheckOrdered(std::string_view function, const Operand& operand) {
  static constexpr std::array kOrdered = {Type::kString, Type::kNumber, Type::kBinary};
  return CheckType(function, operand, kOrdered);
}

BrokenRule CheckBounds(const Operand& low, const Operand& high) {
  const auto* lower = std::get_if<AttributeValue>(&low);
  const auto* upper = std::get_if<AttributeValue>(&high);
  if (lower == nullptr || upper == nullptr) return std::nullopt;
  std::string_view rule;
  if (lower->type() != upper->type()) {
    rule = "requires same data type for lower and upper bounds";
  } else if (CompareValues(*lower, *upper) > 0) {
    rule = "requires upper bound to be greater than or equal to lower bound";
  } else {
    return std::nullopt;
  }
  return "The BETWEEN operator " + std::string(rule) + "; lower bound operand: " + ValueInMessage(*lower) +
         ", upper bound operand: " + ValueInMessage(*upper);
}

BrokenRule CheckBeginsWithOperand(const Operand& operand) {
  static constexpr std::array kTexts = {Type::kString, Type::kBinary};
  return CheckType("begins_with", operand, kTexts);
}

BrokenRule CheckContainer(const Operand& operand) {
  static constexpr std::array kContainers = {Type::kString,    Type::kBinary,    Type::kList,
                                             Type::kStringSet, Type::kNumberSet, Type::kBinarySet};
  return CheckType("contains", operand, kContainers);
}

BrokenRule CheckTypeName(const Operand& operand) {
  const std::optional<Type> type = KnownType(operand);
  if (!type) return OperandTypeMessage("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
  if (*type != Type::kString) return OperandTypeMessage("attribute_type", item::TypeName(*type));
  static constexpr auto kNames =
      std::to_array<std::string_view>({"B", "NULL", "SS", "BOOL", "L", "BS", "N", "NS", "S", "M"});
  const std::string& name = std::get<AttributeValue>(operand).string();
  if (std::ranges::find(kNames, name) != kNames.end()) return std::nullopt;
  return "Invalid attribute type name found; type: " + name + ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}";
}

BrokenRule CheckSizeOperand(const Operand& operand) {
  static constexpr std::array kSized = {Type::kString,    Type::kBinary,    Type::kMap,      Type::kList,
                                        Type::kStringSet, Type::kNumberSet, Type::kBinarySet};
  return CheckType("size", operand, kSized);
}

}  // namespace cairn::expr
