#include <gtest/gtest.h>

#include <algorithm>

#include "expr/expression_for_test.h"

namespace cairn::expr {
namespace {

constexpr std::string_view kItem = R"({
  "s": {"S": "cat"}, "n": {"N": "5"}, "b": {"B": "Y2F0"}, "yes": {"BOOL": true}, "nil": {"NULL": true},
  "m": {"M": {"x": {"N": "1"}, "y": {"M": {"z": {"S": "deep"}}}}},
  "l": {"L": [{"S": "hi"}, {"N": "7"}, {"SS": ["p", "q"]}, {"L": [{"N": "3"}]}]},
  "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2.50"]}, "bs": {"BS": ["YQ=="]},
  "text": {"S": "\u00e9\ud834\udd1e"}, "three": {"N": "3"}, "blank": {"S": ""}})";

constexpr std::string_view kValues = R"({
  ":cat": {"S": "cat"}, ":dog": {"S": "dog"}, ":ca": {"S": "ca"}, ":at": {"S": "at"}, ":hi": {"S": "hi"},
  ":a": {"S": "a"}, ":empty": {"S": ""}, ":deep": {"S": "deep"},
  ":0": {"N": "0"}, ":1": {"N": "1"}, ":2": {"N": "2"}, ":2.5": {"N": "2.5"}, ":3": {"N": "3"}, ":4": {"N": "4"},
  ":5": {"N": "5.0"}, ":7": {"N": "7"}, ":9": {"N": "9"},
  ":bcat": {"B": "Y2F0"}, ":bca": {"B": "Y2E="}, ":bat": {"B": "YXQ="}, ":bdog": {"B": "ZG9n"}, ":ba": {"B": "YQ=="},
  ":yes": {"BOOL": true}, ":no": {"BOOL": false}, ":nil": {"NULL": true},
  ":ss": {"SS": ["b", "a"]}, ":ss1": {"SS": ["a"]}, ":pq": {"SS": ["q", "p"]}, ":l3": {"L": [{"N": "3"}]},
  ":m": {"M": {"y": {"M": {"z": {"S": "deep"}}}, "x": {"N": "1"}}},
  ":S": {"S": "S"}, ":N": {"S": "N"}, ":B": {"S": "B"}, ":BOOL": {"S": "BOOL"}, ":NULL": {"S": "NULL"},
  ":M": {"S": "M"}, ":L": {"S": "L"}, ":SS": {"S": "SS"}, ":NS": {"S": "NS"}, ":BS": {"S": "BS"}})";

bool Holds(std::string_view text) {
  Placeholders placeholders = Given({{"#text", "text"}}, "{}");
  for (const item::Attribute& value : ItemOf(kValues)) {
    // A point cannot stand in a placeholder; it makes the table easier to read.
    std::string name = value.name;
    std::ranges::replace(name, '.', '_');
    placeholders.values.emplace(std::move(name), value.value);
  }
  const Result<ConditionPtr> condition = ParseCondition("ConditionExpression", text, placeholders);
  EXPECT_TRUE(condition.has_value()) << text << ": " << ErrorOf(condition);
  return condition && EvaluateCondition(**condition, ItemOf(kItem));
}

void ExpectTrue(const std::vector<std::string_view>& texts) {
  for (const std::string_view text : texts) EXPECT_TRUE(Holds(text)) << text;
}
void ExpectFalse(const std::vector<std::string_view>& texts) {
  for (const std::string_view text : texts) EXPECT_FALSE(Holds(text)) << text;
}

TEST(EvaluateCondition, EqualityOfEveryType) {
  ExpectTrue({"s = :cat", "n = :5", "b = :bcat", "yes = :yes", "nil = :nil", "ss = :ss", "m = :m",
              "m.y.z = :deep", "l[1] = :7", "l[2] = :pq", ":5 = n", "m.x = :1"});
  ExpectFalse({"s = :dog", "n = :4", "b = :bdog", "yes = :no", "ss = :ss1", "s = :bcat", "n = s", "l[9] = :7",
               "m.q = :1", "s.x = :cat", "ghost = :cat", "ghost = ghost2"});
}

TEST(EvaluateCondition, InequalityHoldsForWhatIsMissing) {
  ExpectTrue({"s <> :dog", "n <> s", "ghost <> :cat", ":cat <> ghost", "l[9] <> :7", "ss <> :ss1"});
  ExpectFalse({"s <> :cat", "n <> :5", "ss <> :ss", "nil <> :nil"});
}

TEST(EvaluateCondition, OrderOfStringsNumbersAndBinaries) {
  ExpectTrue({"n < :9", "n > :4", "n <= :5", "n >= :5", "s < :dog", "s > :ca", "b < :bdog", "b >= :bcat",
              ":9 > n", "blank < :a"});
  ExpectFalse({"n < :5", "n > :5", "s < :cat", "s > :dog", "b > :bdog", "s < :9", "n < :dog", "ghost < :9",
               "ghost > :0", ":0 < ghost", "yes < s", "l <= n", "ss >= ns"});
}

TEST(EvaluateCondition, Between) {
  ExpectTrue({"n BETWEEN :4 AND :9", "n BETWEEN :5 AND :5", "s BETWEEN :ca AND :dog",
              "b BETWEEN :bca AND :bdog", ":4 BETWEEN three AND n", "size(s) BETWEEN :3 AND :3"});
  ExpectFalse({"n BETWEEN :7 AND :9", "n BETWEEN :ca AND :cat", "ghost BETWEEN :4 AND :9",
               "n BETWEEN n2 AND :9", "n BETWEEN s AND :9", "n BETWEEN :9 AND three",
               "yes BETWEEN l AND ss"});
}

TEST(EvaluateCondition, In) {
  ExpectTrue({"s IN (:dog, :cat)", "n IN (:cat, :5)", "ss IN (:ss1, :ss)", "n IN (ghost, :5)", "m IN (:m)"});
  ExpectFalse({"s IN (:dog)", "ghost IN (:dog, ghost2)", "n IN (:cat)"});
}

TEST(EvaluateCondition, Existence) {
  ExpectTrue({"attribute_exists(s)", "attribute_exists(m.y.z)", "attribute_exists(l[3][0])",
              "attribute_exists(nil)", "attribute_not_exists(ghost)", "attribute_not_exists(m.q)",
              "attribute_not_exists(l[4])", "attribute_not_exists(s.q)"});
  ExpectFalse({"attribute_exists(ghost)", "attribute_exists(l[3][1])", "attribute_not_exists(blank)"});
}

TEST(EvaluateCondition, Types) {
  ExpectTrue({"attribute_type(s, :S)", "attribute_type(n, :N)", "attribute_type(b, :B)",
              "attribute_type(yes, :BOOL)", "attribute_type(nil, :NULL)", "attribute_type(m, :M)",
              "attribute_type(l, :L)", "attribute_type(ss, :SS)", "attribute_type(ns, :NS)",
              "attribute_type(bs, :BS)", "attribute_type(:7, :N)"});
  ExpectFalse({"attribute_type(s, :SS)", "attribute_type(ghost, :S)", "attribute_type(:7, :S)"});
}

TEST(EvaluateCondition, BeginsWith) {
  ExpectTrue({"begins_with(s, :ca)", "begins_with(s, :cat)", "begins_with(s, :empty)", "begins_with(b, :bca)",
              "begins_with(:cat, s)"});
  ExpectFalse({"begins_with(s, :at)", "begins_with(s, :bca)", "begins_with(b, :ca)", "begins_with(n, :ca)",
               "begins_with(ghost, :ca)", "begins_with(s, ghost)", "begins_with(n, three)"});
}

TEST(EvaluateCondition, Contains) {
  ExpectTrue({"contains(s, :at)", "contains(s, :empty)", "contains(b, :bat)", "contains(ss, :a)",
              "contains(ns, :2_5)", "contains(bs, :ba)", "contains(l, :hi)", "contains(l, :7)",
              "contains(l, :pq)", "contains(l, :l3)", "contains(:cat, s)"});
  ExpectFalse({"contains(s, :dog)", "contains(s, :1)", "contains(ss, :at)", "contains(ss, :1)",
               "contains(ns, :5)", "contains(bs, :a)", "contains(l, :9)", "contains(m, :a)",
               "contains(n, :5)", "contains(ghost, :a)", "contains(s, ghost)", "contains(b, :ss)"});
}

TEST(EvaluateCondition, Size) {
  ExpectTrue({"size(s) = :3", "size(b) = :3", "size(ss) = :2", "size(ns) = :2", "size(bs) = :1",
              "size(l) = :4", "size(m) = :2", "size(blank) = :0", "size(s) = three", "size(s) < :4",
              "size(:ss) = :2", "size(#text) = :3"});
  ExpectFalse({"size(n) = :1", "size(yes) = :1", "size(nil) = :0", "size(ghost) = :0", "size(ghost) < :9",
               "size(s) = :cat"});
}

TEST(EvaluateCondition, Logic) {
  ExpectTrue({"s = :cat AND n = :5", "s = :dog OR n = :5", "NOT s = :dog", "NOT (s = :dog OR n = :4)",
              "NOT s = :cat OR n = :5", "s = :dog AND n = :4 OR yes = :yes", "NOT NOT s = :cat",
              "NOT ghost = :cat"});
  ExpectFalse({"s = :cat AND n = :4", "s = :dog OR n = :4", "NOT s = :cat", "NOT (s = :cat AND n = :5)",
               "s = :dog AND (n = :4 OR yes = :yes)"});
}

TEST(EvaluateCondition, MissingItemIsAnEmptyItem) {
  Placeholders placeholders = Given(R"({":v": {"S": "x"}})");
  const auto holds = [&](std::string_view text) {
    return EvaluateCondition(**ParseCondition("ConditionExpression", text, placeholders), {});
  };
  EXPECT_TRUE(holds("attribute_not_exists(pk)"));
  EXPECT_FALSE(holds("attribute_exists(pk)"));
  EXPECT_TRUE(holds("a <> :v OR b < :v"));
  EXPECT_FALSE(holds("a = :v"));
}

TEST(EvaluateCondition, ReferencedAttributesAreSortedAndUnique) {
  Placeholders placeholders = Given(R"({":v": {"S": "x"}, ":t": {"S": "N"}})");
  const Result<ConditionPtr> condition = ParseCondition(
      "ConditionExpression",
      "(z.q = :v OR size(b[1]) > a) AND NOT contains(m, z) AND e IN (c, :v) AND begins_with(f, :v) AND "
      "attribute_type(t, :t) AND attribute_exists(x) AND attribute_not_exists(y) AND g BETWEEN h AND i",
      placeholders);
  ASSERT_TRUE(condition.has_value());
  EXPECT_EQ(ReferencedAttributes(**condition),
            (std::vector<std::string>{"a", "b", "c", "e", "f", "g", "h", "i", "m", "t", "x", "y", "z"}));
}

TEST(CompareValues, OrdersWithinAType) {
  EXPECT_EQ(CompareValues(ValueOf(R"({"S": "a"})"), ValueOf(R"({"S": "b"})")), std::partial_ordering::less);
  EXPECT_EQ(CompareValues(ValueOf(R"({"N": "10"})"), ValueOf(R"({"N": "9"})")),
            std::partial_ordering::greater);
  EXPECT_EQ(CompareValues(ValueOf(R"({"N": "1.0"})"), ValueOf(R"({"N": "1"})")),
            std::partial_ordering::equivalent);
  // Bytes are unsigned: 0xff is above 0x01, and so are characters beyond ASCII.
  EXPECT_EQ(CompareValues(ValueOf(R"({"B": "/w=="})"), ValueOf(R"({"B": "AQ=="})")),
            std::partial_ordering::greater);
  EXPECT_EQ(CompareValues(ValueOf(R"({"S": "\u00e9"})"), ValueOf(R"({"S": "z"})")),
            std::partial_ordering::greater);
}

TEST(CompareValues, NothingElseHasAnOrder) {
  EXPECT_EQ(CompareValues(ValueOf(R"({"S": "1"})"), ValueOf(R"({"N": "1"})")),
            std::partial_ordering::unordered);
  EXPECT_EQ(CompareValues(ValueOf(R"({"BOOL": true})"), ValueOf(R"({"BOOL": true})")),
            std::partial_ordering::unordered);
  EXPECT_EQ(CompareValues(ValueOf(R"({"SS": ["a"]})"), ValueOf(R"({"SS": ["a"]})")),
            std::partial_ordering::unordered);
}

}  // namespace
}  // namespace cairn::expr
