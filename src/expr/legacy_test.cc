#include "expr/legacy.h"

#include <gtest/gtest.h>

#include "expr/expression_for_test.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;

const std::vector<std::string_view> kOneOfEachType = {
    R"({"S": "a"})", R"({"N": "1"})", R"({"B": "YQ=="})", R"({"BOOL": true})", R"({"NULL": true})",
    R"({"M": {}})",  R"({"L": []})",  R"({"SS": ["a"]})", R"({"NS": ["1"]})",  R"({"BS": ["YQ=="]})"};

LegacyComparison Compare(std::string_view op, const std::vector<std::string_view>& values,
                         std::string_view attribute = "x") {
  LegacyComparison comparison{std::string(attribute), *ParseLegacyOperator(op), {}};
  for (const std::string_view value : values) comparison.values.push_back(ValueOf(value));
  return comparison;
}

bool Holds(const std::vector<LegacyComparison>& comparisons, std::string_view item,
           ConditionalOperator conditional_operator = ConditionalOperator::kAnd) {
  const Result<ConditionPtr> condition = ConditionFromLegacy(comparisons, conditional_operator);
  EXPECT_TRUE(condition.has_value()) << ErrorOf(condition);
  return condition && EvaluateCondition(**condition, ItemOf(item));
}

std::string ErrorFor(std::string_view op, const std::vector<std::string_view>& values) {
  const std::string error = ErrorOf(ConditionFromLegacy({Compare(op, values)}, ConditionalOperator::kAnd));
  EXPECT_EQ(ErrorOf(KeyConditionFromLegacy({Compare(op, values)})), error);
  return error;
}

TEST(LegacyOperator, NamesAreExact) {
  EXPECT_EQ(ParseLegacyOperator("NOT_CONTAINS"), LegacyOperator::kNotContains);
  EXPECT_EQ(ParseLegacyOperator("BEGINS_WITH"), LegacyOperator::kBeginsWith);
  EXPECT_EQ(ParseLegacyOperator("eq"), std::nullopt);
  EXPECT_EQ(ParseLegacyOperator(""), std::nullopt);
}

TEST(LegacyCondition, EveryOperator) {
  constexpr std::string_view kItem = R"({"x": {"N": "5"}, "s": {"S": "hello"}, "t": {"SS": ["a", "b"]}})";
  const std::string_view four = R"({"N": "4"})", five = R"({"N": "5"})", six = R"({"N": "6"})";
  EXPECT_TRUE(Holds({Compare("EQ", {five})}, kItem));
  EXPECT_FALSE(Holds({Compare("EQ", {four})}, kItem));
  EXPECT_TRUE(Holds({Compare("NE", {four})}, kItem));
  EXPECT_FALSE(Holds({Compare("NE", {five})}, kItem));
  EXPECT_TRUE(Holds({Compare("LE", {five})}, kItem));
  EXPECT_FALSE(Holds({Compare("LT", {five})}, kItem));
  EXPECT_TRUE(Holds({Compare("GE", {five})}, kItem));
  EXPECT_TRUE(Holds({Compare("GT", {four})}, kItem));
  EXPECT_TRUE(Holds({Compare("BETWEEN", {four, six})}, kItem));
  EXPECT_FALSE(Holds({Compare("BETWEEN", {six, six})}, kItem));
  EXPECT_TRUE(Holds({Compare("IN", {four, five})}, kItem));
  EXPECT_FALSE(Holds({Compare("IN", {four})}, kItem));
  EXPECT_TRUE(Holds({Compare("NOT_NULL", {})}, kItem));
  EXPECT_FALSE(Holds({Compare("NULL", {})}, kItem));
  EXPECT_TRUE(Holds({Compare("CONTAINS", {R"({"S": "ell"})"}, "s")}, kItem));
  EXPECT_TRUE(Holds({Compare("CONTAINS", {R"({"S": "a"})"}, "t")}, kItem));
  EXPECT_FALSE(Holds({Compare("NOT_CONTAINS", {R"({"S": "a"})"}, "t")}, kItem));
  EXPECT_TRUE(Holds({Compare("NOT_CONTAINS", {R"({"S": "z"})"}, "t")}, kItem));
  EXPECT_TRUE(Holds({Compare("BEGINS_WITH", {R"({"S": "he"})"}, "s")}, kItem));
  EXPECT_FALSE(Holds({Compare("BEGINS_WITH", {R"({"S": "lo"})"}, "s")}, kItem));
}

TEST(LegacyCondition, MissingAttributes) {
  const std::string_view a = R"({"S": "a"})";
  EXPECT_TRUE(Holds({Compare("NE", {a})}, "{}"));
  EXPECT_TRUE(Holds({Compare("NULL", {})}, "{}"));
  for (const std::string_view op :
       {"EQ", "LE", "LT", "GE", "GT", "IN", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"}) {
    EXPECT_FALSE(Holds({Compare(op, {a})}, "{}")) << op;
  }
  EXPECT_FALSE(Holds({Compare("BETWEEN", {a, a})}, "{}"));
  EXPECT_FALSE(Holds({Compare("NOT_NULL", {})}, "{}"));
}

TEST(LegacyCondition, NamesAreNeverPaths) {
  EXPECT_TRUE(Holds({Compare("EQ", {R"({"N": "1"})"}, "a.b[0]")}, R"({"a.b[0]": {"N": "1"}})"));
}

TEST(LegacyCondition, ComparisonsAreJoined) {
  const auto is = [](std::string_view name, std::string_view value) { return Compare("EQ", {value}, name); };
  const std::vector<LegacyComparison> both = {is("a", R"({"N": "1"})"), is("b", R"({"N": "2"})"),
                                              is("c", R"({"N": "3"})")};
  EXPECT_TRUE(Holds(both, R"({"a": {"N": "1"}, "b": {"N": "2"}, "c": {"N": "3"}})"));
  EXPECT_FALSE(Holds(both, R"({"a": {"N": "1"}, "b": {"N": "2"}})"));
  EXPECT_TRUE(Holds(both, R"({"c": {"N": "3"}})", ConditionalOperator::kOr));
  EXPECT_FALSE(Holds(both, R"({"c": {"N": "1"}})", ConditionalOperator::kOr));
}

TEST(LegacyCondition, ThousandsOfComparisonsStayShallow) {
  std::vector<LegacyComparison> many(1'000, Compare("NOT_NULL", {}));
  EXPECT_TRUE(Holds(many, R"({"x": {"N": "1"}})"));
  EXPECT_FALSE(Holds(many, "{}"));
  many.resize(100'000, many.front());
  EXPECT_FALSE(ConditionFromLegacy(many, ConditionalOperator::kAnd).has_value());
}

TEST(LegacyCondition, NoComparisonsNoCondition) {
  EXPECT_EQ(*ConditionFromLegacy({}, ConditionalOperator::kAnd), nullptr);
}

TEST(LegacyCondition, NumberOfValues) {
  const std::string_view a = R"({"S": "a"})";
  for (const std::string_view op :
       {"EQ", "NE", "LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"}) {
    for (const auto& values : {std::vector<std::string_view>{}, std::vector<std::string_view>{a, a}}) {
      EXPECT_EQ(ErrorFor(op, values),
                "One or more parameter values were invalid: Invalid number of argument(s) for "
                "the " +
                    std::string(op) + " ComparisonOperator");
    }
  }
  const std::string message =
      "One or more parameter values were invalid: Invalid number of argument(s) for the ";
  EXPECT_EQ(ErrorFor("NULL", {a}), message + "NULL ComparisonOperator");
  EXPECT_EQ(ErrorFor("NOT_NULL", {a}), message + "NOT_NULL ComparisonOperator");
  EXPECT_EQ(ErrorFor("BETWEEN", {a}), message + "BETWEEN ComparisonOperator");
  EXPECT_EQ(ErrorFor("IN", {}), message + "IN ComparisonOperator");
}

TEST(LegacyCondition, TypesOfValues) {
  const auto allowed = [](std::string_view op) {
    std::string types;
    for (const std::string_view value : kOneOfEachType) {
      const std::vector<std::string_view> values(op == "BETWEEN" ? 2 : 1, value);
      const std::string error = ErrorFor(op, values);
      const std::string type(item::TypeName(ValueOf(value).type()));
      if (error.empty()) {
        types += type + " ";
      } else {
        EXPECT_EQ(error, "One or more parameter values were invalid: ComparisonOperator " + std::string(op) +
                             " is not valid for " + type + " AttributeValue type");
      }
    }
    return types;
  };
  EXPECT_EQ(allowed("EQ"), "S N B BOOL NULL M L SS NS BS ");
  EXPECT_EQ(allowed("NE"), "S N B BOOL NULL M L SS NS BS ");
  EXPECT_EQ(allowed("BEGINS_WITH"), "S B ");
  for (const std::string_view op : {"LE", "LT", "GE", "GT", "BETWEEN", "IN", "CONTAINS", "NOT_CONTAINS"}) {
    EXPECT_EQ(allowed(op), "S N B ") << op;
  }
}

TEST(LegacyCondition, ValuesMustAgree) {
  EXPECT_EQ(
      ErrorFor("IN", {R"({"S": "a"})", R"({"N": "1"})"}),
      "One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same "
      "type");
  EXPECT_EQ(
      ErrorFor("BETWEEN", {R"({"S": "b"})", R"({"S": "a"})"}),
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
}

TEST(LegacyKeyCondition, GivesWhatTheExpressionGives) {
  const Result<KeyCondition> condition = KeyConditionFromLegacy(
      {Compare("EQ", {R"({"S": "p"})"}, "pk"), Compare("BETWEEN", {R"({"S": "a"})", R"({"S": "b"})"}, "sk")});
  ASSERT_TRUE(condition.has_value());
  ASSERT_EQ(condition->comparisons.size(), 2u);
  EXPECT_EQ(condition->comparisons[0].op, KeyOperator::kEqual);
  EXPECT_EQ(condition->comparisons[1].op, KeyOperator::kBetween);
  EXPECT_EQ(condition->comparisons[1].high, AttributeValue("b"));
}

TEST(LegacyKeyCondition, OperatorsThatNoKeyTakesFailAtTheSchema) {
  const item::KeySchema schema{{{"x", item::Type::kString}}, {{"sk", item::Type::kString}}};
  for (const std::string_view op : {"NE", "CONTAINS", "NOT_CONTAINS", "IN"}) {
    const Result<KeyCondition> condition = KeyConditionFromLegacy({Compare(op, {R"({"S": "a"})"})});
    ASSERT_TRUE(condition.has_value()) << op;
    EXPECT_EQ(ErrorOf(BindKeyCondition(*condition, schema)),
              "Attempted conditional constraint is not an indexable operation")
        << op;
  }
  EXPECT_EQ(ErrorOf(BindKeyCondition(*KeyConditionFromLegacy({Compare("NULL", {}, "z")}), schema)),
            "Query condition missed key schema element: x");
}

LegacyUpdate Change(LegacyAction action, std::optional<std::string_view> value,
                    std::string_view attribute = "a") {
  LegacyUpdate update{std::string(attribute), action, std::nullopt};
  if (value) update.value = ValueOf(*value);
  return update;
}

Result<item::Item> Apply(const LegacyUpdate& update, std::string_view item) {
  const Result<Update> converted = UpdateFromLegacy({update});
  EXPECT_TRUE(converted.has_value()) << ErrorOf(converted);
  return ApplyUpdate(converted.value_or(Update()), ItemOf(item));
}

TEST(LegacyUpdate, Actions) {
  using enum LegacyAction;
  EXPECT_EQ(*Apply(Change(kPut, R"({"S": "x"})"), "{}"), ItemOf(R"({"a": {"S": "x"}})"));
  EXPECT_EQ(*Apply(Change(kAdd, R"({"N": "5"})"), R"({"a": {"N": "10"}})"), ItemOf(R"({"a": {"N": "15"}})"));
  EXPECT_EQ(*Apply(Change(kAdd, R"({"SS": ["c"]})"), R"({"a": {"SS": ["a"]}})"),
            ItemOf(R"({"a": {"SS": ["a", "c"]}})"));
  EXPECT_EQ(*Apply(Change(kAdd, R"({"L": [{"N": "2"}]})"), R"({"a": {"L": [{"N": "1"}]}})"),
            ItemOf(R"({"a": {"L": [{"N": "1"}, {"N": "2"}]}})"));
  EXPECT_EQ(*Apply(Change(kAdd, R"({"L": [{"N": "2"}]})"), "{}"), ItemOf(R"({"a": {"L": [{"N": "2"}]}})"));
  EXPECT_EQ(*Apply(Change(kDelete, R"({"SS": ["b"]})"), R"({"a": {"SS": ["a", "b"]}})"),
            ItemOf(R"({"a": {"SS": ["a"]}})"));
  EXPECT_EQ(*Apply(Change(kDelete, std::nullopt), R"({"a": {"S": "x"}, "b": {"S": "y"}})"),
            ItemOf(R"({"b": {"S": "y"}})"));
  EXPECT_EQ(*Apply(Change(kDelete, std::nullopt), "{}"), item::Item());
}

TEST(LegacyUpdate, SeveralAttributes) {
  const Result<Update> update = UpdateFromLegacy({Change(LegacyAction::kPut, R"({"S": "new"})", "name"),
                                                  Change(LegacyAction::kAdd, R"({"N": "9"})", "count"),
                                                  Change(LegacyAction::kDelete, std::nullopt, "extra")});
  ASSERT_TRUE(update.has_value());
  EXPECT_EQ(
      *ApplyUpdate(*update, ItemOf(R"({"name": {"S": "old"}, "count": {"N": "1"}, "extra": {"S": "x"}})")),
      ItemOf(R"({"name": {"S": "new"}, "count": {"N": "10"}})"));
}

TEST(LegacyUpdate, ValuesThatActionsRefuse) {
  using enum LegacyAction;
  const auto error = [](LegacyAction action, std::optional<std::string_view> value) {
    return ErrorOf(UpdateFromLegacy({Change(action, value)}));
  };
  const std::string invalid = "One or more parameter values were invalid: ";
  EXPECT_EQ(error(kPut, std::nullopt),
            invalid + "Only DELETE action is allowed when no attribute value is specified");
  EXPECT_EQ(error(kAdd, std::nullopt),
            invalid + "Only DELETE action is allowed when no attribute value is specified");
  for (const std::string_view value : kOneOfEachType) {
    const std::string type(item::TypeName(ValueOf(value).type()));
    const bool is_set = type.size() == 2;
    EXPECT_EQ(error(kPut, value), "");
    EXPECT_EQ(error(kAdd, value), is_set || type == "N" || type == "L"
                                      ? ""
                                      : invalid + "ADD action is not supported for the type " + type);
    EXPECT_EQ(error(kDelete, value),
              is_set ? "" : invalid + "DELETE action with value is not supported for the type " + type);
  }
}

TEST(LegacyUpdate, MismatchedTypes) {
  using enum LegacyAction;
  constexpr std::string_view kItem = R"({"a": {"SS": ["1"]}})";
  for (const LegacyUpdate& update :
       {Change(kDelete, R"({"NS": ["1"]})"), Change(kDelete, R"({"BS": ["YQ=="]})"),
        Change(kAdd, R"({"NS": ["1"]})"), Change(kAdd, R"({"N": "1"})")}) {
    EXPECT_EQ(ErrorOf(Apply(update, kItem)), "Type mismatch for attribute to update");
  }
}

}  // namespace
}  // namespace cairn::expr
