#include "expr/key_condition.h"

#include <gtest/gtest.h>

#include "expr/expression_for_test.h"
#include "item/key_bytes.h"

namespace cairn::expr {
namespace {

using item::KeySchema;
using item::Type;

constexpr std::string_view kValues = R"({
  ":p": {"S": "p"}, ":a": {"S": "a"}, ":b": {"S": "b"}, ":n": {"N": "1"}, ":two": {"N": "2"}, ":empty": {"S": ""},
  ":bin": {"B": "AP8="}, ":type": {"S": "S"}, ":ss": {"SS": ["a"]}, ":bool": {"BOOL": true}})";

Result<KeyCondition> TryParse(std::string_view text) {
  Placeholders placeholders = Given({{"#p", "pk"}, {"#s", "sk"}}, kValues);
  return ParseKeyCondition(text, placeholders);
}

KeyCondition Parse(std::string_view text) {
  const Result<KeyCondition> condition = TryParse(text);
  EXPECT_TRUE(condition.has_value()) << text << ": " << ErrorOf(condition);
  return condition.value_or(KeyCondition());
}

const KeySchema kHash{{{"pk", Type::kString}}, {}};
const KeySchema kTexts{{{"pk", Type::kString}}, {{"sk", Type::kString}}};
const KeySchema kNumbers{{{"pk", Type::kString}}, {{"sk", Type::kNumber}}};
const KeySchema kBinaries{{{"pk", Type::kString}}, {{"sk", Type::kBinary}}};
const KeySchema kMany{{{"p1", Type::kString}, {"p2", Type::kNumber}},
                      {{"s1", Type::kString}, {"s2", Type::kNumber}, {"s3", Type::kString}}};

BoundKeyCondition Bind(std::string_view text, const KeySchema& schema) {
  const Result<BoundKeyCondition> bound = BindKeyCondition(Parse(text), schema);
  EXPECT_TRUE(bound.has_value()) << text << ": " << ErrorOf(bound);
  return bound.value_or(BoundKeyCondition());
}

TEST(ParseKeyCondition, EveryOperator) {
  const std::vector<std::pair<std::string_view, KeyOperator>> cases = {
      {"pk = :p and sk = :a", KeyOperator::kEqual},
      {"pk = :p AND sk < :a", KeyOperator::kLess},
      {"(pk = :p) AND (sk <= :a)", KeyOperator::kLessOrEqual},
      {"(pk = :p AND sk > :a)", KeyOperator::kGreater},
      {"(#p = :p AND (#s >= :a))", KeyOperator::kGreaterOrEqual},
      {"pk = :p AND sk BETWEEN :a AND :b", KeyOperator::kBetween},
      {"(pk = :p)AND(begins_with(sk, :a))", KeyOperator::kBeginsWith},
      {"pk = :p AND :a > sk", KeyOperator::kLess},
      {"pk = :p AND :a >= sk", KeyOperator::kLessOrEqual},
      {"pk = :p AND :a < sk", KeyOperator::kGreater},
      {":p = pk AND :a <= sk", KeyOperator::kGreaterOrEqual},
  };
  for (const auto& [text, op] : cases) {
    const KeyCondition condition = Parse(text);
    ASSERT_EQ(condition.comparisons.size(), 2u) << text;
    EXPECT_EQ(condition.comparisons[0].attribute, "pk") << text;
    EXPECT_EQ(condition.comparisons[0].op, KeyOperator::kEqual) << text;
    EXPECT_EQ(condition.comparisons[1].attribute, "sk") << text;
    EXPECT_EQ(condition.comparisons[1].op, op) << text;
    EXPECT_EQ(condition.comparisons[1].value, item::AttributeValue("a")) << text;
    if (op == KeyOperator::kBetween) {
      EXPECT_EQ(condition.comparisons[1].high, item::AttributeValue("b"));
    }
  }
}

TEST(ParseKeyCondition, MistakesOfTheLanguage) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"", "The expression can not be empty;"},
      {"a > 4", "Syntax error; token: \"4\", near: \"> 4\""},
      {"((pk = :p))", "The expression has redundant parentheses;"},
      {"pk = :p AND BEGINS_WITH(sk, :a)", "Invalid function name; function: BEGINS_WITH"},
      {"name = :p", "Attribute name is a reserved keyword; reserved keyword: name"},
      {"pk = :undefined",
       "An expression attribute value used in expression is not defined; attribute value: :undefined"},
      {"attribute_type(a, :n)",
       "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: "
       "N"},
      {"pk = :p AND begins_with(sk, :n)",
       "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
      {"pk = :p AND sk < :bool",
       "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
      {"pk = :p AND sk BETWEEN :b AND :a",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound "
       "operand: "
       "AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"},
      {"pk between :n and :a",
       "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: "
       "AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"},
  };
  for (const auto& [text, error] : cases) {
    EXPECT_EQ(ErrorOf(TryParse(text)), "Invalid KeyConditionExpression: " + std::string(error)) << text;
  }
}

TEST(ParseKeyCondition, WhatKeysCannotAnswer) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"a > b and size(b) > c or a > c", "Invalid operator used in KeyConditionExpression: OR"},
      {"a in (b, size(c), d)", "Invalid operator used in KeyConditionExpression: IN"},
      {"attribute_exists(a)", "Invalid operator used in KeyConditionExpression: attribute_exists"},
      {"attribute_not_exists(a)", "Invalid operator used in KeyConditionExpression: attribute_not_exists"},
      {"attribute_type(a, :type)", "Invalid operator used in KeyConditionExpression: attribute_type"},
      {"contains(a.d, b)", "Invalid operator used in KeyConditionExpression: contains"},
      {"not a > b", "Invalid operator used in KeyConditionExpression: NOT"},
      {"a <> b", "Invalid operator used in KeyConditionExpression: <>"},
      {":a between size(b) and size(a) and b > :b",
       "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its "
       "first "
       "operand"},
      {"begins_with(:a, b) and a > :b",
       "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its "
       "first "
       "operand"},
      {"size(b) > a AND a.b > b AND b > c", "KeyConditionExpressions cannot contain nested operations"},
      {"a > size(b.d)", "KeyConditionExpressions cannot contain nested operations"},
      {"a > size(:a)", "KeyConditionExpressions cannot contain nested operations"},
      {"a between size(b) and size(c)", "KeyConditionExpressions cannot contain nested operations"},
      {"b > a.b",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
      {"b between c[1] and d",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
      {"begins_with(a, b)",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
      {"a.d > c", "KeyConditionExpressions cannot have conditions on nested attributes"},
      {"b[0] > a", "KeyConditionExpressions cannot have conditions on nested attributes"},
      {":b > :a AND a < :b", "Invalid condition in KeyConditionExpression: No key attribute specified"},
      {"b > :a AND b < :a and c = :a and d = :a",
       "KeyConditionExpressions must only contain one condition per key"},
      {"(a > :a and b > :a) and (b > :a and c > :a)",
       "KeyConditionExpressions must only contain one condition per key"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(ErrorOf(TryParse(text)), error) << text;
}

TEST(BindKeyCondition, OrderOfTheTextDoesNotMatter) {
  const BoundKeyCondition bound = Bind("sk > :a AND pk = :p", kTexts);
  EXPECT_EQ(bound.partition, (std::vector<item::AttributeValue>{"p"}));
  ASSERT_EQ(bound.sort.size(), 1u);
  EXPECT_EQ(bound.sort[0].op, KeyOperator::kGreater);
  EXPECT_TRUE(Bind("pk = :p", kTexts).sort.empty());
  EXPECT_TRUE(Bind("pk = :p", kHash).sort.empty());
}

TEST(BindKeyCondition, Mistakes) {
  struct BindCase {
    std::string_view text;
    const KeySchema& schema;
    std::string_view error;
  };
  constexpr std::string_view kWrongType =
      "One or more parameter values were invalid: Condition parameter type does not match schema type";
  constexpr std::string_view kNotSupported = "Query key condition not supported";
  const std::vector<BindCase> cases = {
      {"sk = :a", kTexts, "Query condition missed key schema element: pk"},
      {"attr1 = :a", kTexts, "Query condition missed key schema element: pk"},
      {"pk = :p AND attr1 = :a", kTexts, "Query condition missed key schema element: sk"},
      {"pk = :n", kTexts, kWrongType},
      {"pk = :ss", kTexts, kWrongType},
      {"pk = :p AND sk = :n", kTexts, kWrongType},
      {"pk = :p AND sk BETWEEN :n AND :two", kTexts, kWrongType},
      {":n > pk", kHash, kWrongType},
      {"pk > :p", kTexts, kNotSupported},
      {"begins_with(pk, :p)", kTexts, kNotSupported},
      {"pk between :a and :b", kTexts, kNotSupported},
      {"pk = :p AND sk = :a", kHash, kNotSupported},
      {"y = :a and z = :a", kHash, kNotSupported},
      {"pk = :p AND sk = :a AND attr1 = :a", kTexts, "Conditions can be of length 1 or 2 only"},
      {"pk = :empty", kTexts,
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
       "empty "
       "string value. Key: pk"},
      {"pk = :p AND sk > :empty", kTexts,
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
       "empty "
       "string value. Key: sk"},
  };
  for (const auto& [text, schema, error] : cases) {
    EXPECT_EQ(ErrorOf(BindKeyCondition(Parse(text), schema)), error) << text;
  }
  EXPECT_EQ(ErrorOf(BindKeyCondition(KeyCondition(), kTexts)), "Conditions can be of length 1 or 2 only");
  const KeyCondition unsupported{
      {{.attribute = "pk", .op = KeyOperator::kUnsupported, .value = {}, .high = {}}}};
  EXPECT_EQ(ErrorOf(BindKeyCondition(unsupported, kTexts)),
            "Attempted conditional constraint is not an indexable operation");
}

TEST(BindKeyCondition, SeveralAttributes) {
  const BoundKeyCondition bound = Bind("s2 > :n AND p2 = :two AND s1 = :a AND p1 = :p", kMany);
  EXPECT_EQ(bound.partition, (std::vector<item::AttributeValue>{"p", Number(2)}));
  ASSERT_EQ(bound.sort.size(), 2u);
  EXPECT_EQ(bound.sort[0].attribute, "s1");
  EXPECT_EQ(bound.sort[1].attribute, "s2");
  EXPECT_TRUE(Bind("p2 = :two AND p1 = :p", kMany).sort.empty());
  EXPECT_EQ(Bind("p1=:p AND p2=:n AND s1=:a AND s2=:n AND begins_with(s3, :b)", kMany).sort.size(), 3u);
}

TEST(BindKeyCondition, SeveralAttributesMistakes) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"p1 = :p", "Query condition missed key schema element: p2"},
      {"p1 = :p AND p2 > :n", "Query key condition not supported"},
      {"p1 = :p AND p2 = :n AND s2 = :n", "Query condition missed key schema element: s1"},
      {"p1 = :p AND p2 = :n AND s1 > :a AND s2 = :n", "Query key condition not supported"},
      {"p1 = :p AND p2 = :n AND s1 = :a AND s3 = :b", "Query condition missed key schema element: s2"},
      {"p1=:p AND p2=:n AND s1=:a AND s2=:n AND s3=:b AND q=:a", "Conditions can be of length 1 or 2 only"},
  };
  for (const auto& [text, error] : cases)
    EXPECT_EQ(ErrorOf(BindKeyCondition(Parse(text), kMany)), error) << text;
}

// The sort keys among `keys` that the condition's range holds.
std::vector<std::string> Within(std::string_view text, const KeySchema& schema,
                                const std::vector<std::string>& keys) {
  const KeyRange range = SortRange(Bind(text, schema));
  std::vector<std::string> found;
  for (const std::string& json : keys) {
    std::string bytes;
    item::AppendSort(bytes, schema, ItemOf(json));
    if (bytes >= range.start && (range.end.empty() || bytes < range.end)) found.push_back(json);
  }
  return found;
}

using Keys = std::vector<std::string>;

TEST(SortRange, HoldsExactlyTheMatchingStrings) {
  const std::string a = R"({"sk": {"S": "a"}})", ab = R"({"sk": {"S": "ab"}})", b = R"({"sk": {"S": "b"}})",
                    a0 = R"({"sk": {"S": "a\u0000"}})", big = R"({"sk": {"S": "\uffff"}})";
  const Keys all = {a, a0, ab, b, big};
  EXPECT_EQ(Within("pk = :p", kTexts, all), all);
  EXPECT_EQ(Within("pk = :p AND sk = :a", kTexts, all), (Keys{a}));
  EXPECT_EQ(Within("pk = :p AND sk < :b", kTexts, all), (Keys{a, a0, ab}));
  EXPECT_EQ(Within("pk = :p AND sk <= :b", kTexts, all), (Keys{a, a0, ab, b}));
  EXPECT_EQ(Within("pk = :p AND sk > :a", kTexts, all), (Keys{a0, ab, b, big}));
  EXPECT_EQ(Within("pk = :p AND sk >= :b", kTexts, all), (Keys{b, big}));
  EXPECT_EQ(Within("pk = :p AND sk BETWEEN :a AND :a", kTexts, all), (Keys{a}));
  EXPECT_EQ(Within("pk = :p AND sk BETWEEN :a AND :b", kTexts, all), (Keys{a, a0, ab, b}));
  EXPECT_EQ(Within("pk = :p AND begins_with(sk, :a)", kTexts, all), (Keys{a, a0, ab}));
}

TEST(SortRange, HoldsExactlyTheMatchingNumbersAndBinaries) {
  const std::string minus = R"({"sk": {"N": "-3"}})", one = R"({"sk": {"N": "1"}})",
                    half = R"({"sk": {"N": "1.5"}})", ten = R"({"sk": {"N": "10"}})";
  const Keys numbers = {minus, one, half, ten};
  EXPECT_EQ(Within("pk = :p AND sk < :two", kNumbers, numbers), (Keys{minus, one, half}));
  EXPECT_EQ(Within("pk = :p AND sk > :n", kNumbers, numbers), (Keys{half, ten}));
  EXPECT_EQ(Within("pk = :p AND sk BETWEEN :n AND :two", kNumbers, numbers), (Keys{one, half}));
  const std::string zero = R"({"sk": {"B": "AA=="}})", exact = R"({"sk": {"B": "AP8="}})",
                    longer = R"({"sk": {"B": "AP8B"}})", above = R"({"sk": {"B": "AQ=="}})";
  const Keys binaries = {zero, exact, longer, above};
  EXPECT_EQ(Within("pk = :p AND begins_with(sk, :bin)", kBinaries, binaries), (Keys{exact, longer}));
  EXPECT_EQ(Within("pk = :p AND sk > :bin", kBinaries, binaries), (Keys{longer, above}));
}

TEST(SortRange, EqualAttributesNarrowTheRangeOfTheNext) {
  const auto key = [](std::string_view s1, int s2, std::string_view s3) {
    return "{\"s1\": {\"S\": \"" + std::string(s1) + "\"}, \"s2\": {\"N\": \"" + std::to_string(s2) +
           "\"}, \"s3\": {\"S\": \"" + std::string(s3) + "\"}}";
  };
  const Keys all = {key("a", 1, "b"), key("a", 1, "c"), key("a", 2, "b"), key("ab", 1, "b"),
                    key("b", 1, "b")};
  EXPECT_EQ(Within("p1 = :p AND p2 = :n AND s1 = :a", kMany, all), (Keys{all[0], all[1], all[2]}));
  EXPECT_EQ(Within("p1 = :p AND p2 = :n AND s1 = :a AND s2 > :n", kMany, all), (Keys{all[2]}));
  EXPECT_EQ(Within("p1 = :p AND p2 = :n AND s1 = :a AND s2 < :two", kMany, all), (Keys{all[0], all[1]}));
  EXPECT_EQ(Within("p1 = :p AND p2 = :n AND s1 = :a AND s2 = :n AND s3 > :b", kMany, all), (Keys{all[1]}));
  EXPECT_EQ(Within("p1 = :p AND p2 = :n AND begins_with(s1, :a)", kMany, all),
            (Keys{all[0], all[1], all[2], all[3]}));
  EXPECT_EQ(Within("p1 = :p AND p2 = :n AND s1 > :a", kMany, all), (Keys{all[3], all[4]}));
}

TEST(SortRange, WithoutConditionIsEverything) {
  const KeyRange range = SortRange(Bind("pk = :p", kTexts));
  EXPECT_EQ(range.start, "");
  EXPECT_EQ(range.end, "");
}

}  // namespace
}  // namespace cairn::expr
