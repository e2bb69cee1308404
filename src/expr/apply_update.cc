#include <algorithm>
#include <span>

#include "expr/update.h"
#include "item/item_size.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;
using item::Item;
using item::Number;
using item::Type;

constexpr size_t kFewSets = 4;  // of these, any size does

std::unexpected<Error> InvalidPath() {
  return Fail(Invalid("The document path provided in the update expression is invalid for update"));
}
std::unexpected<Error> WrongOperandType() {
  return Fail(Invalid("An operand in the update expression has an incorrect data type"));
}

// The right side of SET, read from the item as it was. Its nesting is bounded by the parser.
class SetValueEvaluator {
 public:
  explicit SetValueEvaluator(const Item& old_item) : old_item_(old_item) {}

  Result<AttributeValue> Evaluate(const SetValue& value) const { return std::visit(*this, value.node); }

  Result<AttributeValue> operator()(const AttributeValue& constant) const { return constant; }
  Result<AttributeValue> operator()(const DocumentPath& path) const {
    const AttributeValue* value = FindValue(old_item_, path);
    if (value == nullptr) {
      return Fail(Invalid("The provided expression refers to an attribute that does not exist in the item"));
    }
    return *value;
  }
  Result<AttributeValue> operator()(const IfNotExists& node) const {
    if (const AttributeValue* value = FindValue(old_item_, node.path)) return *value;
    return Evaluate(*node.otherwise);
  }
  Result<AttributeValue> operator()(const ListAppend& node) const {
    ASSIGN_OR_RETURN(AttributeValue front, Evaluate(*node.front));
    if (!front.is(Type::kList)) return WrongOperandType();
    ASSIGN_OR_RETURN(AttributeValue back, Evaluate(*node.back));
    if (!back.is(Type::kList)) return WrongOperandType();
    item::List& list = front.list();
    list.insert(list.end(), std::make_move_iterator(back.list().begin()),
                std::make_move_iterator(back.list().end()));
    return front;
  }
  Result<AttributeValue> operator()(const Sum& node) const { return Calculate(node, &Number::Add); }
  Result<AttributeValue> operator()(const Difference& node) const {
    return Calculate(node, &Number::Subtract);
  }

 private:
  Result<AttributeValue> Calculate(const auto& node,
                                   Result<Number> (*calculate)(const Number&, const Number&)) const {
    ASSIGN_OR_RETURN(const AttributeValue left, Evaluate(*node.left));
    if (!left.is(Type::kNumber)) return WrongOperandType();
    ASSIGN_OR_RETURN(const AttributeValue right, Evaluate(*node.right));
    if (!right.is(Type::kNumber)) return WrongOperandType();
    ASSIGN_OR_RETURN(const Number result, calculate(left.number(), right.number()));
    return AttributeValue(result);
  }

  const Item& old_item_;
};

// The value that holds what `path` names, i.e. the path without its last step, which it must have; null when
// it is missing or not of the kind, map or list, that the last step wants. `AnyItem` is Item or const Item.
template <class AnyItem>
auto* FindParent(AnyItem& item, const DocumentPath& path) {
  auto* value = item.Find(path.attribute);
  for (size_t i = 0; value != nullptr && i + 1 < path.steps.size(); ++i) {
    const PathStep& step = path.steps[i];
    if (const auto* name = std::get_if<std::string>(&step)) {
      value = value->is(Type::kMap) ? value->map().Find(*name) : nullptr;
    } else {
      const uint32_t position = std::get<uint32_t>(step);
      value = value->is(Type::kList) && position < value->list().size() ? &value->list()[position] : nullptr;
    }
  }
  const bool is_name = std::holds_alternative<std::string>(path.steps.back());
  return value != nullptr && value->is(is_name ? Type::kMap : Type::kList) ? value : nullptr;
}

// Whether something can be written at `path`: everything above it is there.
bool HasPlace(const Item& item, const DocumentPath& path) {
  return path.steps.empty() || FindParent(item, path) != nullptr;
}

// What is deepest comes first, and things of the same map or list lie together, in the order of their names
// or positions.
bool ComesBefore(const DocumentPath& a, const DocumentPath& b) {
  if (a.steps.size() != b.steps.size()) return a.steps.size() > b.steps.size();
  if (const auto order = a.attribute <=> b.attribute; order != 0) return order < 0;
  return a.steps < b.steps;
}

// Whether they name things of the same map or list.
bool AreSiblings(const DocumentPath& a, const DocumentPath& b) {
  if (a.steps.size() != b.steps.size()) return false;
  if (a.steps.empty()) return true;
  return a.attribute == b.attribute && std::equal(a.steps.begin(), std::prev(a.steps.end()), b.steps.begin());
}

// Calls `apply` with every run of siblings in `changes`, which are sorted with ComesBefore.
template <class Change, class PathOf, class Apply>
void ForEachFamily(std::span<Change> changes, PathOf path_of, Apply apply) {
  while (!changes.empty()) {
    size_t count = 1;
    while (count < changes.size() && AreSiblings(path_of(changes[0]), path_of(changes[count]))) ++count;
    apply(changes.first(count));
    changes = changes.subspan(count);
  }
}

const std::string& LastName(const DocumentPath& path) {
  return path.steps.empty() ? path.attribute : std::get<std::string>(path.steps.back());
}

struct NewValue {
  const DocumentPath* path;
  AttributeValue value;
};

// Precondition: they have a place. A list position beyond the end appends.
void SetSiblings(Item& item, std::span<NewValue> values) {
  const DocumentPath& first = *values[0].path;
  AttributeValue* parent = first.steps.empty() ? nullptr : FindParent(item, first);
  if (parent != nullptr && parent->is(Type::kList)) {
    item::List& list = parent->list();
    for (NewValue& each : values) {
      const uint32_t position = std::get<uint32_t>(each.path->steps.back());
      if (position < list.size()) {
        list[position] = std::move(each.value);
      } else {
        list.push_back(std::move(each.value));
      }
    }
    return;
  }
  item::Map& map = parent == nullptr ? item : parent->map();
  if (values.size() == 1) return map.Set(LastName(first), std::move(values[0].value));
  std::vector<item::Attribute> attributes;
  attributes.reserve(values.size());
  for (NewValue& each : values) attributes.push_back({LastName(*each.path), std::move(each.value)});
  map.SetAll(std::move(attributes));
}

// Precondition: they are there.
void RemoveSiblings(Item& item, std::span<const DocumentPath* const> paths) {
  const DocumentPath& first = *paths[0];
  AttributeValue* parent = first.steps.empty() ? nullptr : FindParent(item, first);
  if (parent != nullptr && parent->is(Type::kList)) {
    auto next = paths.begin();
    uint32_t position = 0;
    std::erase_if(parent->list(), [&](const AttributeValue&) {
      const bool is_removed = next != paths.end() && std::get<uint32_t>((*next)->steps.back()) == position;
      ++position;
      if (is_removed) ++next;
      return is_removed;
    });
    return;
  }
  std::vector<std::string_view> names;
  names.reserve(paths.size());
  for (const DocumentPath* path : paths) names.push_back(LastName(*path));
  (parent == nullptr ? item : parent->map()).RemoveAll(names);
}

template <class T>
std::vector<T> Union(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> result;
  result.reserve(a.size() + b.size());
  std::ranges::set_union(a, b, std::back_inserter(result));
  return result;
}

template <class T>
std::vector<T> Without(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> result;
  std::ranges::set_difference(a, b, std::back_inserter(result));
  return result;
}

// Precondition: both have the same type, one that ADD takes.
Result<AttributeValue> AddValues(const AttributeValue& old_value, const AttributeValue& added) {
  switch (added.type()) {
    case Type::kStringSet:
      return AttributeValue(item::StringSet{Union(old_value.string_set(), added.string_set())});
    case Type::kNumberSet:
      return AttributeValue(item::NumberSet{Union(old_value.number_set(), added.number_set())});
    case Type::kBinarySet:
      return AttributeValue(item::BinarySet{Union(old_value.binary_set(), added.binary_set())});
    case Type::kList: {
      item::List list = old_value.list();
      list.insert(list.end(), added.list().begin(), added.list().end());
      return AttributeValue(std::move(list));
    }
    case Type::kNumber: {
      ASSIGN_OR_RETURN(const Number sum, Number::Add(old_value.number(), added.number()));
      return AttributeValue(sum);
    }
    default:
      return WrongOperandType();
  }
}

// Precondition: both are sets of the same type. Nothing when no member remains.
std::optional<AttributeValue> DeleteMembers(const AttributeValue& old_value, const AttributeValue& deleted) {
  if (old_value.is(Type::kStringSet)) {
    std::vector<std::string> rest = Without(old_value.string_set(), deleted.string_set());
    if (rest.empty()) return std::nullopt;
    return AttributeValue(item::StringSet{std::move(rest)});
  }
  if (old_value.is(Type::kNumberSet)) {
    std::vector<Number> rest = Without(old_value.number_set(), deleted.number_set());
    if (rest.empty()) return std::nullopt;
    return AttributeValue(item::NumberSet{std::move(rest)});
  }
  std::vector<std::string> rest = Without(old_value.binary_set(), deleted.binary_set());
  if (rest.empty()) return std::nullopt;
  return AttributeValue(item::BinarySet{std::move(rest)});
}

// Every path speaks of the old item. So values are replaced first, which moves nothing, and removed last; and
// what is removed of a list, once nothing below its elements is left to do. Values of the same map or list go
// there together: one at a time, each would move all that lie after it.
class Application {
 public:
  Application(const Update& update, const Item& old_item)
      : update_(update), old_item_(old_item), item_(old_item) {}

  Result<Item> Run() {
    RETURN_IF_ERROR(EvaluateSets());
    for (const AddAction& action : update_.adds) RETURN_IF_ERROR(EvaluateAdd(action));
    for (const DeleteAction& action : update_.deletes) RETURN_IF_ERROR(EvaluateDelete(action));
    for (const RemoveAction& action : update_.removes) RETURN_IF_ERROR(NoteRemoval(action.path));
    std::ranges::stable_sort(values_,
                             [](const auto& a, const auto& b) { return ComesBefore(*a.path, *b.path); });
    ForEachFamily(
        std::span(values_), [](const NewValue& each) -> auto& { return *each.path; },
        [&](std::span<NewValue> siblings) { SetSiblings(item_, siblings); });
    std::ranges::sort(removals_, [](const auto* a, const auto* b) { return ComesBefore(*a, *b); });
    ForEachFamily(
        std::span(removals_), [](const DocumentPath* path) -> auto& { return *path; },
        [&](std::span<const DocumentPath*> siblings) { RemoveSiblings(item_, siblings); });
    return std::move(item_);
  }

 private:
  Status EvaluateSets() {
    const SetValueEvaluator evaluator(old_item_);
    values_.reserve(update_.sets.size() + update_.adds.size() + update_.deletes.size());
    size_t bytes = 0;
    for (const SetAction& action : update_.sets) {
      ASSIGN_OR_RETURN(AttributeValue value, evaluator.Evaluate(*action.value));
      // All of them will be in the item: no need to make more of a large value than an item can hold.
      if (update_.sets.size() > kFewSets && (bytes += item::ValueBytes(value)) > item::kItemBytesMax)
        return Fail(Invalid(std::string(kUpdatedItemTooLarge)));
      values_.push_back({&action.path, std::move(value)});
    }
    for (const NewValue& value : values_) {
      if (!HasPlace(old_item_, *value.path)) return InvalidPath();
    }
    return {};
  }

  Status EvaluateAdd(const AddAction& action) {
    if (!HasPlace(old_item_, action.path)) return InvalidPath();
    const AttributeValue* old_value = FindValue(old_item_, action.path);
    if (old_value == nullptr) {
      values_.push_back({&action.path, action.value});
      return {};
    }
    if (old_value->type() != action.value.type()) return TypeMismatch();
    ASSIGN_OR_RETURN(AttributeValue sum, AddValues(*old_value, action.value));
    values_.push_back({&action.path, std::move(sum)});
    return {};
  }

  Status EvaluateDelete(const DeleteAction& action) {
    if (!HasPlace(old_item_, action.path)) return InvalidPath();
    const AttributeValue* old_value = FindValue(old_item_, action.path);
    if (old_value == nullptr) return {};
    if (old_value->type() != action.value.type() || !item::IsSet(action.value.type())) return TypeMismatch();
    std::optional<AttributeValue> rest = DeleteMembers(*old_value, action.value);
    if (rest) {
      values_.push_back({&action.path, *std::move(rest)});
    } else {
      removals_.push_back(&action.path);
    }
    return {};
  }

  Status NoteRemoval(const DocumentPath& path) {
    if (!HasPlace(old_item_, path)) return InvalidPath();
    if (FindValue(old_item_, path) != nullptr) removals_.push_back(&path);
    return {};
  }

  std::unexpected<Error> TypeMismatch() const {
    if (update_.source == UpdateSource::kExpression) return WrongOperandType();
    return Fail(Invalid("Type mismatch for attribute to update"));
  }

  const Update& update_;
  const Item& old_item_;
  Item item_;
  std::vector<NewValue> values_;
  std::vector<const DocumentPath*> removals_;
};

}  // namespace

Result<Item> ApplyUpdate(const Update& update, const Item& old_item) {
  return Application(update, old_item).Run();
}

std::vector<DocumentPath> UpdatedPaths(const Update& update) {
  std::vector<DocumentPath> paths;
  paths.reserve(update.sets.size() + update.removes.size() + update.adds.size() + update.deletes.size());
  for (const SetAction& action : update.sets) paths.push_back(action.path);
  for (const RemoveAction& action : update.removes) paths.push_back(action.path);
  for (const AddAction& action : update.adds) paths.push_back(action.path);
  for (const DeleteAction& action : update.deletes) paths.push_back(action.path);
  return paths;
}

}  // namespace cairn::expr
