#include "model/typed_value.h"

#include <algorithm>

#include "model/value_type.h"

namespace cairn::model::typed {
namespace {

std::unexpected<Error> Damaged(std::string message) { return Fail(Code::kDamaged, std::move(message)); }

std::unexpected<Error> WrongType(std::string_view expected, const item::AttributeValue& value) {
  return Damaged("must be " + std::string(expected) + ", but is " + std::string(item::TypeName(value.type())));
}

}  // namespace

Status ReadText(const item::AttributeValue& value, std::string& target) {
  if (!value.is(item::Type::kString)) return WrongType("a text", value);
  target = value.string();
  return {};
}

Status ReadInteger(const item::AttributeValue& value, int64_t& target) {
  if (!value.is(item::Type::kNumber)) return WrongType("a whole number", value);
  const std::optional<int64_t> whole = value.number().ToInteger();
  if (!whole) return Damaged("must be a whole number of 64 bits, but is " + value.number().ToString());
  target = *whole;
  return {};
}

Status ReadNumber(const item::AttributeValue& value, item::Number& target) {
  if (!value.is(item::Type::kNumber)) return WrongType("a number", value);
  target = value.number();
  return {};
}

Status ReadBoolean(const item::AttributeValue& value, bool& target) {
  if (!value.is(item::Type::kBoolean)) return WrongType("true or false", value);
  target = value.boolean();
  return {};
}

Status ReadMap(const item::AttributeValue& value, item::Map& target) {
  if (!value.is(item::Type::kMap)) return WrongType("a map", value);
  target = value.map();
  return {};
}

Status ReadEnum(const item::AttributeValue& value, std::span<const std::string_view> texts, size_t& position) {
  if (!value.is(item::Type::kString)) return WrongType("a text", value);
  if (const std::optional<size_t> found = PositionOf(texts, value.string())) {
    position = *found;
    return {};
  }
  std::string message = "must be one of ";
  for (const std::string_view text : texts) message.append(text) += ", ";
  return Damaged(message + "but is '" + value.string() + "'");
}

const item::Map* MapOf(const item::AttributeValue& value, Status& status) {
  if (value.is(item::Type::kMap)) return &value.map();
  status = WrongType("a map", value);
  return nullptr;
}

Result<item::List> ListElements(const item::AttributeValue& value) {
  if (!value.is(item::Type::kList)) return WrongType("a list", value);
  return value.list();
}

Result<item::List> SetElements(const item::AttributeValue& value) {
  if (value.is(item::Type::kStringSet)) {
    return item::List(value.string_set().begin(), value.string_set().end());
  }
  if (value.is(item::Type::kNumberSet)) {
    return item::List(value.number_set().begin(), value.number_set().end());
  }
  return WrongType("a set", value);
}

Status AtElement(size_t position, Status status) {
  if (status) return status;
  const std::string path = "[" + std::to_string(position) + "]";
  return Fail(status.error().code, DescribeProblem(path, status.error().message));
}

std::optional<size_t> PositionOf(std::span<const std::string_view> texts, std::string_view text) {
  const auto found = std::ranges::find(texts, text);
  if (found == texts.end()) return std::nullopt;
  return static_cast<size_t>(found - texts.begin());
}

ItemWriter::ItemWriter() = default;
ItemWriter::~ItemWriter() = default;

void ItemWriter::PutValue(std::string_view name, const void* member,
                          item::AttributeValue (*to_value)(const void* member)) {
  attributes_.push_back({std::string(name), to_value(member)});
}

item::Item ItemWriter::Take() { return item::Item::FromAttributes(std::move(attributes_)); }

ItemReader::ItemReader(std::string_view owner, const item::Item& item, Reading reading)
    : owner_(owner), item_(item), reading_(reading) {}
ItemReader::~ItemReader() = default;

void ItemReader::TakeValue(std::string_view name, Need need, void* member, ReadFunction read) {
  if (!status_) return;
  const item::AttributeValue* value = item_.Find(name);
  if (need == Need::kNullable && value != nullptr && value->is(item::Type::kNull)) value = nullptr;
  const bool is_missing = value == nullptr && need == Need::kRequired && reading_ == Reading::kWhole;
  const Status status = is_missing ? Status(Damaged("is missing")) : read(value, member);
  if (status) return;
  const std::string path = std::string(owner_) + "." + std::string(name);
  status_ = Fail(status.error().code, DescribeProblem(path, status.error().message));
}

Status ItemReader::Finish() { return std::move(status_); }

}  // namespace cairn::model::typed
