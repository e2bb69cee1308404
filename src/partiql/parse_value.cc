#include "partiql/parse_value.h"

#include <algorithm>
#include <set>
#include <utility>

#include "item/item_size.h"

namespace cairn::partiql {
namespace {

using item::AttributeValue;
using item::Number;
using item::Type;

// Where a value is inside the literal, as messages name it: root, root.x, root[1]. `depth` counts the lists
// and maps around it.
struct Place {
  std::string name = "root";
  int depth = 0;

  Place Member(std::string_view key) const { return {name + "." + std::string(key), depth + 1}; }
  Place Element(size_t index) const { return {name + "[" + std::to_string(index) + "]", depth + 1}; }
};

Result<AttributeValue> ParseAt(Cursor& cursor, const Place& place);

Result<AttributeValue> ParseNumber(Cursor& cursor, const Place& place) {
  std::string text;
  if (cursor.AtSymbol("-") || cursor.AtSymbol("+")) text = cursor.Take().text;
  if (cursor.Peek().kind != TokenKind::kNumber) return Fail(cursor.UnexpectedHere());
  text += cursor.Take().text;
  if (text.front() == '+') text.erase(0, 1);
  Result<Number> number = Number::Parse(text);
  if (!number) return Fail(Invalid(number.error().message + " under " + place.name));
  return AttributeValue(*number);
}

Status CheckDepth(const Place& place) {
  if (place.depth < item::kNestingMax) return {};
  return Fail(item::NestingError());
}

Result<AttributeValue> ParseList(Cursor& cursor, const Place& place) {
  RETURN_IF_ERROR(CheckDepth(place));
  cursor.Take();
  item::List list;
  if (cursor.TakeSymbol("]")) return AttributeValue(std::move(list));
  do {
    ASSIGN_OR_RETURN(AttributeValue element, ParseAt(cursor, place.Element(list.size())));
    list.push_back(std::move(element));
  } while (cursor.TakeSymbol(","));
  if (!cursor.TakeSymbol("]")) return Fail(NotWellFormed("Expected RIGHT_BRACKET"));
  return AttributeValue(std::move(list));
}

// The members between { and }. The values of an INSERT's own map are roots of their own.
Result<item::Map> ParseMembers(Cursor& cursor, const Place* place) {
  cursor.Take();
  item::Map map;
  if (cursor.TakeSymbol("}")) return map;
  do {
    if (cursor.Peek().kind != TokenKind::kString) {
      return Fail(Invalid("Tuple keys must be of type String" + AtPosition(cursor.Peek().position)));
    }
    const std::string key = cursor.Take().text;
    const Place inside = place ? place->Member(key) : Place{};
    if (!cursor.TakeSymbol(":")) return Fail(NotWellFormed("Expected COLON"));
    ASSIGN_OR_RETURN(AttributeValue value, ParseAt(cursor, inside));
    if (map.Contains(key)) {
      return Fail(
          Invalid("Duplicate keys in tuple. Key: " + key + " under " + (place ? place->name : "root")));
    }
    map.Set(key, std::move(value));
  } while (cursor.TakeSymbol(","));
  if (!cursor.TakeSymbol("}")) return Fail(NotWellFormed("Expected RIGHT_CURLY"));
  return map;
}

std::string ScalarText(const AttributeValue& value) {
  return value.is(Type::kNumber) ? value.number().ToString()
                                 : std::string(value.is(Type::kString) ? value.string() : value.binary());
}

Status CheckNoDuplicates(const std::vector<AttributeValue>& members) {
  std::set<std::pair<Type, std::string>> seen;
  const auto is_new = [&](const AttributeValue& member) {
    return seen.emplace(member.type(), ScalarText(member)).second;
  };
  if (std::ranges::all_of(members, is_new)) return {};
  std::string all;
  for (const AttributeValue& member : members) all += (all.empty() ? "" : ", ") + ScalarText(member);
  return Fail(Invalid("One or more parameter values were invalid: Input collection [" + all +
                      "] contains duplicates."));
}

AttributeValue MakeSet(const std::vector<AttributeValue>& members) {
  if (members[0].is(Type::kNumber)) {
    item::NumberSet set;
    for (const AttributeValue& member : members) set.values.push_back(member.number());
    return set;
  }
  std::vector<std::string> texts;
  for (const AttributeValue& member : members) texts.push_back(ScalarText(member));
  if (members[0].is(Type::kString)) return item::StringSet{std::move(texts)};
  return item::BinarySet{std::move(texts)};
}

Result<AttributeValue> ParseSet(Cursor& cursor, const Place& place) {
  RETURN_IF_ERROR(CheckDepth(place));
  cursor.Take();
  std::vector<AttributeValue> members;
  if (cursor.TakeSymbol(">>")) return Fail(Invalid("Empty bags are not supported"));
  do {
    ASSIGN_OR_RETURN(AttributeValue member, ParseAt(cursor, place.Element(members.size())));
    members.push_back(std::move(member));
    if (!item::IsKeyType(members.back().type()) || members.back().type() != members.front().type()) {
      return Fail(
          Invalid("Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"));
    }
  } while (cursor.TakeSymbol(","));
  if (!cursor.TakeSymbol(">>")) return Fail(NotWellFormed("Expected RIGHT_DOUBLE_ANGLE_BRACKET"));
  RETURN_IF_ERROR(CheckNoDuplicates(members));
  return MakeSet(members);
}

Result<AttributeValue> ParseAt(Cursor& cursor, const Place& place) {
  const Token& token = cursor.Peek();
  if (token.kind == TokenKind::kString) return AttributeValue(cursor.Take().text);
  if (token.kind == TokenKind::kParameter) return cursor.TakeParameter();
  if (token.kind == TokenKind::kNumber || cursor.AtSymbol("-") || cursor.AtSymbol("+")) {
    return ParseNumber(cursor, place);
  }
  if (cursor.TakeKeyword("true")) return AttributeValue(true);
  if (cursor.TakeKeyword("false")) return AttributeValue(false);
  if (cursor.TakeKeyword("null")) return AttributeValue(item::Null{});
  if (cursor.AtSymbol("[")) return ParseList(cursor, place);
  if (cursor.AtSymbol("<<")) return ParseSet(cursor, place);
  if (cursor.AtSymbol("{")) {
    RETURN_IF_ERROR(CheckDepth(place));
    ASSIGN_OR_RETURN(item::Map map, ParseMembers(cursor, &place));
    return AttributeValue(std::move(map));
  }
  if (cursor.AtName() || cursor.AtCall() || cursor.AtKeyword("missing")) {
    return Fail(Invalid("Unsupported data type: " + token.text + " under key " + place.name +
                        AtPosition(token.position)));
  }
  return Fail(cursor.UnexpectedHere());
}

}  // namespace

bool AtValue(const Cursor& cursor) {
  switch (cursor.Peek().kind) {
    case TokenKind::kString:
    case TokenKind::kNumber:
    case TokenKind::kParameter:
      return true;
    case TokenKind::kKeyword:
      return cursor.AtKeyword("true") || cursor.AtKeyword("false") || cursor.AtKeyword("null") ||
             cursor.AtKeyword("missing");
    case TokenKind::kSymbol:
      return cursor.AtSymbol("[") || cursor.AtSymbol("{") || cursor.AtSymbol("<<") || cursor.AtSymbol("-") ||
             cursor.AtSymbol("+");
    default:
      return false;
  }
}

Result<AttributeValue> ParseValue(Cursor& cursor) {
  ASSIGN_OR_RETURN(AttributeValue value, ParseAt(cursor, Place{}));
  if (item::NestingDepth(value) > item::kNestingMax)
    return Fail(item::NestingError());  // with a parameter inside
  return value;
}

Result<item::Item> ParseItem(Cursor& cursor) {
  item::Item item;
  if (cursor.AtSymbol("{")) {
    ASSIGN_OR_RETURN(item, ParseMembers(cursor, nullptr));
  } else {
    ASSIGN_OR_RETURN(AttributeValue value, ParseValue(cursor));
    if (!value.is(Type::kMap))
      return Fail(Invalid("Unsupported data type in INSERT: the value must be a tuple"));
    item = std::move(value.map());
  }
  if (item::NestingDepth(item) > item::kNestingMax) return Fail(item::NestingError());
  if (item::ItemBytes(item) > item::kItemBytesMax) {
    return Fail(Invalid("Item size has exceeded the maximum allowed size"));
  }
  return item;
}

}  // namespace cairn::partiql
