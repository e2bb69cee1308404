// Values in the document (defaults, tombstones) as attribute values.
#include "model/load_context.h"

namespace cairn::model {
namespace {

const ValueType kUntyped{.kind = Kind::kMap};  // what is inside a plain map has no declared type

Result<item::AttributeValue> ToSet(const Node& list) {
  std::vector<std::string> texts;
  std::vector<item::Number> numbers;
  for (const Node& element : list.elements) {
    if (element.is(Node::Kind::kString)) {
      texts.push_back(element.text);
    } else {
      ASSIGN_OR_RETURN(const item::AttributeValue value, ToValue(kUntyped, element));
      if (!value.is(item::Type::kNumber)) return Fail(Invalid("a set holds texts or numbers"));
      numbers.push_back(value.number());
    }
  }
  if (!texts.empty() && !numbers.empty()) return Fail(Invalid("a set holds texts or numbers, not both"));
  if (!texts.empty()) return item::AttributeValue(item::StringSet{std::move(texts)});
  if (!numbers.empty()) return item::AttributeValue(item::NumberSet{std::move(numbers)});
  return Fail(Invalid("a set is never empty"));
}

Result<item::AttributeValue> ToList(const ValueType& type, const Node& list) {
  item::List values;
  for (const Node& element : list.elements) {
    ASSIGN_OR_RETURN(item::AttributeValue value, ToValue(type.element ? *type.element : kUntyped, element));
    values.push_back(std::move(value));
  }
  return item::AttributeValue(std::move(values));
}

const ValueType& MemberType(const ValueType& type, std::string_view name) {
  if (type.shape) {
    for (const Attribute& member : type.shape->members) {
      if (member.name == name) return member.type;
    }
  }
  return kUntyped;
}

Result<item::AttributeValue> ToMap(const ValueType& type, const Node& table) {
  std::vector<item::Attribute> attributes;
  for (const Member& member : table.members) {
    ASSIGN_OR_RETURN(item::AttributeValue value, ToValue(MemberType(type, member.name), member.value));
    attributes.push_back({member.name, std::move(value)});
  }
  return item::AttributeValue(item::Map::FromAttributes(std::move(attributes)));
}

}  // namespace

Result<item::AttributeValue> ToValue(const ValueType& type, const Node& node) {
  switch (node.kind) {
    case Node::Kind::kTable:
      return ToMap(type, node);
    case Node::Kind::kArray:
      return type.kind == Kind::kSet ? ToSet(node) : ToList(type, node);
    case Node::Kind::kString:
      return item::AttributeValue(node.text);
    case Node::Kind::kInteger:
    case Node::Kind::kFloat: {
      ASSIGN_OR_RETURN(const item::Number number, item::Number::Parse(NumberText(node)));
      return item::AttributeValue(number);
    }
    case Node::Kind::kBoolean:
      return item::AttributeValue(node.truth);
    case Node::Kind::kNull:
      break;
  }
  return item::AttributeValue();
}

std::optional<item::AttributeValue> LoadValue(LoadContext& context, const Attribute& attribute,
                                              const Node& node, std::string_view subject) {
  auto value = ToValue(attribute.type, node);
  if (!value) {
    context.Error(node.where, subject, value.error().message);
    return {};
  }
  if (value->is(item::Type::kNull) && attribute.nullable) return *value;
  if (const Status right = CheckValue(attribute.type, attribute.limits, *value); !right) {
    context.Error(node.where, subject, DescribeProblem(attribute.name, right.error().message));
    return {};
  }
  return *std::move(value);
}

}  // namespace cairn::model
