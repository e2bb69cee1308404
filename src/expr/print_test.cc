#include "expr/print.h"

#include <gtest/gtest.h>

#include "expr/expression_for_test.h"
#include "expr/legacy.h"
#include "expr/random_expression_for_test.h"
#include "expr/same_tree.h"

namespace cairn::expr {
namespace {

TEST(Print, ConditionUsesPlaceholdersOnly) {
  Placeholders given = Given(R"({":x": {"N": "1"}, ":y": {"S": "a"}})");
  const ConditionPtr condition =
      *ParseCondition("ConditionExpression", "a.b[1] = :x AND (a <> :y OR NOT size(c) > :x)", given);
  Placeholders placeholders;
  EXPECT_EQ(PrintCondition(*condition, placeholders),
            "#n0.#n1[1] = :v0 AND (#n0 <> :v1 OR NOT (size(#n2) > :v2))");
  EXPECT_EQ(placeholders.names.at("#n1"), "b");
  EXPECT_EQ(placeholders.values.at(":v1"), item::AttributeValue("a"));
}

TEST(Print, ExpressionsOfOneRequestShareNames) {
  Placeholders given = Given(R"({":x": {"N": "1"}})");
  const Update update = *ParseUpdate("SET a = b + :x REMOVE c", given);
  const Projection projection = *ParseProjection("c, d", given);
  Placeholders placeholders;
  EXPECT_EQ(PrintUpdate(update, placeholders), "SET #n0 = #n1 + :v0 REMOVE #n2");
  EXPECT_EQ(PrintProjection(projection, placeholders), "#n2, #n3");
}

TEST(Print, KeyCondition) {
  Placeholders given = Given(R"({":p": {"S": "p"}, ":a": {"S": "a"}, ":b": {"S": "b"}})");
  Placeholders placeholders;
  EXPECT_EQ(PrintKeyCondition(*ParseKeyCondition("pk = :p AND sk BETWEEN :a AND :b", given), placeholders),
            "#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2");
  EXPECT_EQ(PrintKeyCondition(*ParseKeyCondition("begins_with(sk, :a)", given), placeholders),
            "begins_with(#n1, :v3)");
}

TEST(Print, ListsAddedByAttributeUpdatesBecomeListAppend) {
  const Update update = *UpdateFromLegacy(
      {{"a", LegacyAction::kAdd, ValueOf(R"({"L": [{"N": "2"}]})")}, {"b", LegacyAction::kAdd, Number(1)}});
  Placeholders placeholders;
  EXPECT_EQ(PrintUpdate(update, placeholders),
            "SET #n0 = list_append(if_not_exists(#n0, :v0), :v1) ADD #n1 :v2");
  const Update parsed =
      *ParseUpdate("SET #n0 = list_append(if_not_exists(#n0, :v0), :v1) ADD #n1 :v2", placeholders);
  for (const std::string_view item : {R"({})", R"({"a": {"L": [{"N": "1"}]}, "b": {"N": "1"}})"}) {
    EXPECT_EQ(*ApplyUpdate(parsed, ItemOf(item)), *ApplyUpdate(update, ItemOf(item)));
  }
}

// parse(print(x)) == x, with every placeholder used.
class PrintProperty : public testing::Test {
 protected:
  static constexpr int kRounds = 1'000;
  const uint64_t seed_ = item::TestSeed();
  RandomExpressions random_{seed_};
};

TEST_F(PrintProperty, Conditions) {
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed_));
  for (int round = 0; round < kRounds; ++round) {
    const ConditionPtr condition = random_.RandomCondition(5);
    Placeholders placeholders;
    const std::string text = PrintCondition(*condition, placeholders);
    const Result<ConditionPtr> parsed = ParseCondition("ConditionExpression", text, placeholders);
    ASSERT_TRUE(parsed.has_value()) << text << "\n" << parsed.error().message;
    ASSERT_TRUE(SameTree(*condition, **parsed)) << text;
    ASSERT_TRUE(CheckAllUsed(placeholders).has_value()) << text;
    EXPECT_EQ(ReferencedAttributes(*condition), ReferencedAttributes(**parsed));
  }
}

TEST_F(PrintProperty, Updates) {
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed_));
  for (int round = 0; round < kRounds; ++round) {
    const Update update = random_.RandomUpdate();
    Placeholders placeholders;
    const std::string text = PrintUpdate(update, placeholders);
    const Result<Update> parsed = ParseUpdate(text, placeholders);
    ASSERT_TRUE(parsed.has_value()) << text << "\n" << parsed.error().message;
    ASSERT_TRUE(SameTree(update, *parsed)) << text;
    ASSERT_TRUE(CheckAllUsed(placeholders).has_value()) << text;
  }
}

TEST_F(PrintProperty, Projections) {
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed_));
  for (int round = 0; round < kRounds; ++round) {
    const Projection projection = random_.RandomProjection();
    Placeholders placeholders;
    const std::string text = PrintProjection(projection, placeholders);
    const Result<Projection> parsed = ParseProjection(text, placeholders);
    ASSERT_TRUE(parsed.has_value()) << text << "\n" << parsed.error().message;
    ASSERT_TRUE(SameTree(projection, *parsed)) << text;
  }
}

TEST_F(PrintProperty, KeyConditions) {
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed_));
  for (int round = 0; round < kRounds; ++round) {
    const KeyCondition condition = random_.RandomKeyCondition();
    Placeholders placeholders;
    const std::string text = PrintKeyCondition(condition, placeholders);
    const Result<KeyCondition> parsed = ParseKeyCondition(text, placeholders);
    ASSERT_TRUE(parsed.has_value()) << text << "\n" << parsed.error().message;
    ASSERT_TRUE(SameTree(condition, *parsed)) << text;
  }
}

}  // namespace
}  // namespace cairn::expr
