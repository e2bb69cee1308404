// C++ values of the types that modelgen gives attributes, to attribute values and back. Used by generated
// code only, through model/typed.h.
//
//   std::string int64_t bool item::Number item::Map, closed enums, shapes (anything with ToItem and
//   FromItem), std::vector<T> of these as a list, Set<T> as a set
//
// A stored value of another type, or a text that is no value of its enum, is Code::kDamaged: nothing is
// guessed.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "item/attribute_value.h"
#include "item/packed_fields.h"
#include "model/record.h"

namespace cairn::model::typed {

// The elements of a set, handled like those of a vector. Stored sorted and each once, and not at all when
// there are none: the store knows no empty sets.
template <class T>
struct Set : std::vector<T> {
  using std::vector<T>::vector;
};

// Whether an item is an entity's whole item, or what a projection left of it: then what is missing stays as
// it was initialised, also where the entity cannot do without.
enum class Reading { kWhole, kPart };

template <class T>
inline constexpr bool kIsSet = false;
template <class T>
inline constexpr bool kIsSet<Set<T>> = true;
template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;

template <class T>
concept Embedded = requires(const T& value, T& target, const item::Item& item) {
  { value.ToItem() } -> std::same_as<item::Item>;
  { target.TakeFrom(item, Reading::kWhole) } -> std::same_as<Status>;
};

// The leaves. Failures are kDamaged with a sentence about the value: "must be a text, but is N".
Status ReadText(const item::AttributeValue& value, std::string& target);
Status ReadInteger(const item::AttributeValue& value, int64_t& target);
Status ReadNumber(const item::AttributeValue& value, item::Number& target);
Status ReadBoolean(const item::AttributeValue& value, bool& target);
Status ReadMap(const item::AttributeValue& value, item::Map& target);
// The position of an enum's text among `texts`.
Status ReadEnum(const item::AttributeValue& value, std::span<const std::string_view> texts, size_t& position);
// Null, and a failure in `status`, when it is no map.
const item::Map* MapOf(const item::AttributeValue& value, Status& status);
// The elements of a list; of a set of texts or numbers.
Result<item::List> ListElements(const item::AttributeValue& value);
Result<item::List> SetElements(const item::AttributeValue& value);
// A failure of the element at `position`: "[2] must be ...".
Status AtElement(size_t position, Status status);

// Only what is written in plain digits.
bool ParseInteger(std::string_view text, int64_t& target);

std::optional<size_t> PositionOf(std::span<const std::string_view> texts, std::string_view text);

// The enumerator of a text. TextsOf(enumeration) has their texts in order, and is found beside the
// enumeration.
template <class E>
std::optional<E> ParseEnum(std::string_view text) {
  const std::optional<size_t> position = PositionOf(TextsOf(E{}), text);
  return position ? std::optional(static_cast<E>(*position)) : std::nullopt;
}

// A value as it is stored.
template <class T>
item::AttributeValue ToValue(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return item::AttributeValue(ToText(value));
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return item::Number(value);
  } else if constexpr (Embedded<T>) {
    return value.ToItem();
  } else if constexpr (kIsList<T>) {
    item::List list;
    list.reserve(value.size());
    for (const auto& element : value) list.push_back(ToValue<typename T::value_type>(element));
    return list;
  } else if constexpr (kIsSet<T>) {
    using Element = typename T::value_type;
    constexpr bool kNumbers = std::is_same_v<Element, int64_t> || std::is_same_v<Element, item::Number>;
    std::conditional_t<kNumbers, item::NumberSet, item::StringSet> set;
    set.values.reserve(value.size());
    for (const Element& element : value) {
      if constexpr (std::is_enum_v<Element>) {
        set.values.emplace_back(ToText(element));
      } else {
        set.values.emplace_back(element);
      }
    }
    return set;
  } else {
    return item::AttributeValue(value);
  }
}

// A stored value, into `target`.
template <class T>
Status ReadValue(const item::AttributeValue& value, T& target) {
  if constexpr (std::is_same_v<T, std::string>) {
    return ReadText(value, target);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return ReadInteger(value, target);
  } else if constexpr (std::is_same_v<T, item::Number>) {
    return ReadNumber(value, target);
  } else if constexpr (std::is_same_v<T, bool>) {
    return ReadBoolean(value, target);
  } else if constexpr (std::is_same_v<T, item::Map>) {
    return ReadMap(value, target);
  } else if constexpr (std::is_enum_v<T>) {
    size_t position = 0;
    Status status = ReadEnum(value, TextsOf(T{}), position);
    target = static_cast<T>(position);
    return status;
  } else if constexpr (Embedded<T>) {
    Status status;
    const item::Map* map = MapOf(value, status);
    return map == nullptr ? status : target.TakeFrom(*map, Reading::kWhole);
  } else {
    static_assert(kIsList<T> || kIsSet<T>, "no attribute has this type");
    using Element = typename T::value_type;
    ASSIGN_OR_RETURN(const item::List list, kIsSet<T> ? SetElements(value) : ListElements(value));
    target = T(list.size());
    for (size_t i = 0; i < list.size(); ++i) {
      if constexpr (std::is_same_v<Element, bool>) {  // std::vector<bool> has no bools
        bool truth = false;
        RETURN_IF_ERROR(AtElement(i, ReadBoolean(list[i], truth)));
        target[i] = truth;
      } else {
        RETURN_IF_ERROR(AtElement(i, ReadValue(list[i], target[i])));
      }
    }
    return {};
  }
}

// The same of a packed item, where `field` is. The leaves that most attributes are go without a value in
// between; what is wrong with one is said by ReadValue.
template <class T>
Status ReadField(const item::FieldWalk& field, T& target) {
  if constexpr (std::is_same_v<T, std::string>) {
    if (field.type() == item::Type::kString) {
      target = field.text();
      return {};
    }
  } else if constexpr (std::is_same_v<T, int64_t>) {
    if (field.type() == item::Type::kNumber && ParseInteger(field.text(), target)) return {};
  } else if constexpr (std::is_same_v<T, bool>) {
    if (field.type() == item::Type::kBoolean) {
      target = field.boolean();
      return {};
    }
  } else if constexpr (std::is_enum_v<T>) {
    if (field.type() == item::Type::kString) {
      if (const std::optional<T> one = ParseEnum<T>(field.text())) {
        target = *one;
        return {};
      }
    }
  }
  return ReadValue(field.Unpack(), target);
}

// How members of one C++ type are stored.
struct Codec {
  std::optional<item::AttributeValue> (*write)(const void* member);  // nothing: left out
  Status (*read)(const item::AttributeValue* value, void* member);   // null: nothing is stored
  Status (*read_field)(const item::FieldWalk& field, void* member);
  bool optional;
};
template <class T>
struct MemberCodec {
  static std::optional<item::AttributeValue> Write(const void* member) {
    const T& value = *static_cast<const T*>(member);
    if constexpr (kIsSet<T>) {
      if (value.empty()) return std::nullopt;
    }
    return ToValue(value);
  }
  static Status Read(const item::AttributeValue* value, void* member) {
    return value == nullptr ? Status() : ReadValue(*value, *static_cast<T*>(member));
  }
  static Status ReadPacked(const item::FieldWalk& field, void* member) {
    return ReadField(field, *static_cast<T*>(member));
  }
  static constexpr Codec kCodec{Write, Read, ReadPacked, false};
};
template <class T>
struct MemberCodec<std::optional<T>> {
  static std::optional<item::AttributeValue> Write(const void* member) {
    const auto& value = *static_cast<const std::optional<T>*>(member);
    return value ? MemberCodec<T>::Write(&*value) : std::nullopt;
  }
  static Status Read(const item::AttributeValue* value, void* member) {
    auto& target = *static_cast<std::optional<T>*>(member);
    target.reset();
    return value == nullptr ? Status() : ReadValue(*value, target.emplace());
  }
  static Status ReadPacked(const item::FieldWalk& field, void* member) {
    return ReadField(field, static_cast<std::optional<T>*>(member)->emplace());
  }
  static constexpr Codec kCodec{Write, Read, ReadPacked, true};
};

enum class Null {
  kDamage,   // is no value
  kAbsent,   // is read as absent
  kWritten,  // likewise, and what is absent is written as null: of attributes that must be there
};

enum class Source {
  kItem,
  kKey,  // no attribute of the item: told by its key
};

// A member of a generated struct. Tables of these take the place of two functions per struct, which would be
// most of what there is to compile.
struct Member {
  std::string_view name;  // as stored
  size_t offset;          // in the struct, which has standard layout
  const Codec* codec;
  Null null = Null::kDamage;
  Source source = Source::kItem;
};
template <class T>
inline constexpr const Codec* kCodec = &MemberCodec<T>::kCodec;

// Those of a struct are in the order of their names.
item::Item ToItem(std::span<const Member> members, const void* value);
// `owner` names the entity in messages; "" for a shape, whose path is told by what contains it. The first
// fault ends it, and the value is half filled then.
Status TakeFrom(std::string_view owner, std::span<const Member> members, const item::Item& item,
                Reading reading, void* value);
// The same of an item as it is stored, and what its key tells.
struct Stored {
  const Record& record;
  KeyReader& keys;
};
Status TakeFrom(std::string_view owner, std::span<const Member> members, const Stored& stored,
                Reading reading, void* value);

}  // namespace cairn::model::typed
