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

// kDamaged with the sentence "must be a text, but is N".
Error WrongType(std::string_view expected, const item::AttributeValue& value);
// kDamaged with the sentence "must be one of A, B, but is 'C'".
Error WrongText(std::span<const std::string_view> texts, std::string_view text);
// `error` of the element at `position` of a list: "[2] must be ...".
Error AtElement(size_t position, Error error);

std::optional<size_t> PositionOf(std::span<const std::string_view> texts, std::string_view text);

// The enumerator of a text. TextsOf(enumeration) has their texts in order, and is found beside the
// enumeration.
template <class E>
std::optional<E> ParseEnum(std::string_view text) {
  const std::optional<size_t> position = PositionOf(TextsOf(E{}), text);
  return position ? std::optional(static_cast<E>(*position)) : std::nullopt;
}

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
    std::conditional_t<std::is_same_v<Element, int64_t> || std::is_same_v<Element, item::Number>,
                       item::NumberSet, item::StringSet>
        set;
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

Status ReadValue(const item::AttributeValue& value, std::string& target);
Status ReadValue(const item::AttributeValue& value, int64_t& target);
Status ReadValue(const item::AttributeValue& value, item::Number& target);
Status ReadValue(const item::AttributeValue& value, bool& target);
Status ReadValue(const item::AttributeValue& value, item::Map& target);

template <class E>
requires std::is_enum_v<E> Status ReadValue(const item::AttributeValue& value, E& target) {
  if (!value.is(item::Type::kString)) return Fail(WrongType("a text", value));
  const std::optional<E> parsed = ParseEnum<E>(value.string());
  if (!parsed) return Fail(WrongText(TextsOf(E{}), value.string()));
  target = *parsed;
  return {};
}

template <Embedded T>
Status ReadValue(const item::AttributeValue& value, T& target) {
  if (!value.is(item::Type::kMap)) return Fail(WrongType("a map", value));
  return target.TakeFrom(value.map(), Reading::kWhole);
}

// The elements of a set of texts or numbers.
Result<item::List> SetElements(const item::AttributeValue& value);

// The elements are made first and filled where they are: moving them costs more to compile than all the rest.
template <class Target>
Status ReadElements(const item::List& list, Target& target) {
  Target elements(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    if constexpr (std::is_same_v<typename Target::value_type, bool>) {
      bool truth = false;  // std::vector<bool> has no bools
      if (Status read = ReadValue(list[i], truth); !read) return Fail(AtElement(i, std::move(read).error()));
      elements[i] = truth;
    } else {
      if (Status read = ReadValue(list[i], elements[i]); !read)
        return Fail(AtElement(i, std::move(read).error()));
    }
  }
  target = std::move(elements);
  return {};
}

template <class T>
Status ReadValue(const item::AttributeValue& value, std::vector<T>& target) {
  if (!value.is(item::Type::kList)) return Fail(WrongType("a list", value));
  return ReadElements(value.list(), target);
}

template <class T>
Status ReadValue(const item::AttributeValue& value, Set<T>& target) {
  ASSIGN_OR_RETURN(const item::List elements, SetElements(value));
  return ReadElements(elements, target);
}

// Puts the members of a struct into an item, each under its stored name. Never inlined, as ItemReader:
// generated code calls them hundreds of times.
class ItemWriter {
 public:
  template <class T>
  [[gnu::noinline]] void Put(std::string_view name, const T& member) {
    if constexpr (kIsSet<T>) {
      if (member.empty()) return;
    }
    attributes_.push_back({std::string(name), ToValue(member)});
  }
  // An empty one is left out.
  template <class T>
  [[gnu::noinline]] void Put(std::string_view name, const std::optional<T>& member) {
    if (member) Put(name, *member);
  }
  // An empty one is stored as null: for attributes that must be there and may be null.
  template <class T>
  [[gnu::noinline]] void PutOrNull(std::string_view name, const std::optional<T>& member) {
    if (member) {
      Put(name, *member);
    } else {
      attributes_.push_back({std::string(name), item::AttributeValue()});
    }
  }

  item::Item Take() && { return item::Item::FromAttributes(std::move(attributes_)); }

 private:
  std::vector<item::Attribute> attributes_;
};

// Takes the members of a struct out of an item. Remembers the first thing that is wrong.
class ItemReader {
 public:
  // `owner` names the entity in messages; "" for a shape, whose path is told by what contains it.
  ItemReader(std::string_view owner, const item::Item& item, Reading reading)
      : owner_(owner), item_(item), reading_(reading) {}

  // A member that must be there.
  template <class T>
  [[gnu::noinline]] void Take(std::string_view name, T& member) {
    if (const item::AttributeValue* value = Find(name)) Note(name, ReadValue(*value, member));
  }
  template <class T>
  [[gnu::noinline]] void Take(std::string_view name, std::optional<T>& member) {
    member.reset();
    if (const item::AttributeValue* value = item_.Find(name)) Note(name, ReadValue(*value, member.emplace()));
  }
  // Null is as good as absent.
  template <class T>
  [[gnu::noinline]] void TakeNullable(std::string_view name, std::optional<T>& member) {
    member.reset();
    const item::AttributeValue* value = item_.Find(name);
    if (value == nullptr || value->is(item::Type::kNull)) return;
    Note(name, ReadValue(*value, member.emplace()));
  }

  Status Finish() { return std::move(status_); }

 private:
  // Null when it is absent, which is noted unless the item is a part only.
  const item::AttributeValue* Find(std::string_view name);
  void Note(std::string_view name, const Status& status);

  std::string_view owner_;
  const item::Item& item_;
  Reading reading_;
  Status status_;
};

// The frequent types are compiled once, in typed_value.cc.
#define CAIRN_TYPED_MEMBER(keyword, Type)                                              \
  keyword template void ItemWriter::Put(std::string_view, const Type&);                \
  keyword template void ItemWriter::Put(std::string_view, const std::optional<Type>&); \
  keyword template void ItemReader::Take(std::string_view, Type&);                     \
  keyword template void ItemReader::Take(std::string_view, std::optional<Type>&);      \
  keyword template void ItemReader::TakeNullable(std::string_view, std::optional<Type>&);
#define CAIRN_TYPED_MEMBERS(keyword)                    \
  CAIRN_TYPED_MEMBER(keyword, std::string)              \
  CAIRN_TYPED_MEMBER(keyword, int64_t)                  \
  CAIRN_TYPED_MEMBER(keyword, item::Number)             \
  CAIRN_TYPED_MEMBER(keyword, bool)                     \
  CAIRN_TYPED_MEMBER(keyword, item::Map)                \
  CAIRN_TYPED_MEMBER(keyword, std::vector<std::string>) \
  CAIRN_TYPED_MEMBER(keyword, Set<std::string>)
CAIRN_TYPED_MEMBERS(extern)

}  // namespace cairn::model::typed
