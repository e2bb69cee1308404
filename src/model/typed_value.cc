#include "model/typed_value.h"

#include <algorithm>

#include "model/value_type.h"

namespace cairn::model::typed {
namespace {

Error Damaged(std::string message) { return {Code::kDamaged, std::move(message)}; }

}  // namespace

Error WrongType(std::string_view expected, const item::AttributeValue& value) {
  return Damaged("must be " + std::string(expected) + ", but is " +
                 std::string(item::TypeName(value.type())));
}

Error WrongText(std::span<const std::string_view> texts, std::string_view text) {
  std::string message = "must be one of ";
  for (const std::string_view known : texts) message.append(known) += ", ";
  return Damaged(message + "but is '" + std::string(text) + "'");
}

Error AtElement(size_t position, Error error) {
  error.message = DescribeProblem("[" + std::to_string(position) + "]", error.message);
  return error;
}

std::optional<size_t> PositionOf(std::span<const std::string_view> texts, std::string_view text) {
  const auto found = std::ranges::find(texts, text);
  if (found == texts.end()) return std::nullopt;
  return static_cast<size_t>(found - texts.begin());
}

Status ReadValue(const item::AttributeValue& value, std::string& target) {
  if (!value.is(item::Type::kString)) return Fail(WrongType("a text", value));
  target = value.string();
  return {};
}

Status ReadValue(const item::AttributeValue& value, int64_t& target) {
  if (!value.is(item::Type::kNumber)) return Fail(WrongType("a whole number", value));
  const std::optional<int64_t> whole = value.number().ToInteger();
  if (!whole) return Fail(Damaged("must be a whole number of 64 bits, but is " + value.number().ToString()));
  target = *whole;
  return {};
}

Status ReadValue(const item::AttributeValue& value, item::Number& target) {
  if (!value.is(item::Type::kNumber)) return Fail(WrongType("a number", value));
  target = value.number();
  return {};
}

Status ReadValue(const item::AttributeValue& value, bool& target) {
  if (!value.is(item::Type::kBoolean)) return Fail(WrongType("true or false", value));
  target = value.boolean();
  return {};
}

Status ReadValue(const item::AttributeValue& value, item::Map& target) {
  if (!value.is(item::Type::kMap)) return Fail(WrongType("a map", value));
  target = value.map();
  return {};
}

Result<item::List> SetElements(const item::AttributeValue& value) {
  if (value.is(item::Type::kStringSet)) {
    return item::List(value.string_set().begin(), value.string_set().end());
  }
  if (value.is(item::Type::kNumberSet)) {
    return item::List(value.number_set().begin(), value.number_set().end());
  }
  return Fail(WrongType("a set", value));
}

CAIRN_TYPED_MEMBERS()

const item::AttributeValue* ItemReader::Find(std::string_view name) {
  const item::AttributeValue* value = item_.Find(name);
  if (value == nullptr && reading_ == Reading::kWhole) Note(name, Fail(Damaged("is missing")));
  return value;
}

void ItemReader::Note(std::string_view name, const Status& status) {
  if (status || !status_) return;
  const std::string path = std::string(owner_) + "." + std::string(name);
  status_ = Fail(status.error().code, DescribeProblem(path, status.error().message));
}

}  // namespace cairn::model::typed
