#include "model/typed_value.h"

#include <algorithm>
#include <charconv>

#include "model/value_type.h"

namespace cairn::model::typed {
namespace {

std::unexpected<Error> Damaged(std::string message) { return Fail(Code::kDamaged, std::move(message)); }

std::unexpected<Error> WrongType(std::string_view expected, const item::AttributeValue& value) {
  return Damaged("must be " + std::string(expected) + ", but is " +
                 std::string(item::TypeName(value.type())));
}

// Null: nothing is stored.
Status TakeValue(const Member& member, const item::AttributeValue* value, Reading reading, void* target) {
  if (member.null != Null::kDamage && value != nullptr && value->is(item::Type::kNull)) value = nullptr;
  if (value == nullptr && !member.codec->optional && reading == Reading::kWhole) return Damaged("is missing");
  return member.codec->read(value, target);
}

std::unexpected<Error> AtMember(std::string_view owner, const Member& member, const Error& error) {
  const std::string path = std::string(owner) + "." + std::string(member.name);
  return Fail(error.code, DescribeProblem(path, error.message));
}

// As names of attributes are ordered. Most differ in their first letter, which spares the comparison.
bool IsBefore(std::string_view name, std::string_view other) {
  if (name.empty() || other.empty() || name.front() == other.front()) return name < other;
  return static_cast<unsigned char>(name.front()) < static_cast<unsigned char>(other.front());
}

// Tells quickly that an attribute has no default: most have none, and every absent one of every item is asked
// for.
class FirstLetters {
 public:
  explicit FirstLetters(const Entity& entity) {
    for (const size_t position : entity.defaulted) letters_ |= BitOf(entity.attributes[position].stored_as);
  }
  bool MayBe(std::string_view name) const { return (letters_ & BitOf(name)) != 0; }

 private:
  static uint64_t BitOf(std::string_view name) {
    return name.empty() ? 1 : uint64_t{1} << (static_cast<unsigned char>(name.front()) % 64);
  }

  uint64_t letters_ = 0;
};

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

Status ReadEnum(const item::AttributeValue& value, std::span<const std::string_view> texts,
                size_t& position) {
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

bool ParseInteger(std::string_view text, int64_t& target) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), target);
  return error == std::errc() && end == text.data() + text.size();
}

std::optional<size_t> PositionOf(std::span<const std::string_view> texts, std::string_view text) {
  const auto found = std::ranges::find(texts, text);
  if (found == texts.end()) return std::nullopt;
  return static_cast<size_t>(found - texts.begin());
}

item::Item ToItem(std::span<const Member> members, const void* value) {
  std::vector<item::Attribute> attributes;
  attributes.reserve(members.size());
  for (const Member& member : members) {
    auto stored = member.codec->write(static_cast<const char*>(value) + member.offset);
    if (!stored && member.null == Null::kWritten) stored.emplace();
    if (stored) attributes.push_back({std::string(member.name), *std::move(stored)});
  }
  return item::Item::FromAttributes(std::move(attributes));
}

Status TakeFrom(std::string_view owner, std::span<const Member> members, const item::Item& item,
                Reading reading, void* value) {
  for (const Member& member : members) {
    const Status status =
        TakeValue(member, item.Find(member.name), reading, static_cast<char*>(value) + member.offset);
    if (!status) return AtMember(owner, member, status.error());
  }
  return {};
}

Status TakeFrom(std::string_view owner, std::span<const Member> members, const Stored& stored,
                Reading reading, void* value) {
  item::FieldWalk field(stored.record.packed());
  bool more = field.Next();
  const FirstLetters defaulted(stored.record.entity());
  for (const Member& member : members) {
    void* target = static_cast<char*>(value) + member.offset;
    const auto take = [&]() -> Status {
      if (member.source == Source::kKey)
        return TakeValue(member, stored.keys.Find(stored.record, member.name), reading, target);
      while (more && IsBefore(field.name(), member.name)) more = field.Next();
      const bool is_there = more && field.name() == member.name;
      const bool is_null = is_there && member.null != Null::kDamage && field.type() == item::Type::kNull;
      if (!is_there && member.codec->optional) {
        // An item may be older than the attribute.
        const bool may_have = defaulted.MayBe(member.name);
        return TakeValue(member, may_have ? stored.record.DefaultOf(member.name) : nullptr, reading, target);
      }
      if (!is_there || is_null) return TakeValue(member, nullptr, reading, target);
      return member.codec->read_field(field, target);
    };
    if (const Status status = take(); !status) return AtMember(owner, member, status.error());
  }
  return {};
}

}  // namespace cairn::model::typed
