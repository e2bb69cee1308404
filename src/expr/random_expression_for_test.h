// Random expression trees that a text could have given: every rule of the parsers is kept.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "item/random_item_for_test.h"

namespace cairn::expr {

class RandomExpressions {
 public:
  explicit RandomExpressions(uint64_t seed) : items_(seed) {}

  ConditionPtr RandomCondition(int depth_left) {
    const uint64_t choice = Below(depth_left > 0 ? 12 : 8);
    switch (choice) {
      case 0:
        return Make(Comparison{Path("a"), Comparator(Below(2)), RandomOperand("b")});
      case 1:
        return Make(Comparison{OrderedOperand("a"), Comparator(2 + Below(4)), OrderedOperand("b")});
      case 2:
        return RandomBetween();
      case 3:
        return RandomIn();
      case 4:
        return Below(2) == 0 ? Make(AttributeExists{Path("a")}) : Make(AttributeNotExists{Path("a")});
      case 5:
        return Make(AttributeType{Path("a"), item::AttributeValue(item::TypeName(item::Type(Below(10))))});
      case 6:
        return Make(BeginsWith{Path("a"), Text()});
      case 7:
        return Make(Contains{Path("a"), RandomOperand("b")});
      case 8:
      case 9:
        return Make(And{RandomCondition(depth_left - 1), RandomCondition(depth_left - 1)});
      case 10:
        return Make(Or{RandomCondition(depth_left - 1), RandomCondition(depth_left - 1)});
      default:
        return Make(Not{RandomCondition(depth_left - 1)});
    }
  }

  Update RandomUpdate() {
    Update update;
    // Every action has an attribute of its own, so that no paths overlap.
    int number = 0;
    const auto path = [&] { return Path("p" + std::to_string(number++) + "_"); };
    for (uint64_t i = 0, n = Below(4); i < n; ++i) update.sets.push_back({path(), RandomSetValue()});
    for (uint64_t i = 0, n = Below(3); i < n; ++i) update.removes.push_back({path()});
    for (uint64_t i = 0, n = Below(3); i < n; ++i) {
      update.adds.push_back(
          {path(), Below(2) == 0 ? item::AttributeValue(items_.RandomNumber()) : RandomSet()});
    }
    for (uint64_t i = 0, n = Below(3); i < n; ++i) update.deletes.push_back({path(), RandomSet()});
    if (update.empty()) update.removes.push_back({path()});
    return update;
  }

  Projection RandomProjection() {
    Projection projection;
    for (uint64_t i = 0, n = 1 + Below(6); i < n; ++i)
      projection.paths.push_back(Path("p" + std::to_string(i) + "_"));
    return projection;
  }

  KeyCondition RandomKeyCondition() {
    KeyCondition condition;
    for (uint64_t i = 0, n = 1 + Below(8); i < n; ++i) {
      KeyComparison comparison{.attribute = Name("k" + std::to_string(i) + "_"),
                               .op = KeyOperator(Below(7)),
                               .value = Ordered(),
                               .high = {}};
      if (comparison.op == KeyOperator::kBeginsWith) comparison.value = Text();
      if (comparison.op == KeyOperator::kBetween) std::tie(comparison.value, comparison.high) = Bounds();
      condition.comparisons.push_back(std::move(comparison));
    }
    return condition;
  }

 private:
  uint64_t Below(uint64_t bound) { return items_.Below(bound); }

  template <class Node>
  static ConditionPtr Make(Node node) {
    return std::make_shared<const Condition>(Condition{std::move(node)});
  }
  template <class Node>
  static SetValuePtr MakeValue(Node node) {
    return std::make_shared<const SetValue>(SetValue{std::move(node)});
  }

  // Names with different prefixes differ; odd characters and keywords must survive printing.
  std::string Name(const std::string& prefix) {
    static constexpr auto kEnds = std::to_array<std::string_view>(
        {"", "x", ".y", "[0]", " and ", "#n0", ":v0", "\xc3\xa9", "(", "\"", "SET"});
    return prefix + std::string(kEnds[Below(kEnds.size())]);
  }
  DocumentPath Path(const std::string& prefix) {
    DocumentPath path{.attribute = Name(prefix), .steps = {}};
    for (uint64_t i = Below(4) == 0 ? Below(5) : 0; i > 0; --i) {
      if (Below(2) == 0) {
        path.steps.emplace_back(Name("size"));
      } else {
        path.steps.emplace_back(static_cast<uint32_t>(Below(3) == 0 ? Below(1u << 31) : Below(4)));
      }
    }
    return path;
  }

  item::AttributeValue Text() {
    if (Below(2) == 0) return item::Binary{items_.Text(6)};
    return "text" + std::to_string(Below(100));
  }
  item::AttributeValue Ordered() {
    if (Below(2) == 0) return items_.RandomNumber();
    return Text();
  }
  std::pair<item::AttributeValue, item::AttributeValue> Bounds() {
    while (true) {
      item::AttributeValue low = Ordered(), high = Ordered();
      if (CompareValues(low, high) <= 0) return {std::move(low), std::move(high)};
    }
  }
  item::AttributeValue RandomSet() {
    while (true) {
      item::AttributeValue value = items_.Value(0);
      if (item::IsSet(value.type())) return value;
    }
  }

  Operand RandomOperand(const std::string& prefix) {
    switch (Below(3)) {
      case 0:
        return Path(prefix);
      case 1:
        return SizeOf{Path(prefix)};
      default:
        return items_.Value(2);
    }
  }
  Operand OrderedOperand(const std::string& prefix) {
    switch (Below(3)) {
      case 0:
        return Path(prefix);
      case 1:
        return SizeOf{Path(prefix)};
      default:
        return Ordered();
    }
  }
  ConditionPtr RandomBetween() {
    if (Below(2) == 0) return Make(Between{OrderedOperand("a"), Path("b"), OrderedOperand("c")});
    auto [low, high] = Bounds();
    return Make(Between{OrderedOperand("a"), std::move(low), std::move(high)});
  }
  ConditionPtr RandomIn() {
    In in{RandomOperand("a"), {}};
    for (uint64_t i = 0, n = 1 + Below(4); i < n; ++i) in.candidates.push_back(RandomOperand("b"));
    return Make(std::move(in));
  }

  // An operand of + and -: a path, a number or if_not_exists.
  SetValuePtr RandomTerm(int depth_left) {
    const uint64_t choice = Below(depth_left > 0 ? 3 : 2);
    if (choice == 0) return MakeValue(Path("r"));
    if (choice == 1) return MakeValue(item::AttributeValue(items_.RandomNumber()));
    return MakeValue(IfNotExists{Path("r"), RandomTerm(depth_left - 1)});
  }
  SetValuePtr RandomListTerm() {
    if (Below(2) == 0) return MakeValue(item::AttributeValue(item::List{items_.Value(1)}));
    return MakeValue(IfNotExists{Path("r"), MakeValue(item::AttributeValue(item::List()))});
  }
  SetValuePtr RandomSetValue() {
    switch (Below(5)) {
      case 0:
        return MakeValue(items_.Value(2));
      case 1:
        return MakeValue(Sum{RandomTerm(3), RandomTerm(3)});
      case 2:
        return MakeValue(Difference{RandomTerm(3), RandomTerm(3)});
      case 3:
        return MakeValue(ListAppend{RandomListTerm(), RandomListTerm()});
      default:
        return RandomTerm(3);
    }
  }

  item::RandomItems items_;
};

}  // namespace cairn::expr
