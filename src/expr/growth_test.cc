// The work of every operation on an item grows in proportion to the item and to what is asked of it, never
// with their product: what a request costs the writer is bounded by its size.
#include <gtest/gtest.h>

#include "base/doubling_for_test.h"
#include "expr/condition.h"
#include "expr/condition_work.h"
#include "expr/expression_for_test.h"
#include "expr/legacy.h"
#include "expr/path_overlap.h"
#include "expr/projection.h"
#include "expr/update.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;
using item::Item;

// Sorts as the number does.
std::string Name(char letter, size_t i) {
  std::string digits = std::to_string(i);
  return letter + std::string(7 - digits.size(), '0') + digits;
}

std::vector<item::Attribute> Attributes(char letter, size_t n) {
  std::vector<item::Attribute> attributes;
  for (size_t i = 0; i < n; ++i) attributes.push_back({Name(letter, i), Number(1)});
  return attributes;
}
Item ItemWith(char letter, size_t n) { return Item::FromAttributes(Attributes(letter, n)); }

DocumentPath Path(std::string attribute, std::vector<PathStep> steps = {}) {
  return {.attribute = std::move(attribute), .steps = std::move(steps)};
}
SetAction Set(DocumentPath path) {
  return {.path = std::move(path), .value = std::make_shared<const SetValue>(SetValue{Number(2)})};
}

TEST(Growth, ContainsInAText) {
  for (const bool binary : {false, true}) {
    const double growth = GrowthOf(40'000, [&](size_t n) {
      const auto value = [&](std::string text) {
        return binary ? AttributeValue(item::Binary{std::move(text)}) : AttributeValue(std::move(text));
      };
      const Condition condition{Contains{Path("t"), value(std::string(n / 2, 'a') + "b")}};
      return [condition, item = Item{{"t", value(std::string(n, 'a'))}}] {
        EXPECT_FALSE(EvaluateCondition(condition, item));
      };
    });
    EXPECT_LT(growth, kLinearGrowth);
  }
}

// Every new attribute comes before all that are there.
TEST(Growth, SettingManyAttributes) {
  const double growth = GrowthOf(1'000, [](size_t n) {
    Update update;
    for (size_t i = 0; i < n; ++i) update.sets.push_back(Set(Path(Name('a', i))));
    return
        [update, item = ItemWith('b', n)] { EXPECT_EQ(ApplyUpdate(update, item)->size(), 2 * item.size()); };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

TEST(Growth, SettingManyPartsOfAMap) {
  const double growth = GrowthOf(1'000, [](size_t n) {
    Update update;
    for (size_t i = 0; i < n; ++i) update.sets.push_back(Set(Path("m", {Name('a', i)})));
    return [update, item = Item{{"m", AttributeValue(ItemWith('b', n))}}] {
      EXPECT_EQ(ApplyUpdate(update, item)->Find("m")->map().size(), 2 * item.Find("m")->map().size());
    };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

TEST(Growth, AddingToManyAttributesThatAreNotThere) {
  const double growth = GrowthOf(1'000, [](size_t n) {
    Update update;
    for (size_t i = 0; i < n; ++i) update.adds.push_back({Path(Name('a', i)), Number(1)});
    return
        [update, item = ItemWith('b', n)] { EXPECT_EQ(ApplyUpdate(update, item)->size(), 2 * item.size()); };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

// The first half goes, so that the other half would move every time.
TEST(Growth, RemovingManyAttributes) {
  const double growth = GrowthOf(1'000, [](size_t n) {
    Update update;
    for (size_t i = 0; i < n; ++i) update.removes.push_back({Path(Name('a', i))});
    return [update, item = ItemWith('a', 2 * n)] {
      EXPECT_EQ(ApplyUpdate(update, item)->size(), item.size() / 2);
    };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

TEST(Growth, RemovingManyElementsOfAList) {
  const double growth = GrowthOf(1'000, [](size_t n) {
    Update update;
    for (size_t i = 0; i < n; ++i) update.removes.push_back({Path("l", {static_cast<uint32_t>(i)})});
    return [update, item = Item{{"l", AttributeValue(item::List(2 * n, Number(1)))}}] {
      EXPECT_EQ(ApplyUpdate(update, item)->Find("l")->list().size(), item.Find("l")->list().size() / 2);
    };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

TEST(Growth, AddingToASetAndDeletingFromIt) {
  const auto set_of = [](char letter, size_t n) {
    item::StringSet set;
    for (size_t i = 0; i < n; ++i) set.values.push_back(Name(letter, i));
    return AttributeValue(std::move(set));
  };
  const double growth = GrowthOf(2'000, [&](size_t n) {
    Update update;
    update.adds.push_back({Path("plus"), set_of('a', n)});
    update.deletes.push_back({Path("minus"), set_of('b', n / 2)});
    return [update, item = Item{{"plus", set_of('b', n)}, {"minus", set_of('b', n)}}] {
      EXPECT_EQ(ApplyUpdate(update, item)->Find("plus")->string_set().size(),
                2 * item.Find("plus")->string_set().size());
    };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

// Named from the last to the first.
TEST(Growth, ProjectingManyAttributes) {
  const double growth = GrowthOf(1'000, [](size_t n) {
    Projection projection;
    for (size_t i = n; i-- > 0;) projection.paths.push_back(Path(Name('a', i)));
    return
        [projection, item = ItemWith('a', n)] { EXPECT_EQ(Project(projection, item).size(), item.size()); };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

TEST(Growth, ReadingManyNamesOfAStoredItem) {
  const double growth = GrowthOf(1'000, [](size_t n) {
    std::vector<std::string> names;
    for (size_t i = 0; i < n; ++i) names.push_back(Name('b', i));
    std::vector<item::Attribute> both = Attributes('a', n);
    for (item::Attribute& attribute : Attributes('b', n)) both.push_back(std::move(attribute));
    return [names, packed = item::PackedItem::Pack(Item::FromAttributes(std::move(both)))] {
      EXPECT_EQ(packed.UnpackSorted(names).size(), names.size());
    };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

// A small item costs next to nothing, however many names are asked for.
TEST(Growth, NamesThatAnItemDoesNotHave) {
  const double growth = GrowthOf(20'000, [](size_t n) {
    std::vector<std::string> names;
    for (size_t i = 0; i < n; ++i) names.push_back(Name('b', i));
    const Item small{{"a", Number(1)}, {Name('b', n - 1), Number(2)}, {"c", Number(3)}};
    return [names, packed = item::PackedItem::Pack(small)] {
      for (int i = 0; i < 1'000; ++i) EXPECT_EQ(packed.UnpackSorted(names).size(), 1u);
    };
  });
  EXPECT_LT(growth, 4);
}

TEST(Growth, ComparingManyPaths) {
  const double growth = GrowthOf(300, [](size_t n) {
    auto paths = std::make_shared<std::vector<DocumentPath>>();
    for (size_t i = 0; i < n; ++i) paths->push_back(Path("m", {Name('a', i)}));
    return [paths] {
      std::vector<const DocumentPath*> all;
      for (const DocumentPath& path : *paths) all.push_back(&path);
      FirstMistake mistakes;
      NoteOverlaps(mistakes, all);
      EXPECT_FALSE(mistakes.any());
    };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

TEST(Growth, LegacyConditionsHaveALimit) {
  std::vector<LegacyComparison> comparisons(1'000,
                                            {.attribute = "a", .op = LegacyOperator::kNotNull, .values = {}});
  EXPECT_TRUE(ConditionFromLegacy(comparisons, ConditionalOperator::kAnd));
  comparisons.push_back(comparisons.back());
  EXPECT_EQ(
      ErrorOf(ConditionFromLegacy(comparisons, ConditionalOperator::kAnd)),
      "One or more parameter values were invalid: Too many conditions; number of conditions and values: "
      "1001");
}

TEST(Growth, ALargeValueIsNotCopiedForEachOfItsUses) {
  Placeholders placeholders;
  placeholders.values.emplace(":v", AttributeValue(std::string(400'000, 'a')));
  std::string text = "a IN (:v";
  for (int i = 0; i < 20; ++i) text += ", :v";
  EXPECT_EQ(
      ErrorOf(ParseCondition("FilterExpression", text + ")", placeholders)),
      "Invalid FilterExpression: A large expression attribute value is used too often; attribute value: "
      ":v");
  Placeholders again;
  again.values = placeholders.values;
  EXPECT_EQ(ErrorOf(ParseCondition("FilterExpression", "a IN (:v, :v, :v)", again)), "");
}

TEST(Growth, WhatCannotFitAnItemIsNotMade) {
  Placeholders placeholders;
  placeholders.values.emplace(":v", AttributeValue(std::string(100'000, 'a')));
  const auto update = ParseUpdate("SET a = :v, b = :v, c = :v, d = :v, e = :v", placeholders);
  ASSERT_TRUE(update);
  EXPECT_EQ(ErrorOf(ApplyUpdate(*update, Item())), kUpdatedItemTooLarge);
}

TEST(Growth, PassesThroughWholeValuesAreCounted) {
  Placeholders placeholders = Given(R"({":v": {"S": "x"}, ":n": {"N": "1"}})");
  const auto condition = ParseCondition(
      "ConditionExpression",
      "contains(a, :v) AND size(a) > :n AND (a = :v OR NOT a = b) AND c IN (:v, a, size(b)) AND "
      "begins_with(a, :v) AND begins_with(a, b) AND a BETWEEN b AND :v AND attribute_exists(a)",
      placeholders);
  ASSERT_TRUE(condition);
  // contains, size, a = b, c = a, size(b), begins_with(a, b), a >= b
  EXPECT_EQ(CountPasses(**condition), 7u);
}

TEST(Growth, SearchesAreCounted) {
  Placeholders placeholders = Given(R"({":v": {"S": "x"}})");
  const auto condition = ParseCondition(
      "ConditionExpression", "contains(a, :v) OR NOT (contains(b, :v) AND c IN (:v, :v))", placeholders);
  ASSERT_TRUE(condition);
  EXPECT_EQ(CountSearches(**condition), 2u);
  EXPECT_EQ(CountParts(**condition), 4u);
}

}  // namespace
}  // namespace cairn::expr
