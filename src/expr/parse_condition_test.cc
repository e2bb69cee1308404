#include <gtest/gtest.h>

#include "expr/expression_for_test.h"
#include "expr/same_tree.h"

namespace cairn::expr {
namespace {

// One constant of every type, ":s" to ":bs".
constexpr std::string_view kValues = R"({
  ":s": {"S": "a"}, ":n": {"N": "1"}, ":b": {"B": "YQ=="}, ":bool": {"BOOL": true}, ":null": {"NULL": true},
  ":m": {"M": {}}, ":l": {"L": []}, ":ss": {"SS": ["a"]}, ":ns": {"NS": ["1"]}, ":bs": {"BS": ["YQ=="]},
  ":z": {"S": "z"}, ":two": {"N": "2"}, ":type": {"S": "SS"}, ":y": {"B": "Yg=="}})";

ConditionPtr Parse(std::string_view text) {
  Placeholders placeholders = Given({{"#a", "a"}, {"#dot", "x.y"}, {"#status", "status"}}, kValues);
  Result<ConditionPtr> condition = ParseCondition("ConditionExpression", text, placeholders);
  EXPECT_TRUE(condition.has_value()) << text << ": " << (condition ? "" : condition.error().message);
  return condition.value_or(nullptr);
}

std::string ErrorFor(std::string_view text) {
  Placeholders placeholders = Given({{"#a", "a"}, {"#three", "[3]"}}, kValues);
  const std::string error = ErrorOf(ParseCondition("FilterExpression", text, placeholders));
  const std::string_view prefix = "Invalid FilterExpression: ";
  EXPECT_TRUE(error.starts_with(prefix)) << text << ": " << error;
  return error.substr(std::min(prefix.size(), error.size()));
}

struct ErrorCase {
  std::string_view text;
  std::string_view error;
};
void ExpectErrors(const std::vector<ErrorCase>& cases) {
  for (const auto& [text, error] : cases) EXPECT_EQ(ErrorFor(text), error) << text;
}

template <class Node>
const Node& As(const ConditionPtr& condition) {
  return std::get<Node>(condition->node);
}

const DocumentPath& PathOf(const Operand& operand) { return std::get<DocumentPath>(operand); }

TEST(ParseCondition, EveryComparator) {
  const std::vector<std::pair<std::string_view, Comparator>> cases = {
      {"a = :n", Comparator::kEqual},       {"a<>:n", Comparator::kNotEqual},
      {"a < :n", Comparator::kLess},        {"a<=:n", Comparator::kLessOrEqual},
      {" a\t>\n:n ", Comparator::kGreater}, {"(a) >= (:n)", Comparator::kGreaterOrEqual},
  };
  for (const auto& [text, comparator] : cases) {
    const ConditionPtr condition = Parse(text);
    const auto& node = As<Comparison>(condition);
    EXPECT_EQ(node.comparator, comparator) << text;
    EXPECT_EQ(node.left, Operand(DocumentPath{"a", {}})) << text;
    EXPECT_EQ(node.right, Operand(Number(1))) << text;
  }
}

TEST(ParseCondition, PathsWithPlaceholdersAndSteps) {
  EXPECT_EQ(PathOf(As<Comparison>(Parse("#a.b[2][0].#dot = :n")).left),
            (DocumentPath{"a", {"b", 2u, 0u, "x.y"}}));
  EXPECT_EQ(PathOf(As<Comparison>(Parse("(a.b).c[1] = :n")).left), (DocumentPath{"a", {"b", "c", 1u}}));
  EXPECT_EQ(PathOf(As<Comparison>(Parse("#status = :n")).left), (DocumentPath{"status", {}}));
  EXPECT_EQ(As<AttributeExists>(Parse("attribute_exists ( #dot )")).path, (DocumentPath{"x.y", {}}));
}

TEST(ParseCondition, OrBindsLooserThanAndThanNot) {
  const ConditionPtr condition = Parse("NOT a = :n AND b = :n OR c = :n");
  const auto& either = As<Or>(condition);
  const auto& both = As<And>(either.left);
  EXPECT_TRUE(std::holds_alternative<Comparison>(As<Not>(both.left).inner->node));
  EXPECT_EQ(PathOf(As<Comparison>(both.right).left).attribute, "b");
  EXPECT_EQ(PathOf(As<Comparison>(either.right).left).attribute, "c");
}

TEST(ParseCondition, ChainsLeanLeft) {
  const ConditionPtr condition = Parse("a = :n AND b = :n AND c = :n");
  EXPECT_EQ(PathOf(As<Comparison>(As<And>(condition).right).left).attribute, "c");
  EXPECT_TRUE(SameTree(*condition, *Parse("(a = :n AND b = :n) AND c = :n")));
  EXPECT_FALSE(SameTree(*condition, *Parse("a = :n AND (b = :n AND c = :n)")));
}

TEST(ParseCondition, ParenthesesThatAreNotRedundant) {
  for (const std::string_view text :
       {"(a = :n)", "(a = :n) AND (b = :n)", "(a = :n AND b = :n)", "(a = :n AND (b = :n))",
        "((a = :n) AND (b = :n))", "((a) = (:n))", "(NOT (a = :n))", "((size(a)) < b AND (c > :n))",
        "(a)between(b.c)and(c)", "(contains(a, :s))", "a IN ((:n), (b))"}) {
    Parse(text);
  }
}

TEST(ParseCondition, FunctionsAndOperators) {
  const ConditionPtr between = Parse("a between :n and :two");
  EXPECT_EQ(As<Between>(between).low, Operand(Number(1)));
  EXPECT_EQ(As<Between>(between).high, Operand(Number(2)));
  EXPECT_EQ(As<In>(Parse("a in (b, :n, :s)")).candidates.size(), 3u);
  EXPECT_EQ(As<Comparison>(Parse("size(a.b) > :n")).left, Operand(SizeOf{{"a", {"b"}}}));
  EXPECT_EQ(As<AttributeType>(Parse("attribute_type(a, :type)")).type, Operand(item::AttributeValue("SS")));
  EXPECT_EQ(As<BeginsWith>(Parse("begins_with(a, :s)")).prefix, Operand(item::AttributeValue("a")));
  EXPECT_EQ(As<BeginsWith>(Parse("begins_with(:s, a)")).value, Operand(item::AttributeValue("a")));
  EXPECT_EQ(PathOf(As<Contains>(Parse("contains(a, b)")).element).attribute, "b");
  EXPECT_EQ(As<AttributeNotExists>(Parse("attribute_not_exists(a[3])")).path, (DocumentPath{"a", {3u}}));
}

TEST(ParseCondition, FunctionsOfConstantsAreFolded) {
  EXPECT_EQ(As<Comparison>(Parse("a > size(:ss)")).right, Operand(Number(1)));
  const ConditionPtr type = Parse("attribute_type(:n, :type)");
  EXPECT_EQ(As<Comparison>(type).left, Operand(item::AttributeValue("N")));
  EXPECT_EQ(As<Comparison>(type).right, Operand(item::AttributeValue("SS")));
}

TEST(ParseCondition, RecordsWhatWasUsed) {
  Placeholders placeholders = Given({{"#a", "a"}, {"#b", "b"}}, R"({":v": {"S": "x"}, ":w": {"S": "y"}})");
  ASSERT_TRUE(ParseCondition("ConditionExpression", "#a = :v", placeholders).has_value());
  EXPECT_EQ(ErrorOf(CheckAllUsed(placeholders)),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}");
  ASSERT_TRUE(ParseCondition("FilterExpression", "#b <> #a", placeholders).has_value());
  EXPECT_EQ(ErrorOf(CheckAllUsed(placeholders)),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}");
  ASSERT_TRUE(ParseCondition("FilterExpression", "#b = :w", placeholders).has_value());
  EXPECT_EQ(ErrorOf(CheckAllUsed(placeholders)), "");
}

TEST(ParseCondition, UnusedPlaceholdersAreAllNamed) {
  EXPECT_EQ(ErrorOf(CheckAllUsed(Given({{"#b", "b"}, {"#a", "a"}}))),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}");
  EXPECT_EQ(ErrorOf(CheckAllUsed(Given(R"({":x": {"S": ""}, ":y": {"S": ""}})"))),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:x, :y}");
}

TEST(ParseCondition, SyntaxErrorsQuoteTheTokenAndItsNeighbours) {
  struct SyntaxCase {
    std::string_view text, token, near;
  };
  const std::vector<SyntaxCase> cases = {
      {"a =", "<EOF>", "="},
      {"a = ", "<EOF>", "="},
      {"a", "<EOF>", "a"},
      {"!!! INVALID !!!", "!", "!!"},
      {"a-b", "-", "a-b"},
      {"a == :n", "=", "== :n"},
      {"a AND b = :n", "AND", "a AND b"},
      {"things are not gonna be ok", "are", "things are not"},
      {"a > 4", "4", "> 4"},
      {"a > between", "between", "> between"},
      {"a in b", "b", "in b"},
      {"a in ()", ")", "()"},
      {"a in (b,c,)", ")", ",)"},
      {"foo()", ")", "()"},
      {"attribute_not_exists(", "<EOF>", "("},
      {"attribute_exists(Pictures..RearView)", ".", "..RearView"},
      {"attribute_exists(Pi#ctures.RearView)", "#ctures", "Pi#ctures."},
      {"attribute_exists(asdf[a])", "a", "[a]"},
      {"b[:n] > a", ":n", "[:n]"},
      {"b[1.5] > a", ".", "1.5"},
      {"a > :n.stuff", ".", ":n.stuff"},
      {"size(a).b > a", ".", ").b"},
      {"(size(a))[0] > a", "[", ")[0"},
      {"\xc3\xbc > a", "\xc3\xbc", "\xc3\xbc >"},
      {"_a > b", "_", "_a"},
      {"(a = b", "<EOF>", "b"},
      {"a = b)", ")", "b)"},
      {"(a = b) > c", ">", ") > c"},
      {"(a = b).c = d", ".", ").c"},
      {"(a) AND (b)", "AND", ") AND ("},
      {"a = b c", "c", "b c"},
      {"NOT a", "<EOF>", "a"},
      {"a BETWEEN :n OR :two", "OR", ":n OR :two"},
      {"# = a", "#", "# ="},
  };
  for (const auto& [text, token, near] : cases) {
    EXPECT_EQ(ErrorFor(text),
              "Syntax error; token: \"" + std::string(token) + "\", near: \"" + std::string(near) + "\"")
        << text;
  }
}

TEST(ParseCondition, SyntaxErrorsComeBeforeEveryOtherMistake) {
  EXPECT_EQ(ErrorFor("((a = a)) AND foo(:undefined) AND status = =").substr(0, 12), "Syntax error");
}

TEST(ParseCondition, EmptyAndOversizedTexts) {
  ExpectErrors({{"", "The expression can not be empty;"}, {" \t\r\n", "The expression can not be empty;"}});
  const std::string longest = "a = " + std::string(kExpressionBytesMax - 4, 'b');
  Placeholders placeholders;
  EXPECT_TRUE(ParseCondition("ConditionExpression", longest, placeholders).has_value());
  EXPECT_EQ(ErrorFor(longest + "b"),
            "Expression size has exceeded the maximum allowed size; expression size: 4097");
}

TEST(ParseCondition, RedundantParentheses) {
  for (const std::string_view text :
       {"((a = b))", "a=b and a > ((c))", "(a)between(((b.c)).d)and(c)", "a > whatever((:things), ((a)))",
        "a=b AND ((a=b AND a=b)) AND a=b", "a=b OR ((a=b OR (a=b OR a=b)))", "(((a = b)))",
        "((a = :undefined)) AND status = a", "((c=:n) AND ((d=:n)))"}) {
    EXPECT_EQ(ErrorFor(text), "The expression has redundant parentheses;") << text;
  }
}

TEST(ParseCondition, FunctionNames) {
  ExpectErrors({
      {"foo(a)", "Invalid function name; function: foo"},
      {"a=b and whatever((:things)) > a", "Invalid function name; function: whatever"},
      {"attRIbute_exIsts((views), #undefined)", "Invalid function name; function: attRIbute_exIsts"},
      {"SIZE(a) > b", "Invalid function name; function: SIZE"},
      {"a = list_append(a, b)",
       "The function is not allowed in a condition expression; function: list_append"},
      {"if_not_exists(a, b)",
       "The function is not allowed in a condition expression; function: if_not_exists"},
  });
}

TEST(ParseCondition, FunctionsInTheWrongPlace) {
  const std::string_view message =
      "The function is not allowed to be used this way in an expression; function: ";
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"a=b and attribute_exists((views), (#undefined)) > b", "attribute_exists"},
      {"attribute_not_exists(things) > b", "attribute_not_exists"},
      {"attribute_type(things, :undefined) > b", "attribute_type"},
      {"begins_with(things, a) > b", "begins_with"},
      {"contains(:undefined, c) > b", "contains"},
      {"size(contains(a, b)) > a", "contains"},
      {"size(things)", "size"},
      {"NOT size(a)", "size"},
      {"size(a) AND a = b", "size"},
      {"(size(a))", "size"},
      {"a between b and attribute_exists(things)", "attribute_exists"},
      {"a in (b, attribute_exists(things))", "attribute_exists"},
  };
  for (const auto& [text, function] : cases) {
    EXPECT_EQ(ErrorFor(text), std::string(message) + std::string(function)) << text;
  }
}

TEST(ParseCondition, ReservedWords) {
  ExpectErrors({
      {"status = :s", "Attribute name is a reserved keyword; reserved keyword: status"},
      {":undefined < abOrT", "Attribute name is a reserved keyword; reserved keyword: abOrT"},
      {"attribute_exists(views, #undefined)",
       "Attribute name is a reserved keyword; reserved keyword: views"},
      {"a.b.year = :s", "Attribute name is a reserved keyword; reserved keyword: year"},
  });
}

TEST(ParseCondition, PathsOutOfBounds) {
  ExpectErrors({
      {"a[2147483648] = b", "List index is not within the allowable range; index: [2147483648]"},
      {"a[99999999999999999999] = b",
       "List index is not within the allowable range; index: [99999999999999999999]"},
  });
  Parse("a[2147483647] = b");
  std::string deep = "a";
  for (int i = 0; i < 31; ++i) deep += "[0]";
  Parse(deep + " = b");
  EXPECT_EQ(ErrorFor(deep + "[0] = b"),
            "The document path has too many nesting elements; nesting levels: 33");
}

TEST(ParseCondition, UndefinedPlaceholders) {
  const std::string name =
      "An expression attribute name used in the document path is not defined; attribute name: ";
  const std::string value =
      "An expression attribute value used in expression is not defined; attribute value: ";
  EXPECT_EQ(ErrorFor("attribute_exists(#Pictures.RearView, :s) and a=a"), name + "#Pictures");
  EXPECT_EQ(ErrorFor("begins_with(Pictures.#RearView)"), name + "#RearView");
  EXPECT_EQ(ErrorFor("(#P between :lo and :hi) and (#PC in (:cat1, :cat2))"), name + "#P");
  EXPECT_EQ(ErrorFor("#4g > a"), name + "#4g");
  EXPECT_EQ(ErrorFor("(a)between(b.c[45].#d)and(:undefined)"), name + "#d");
  EXPECT_EQ(ErrorFor("begins_with(:hello, #x, #y)"), value + ":hello");
  EXPECT_EQ(ErrorFor(":first < :second"), value + ":first");
  EXPECT_EQ(ErrorFor("a = :undefined AND a = a"), value + ":undefined");
}

TEST(ParseCondition, NumbersOfOperands) {
  const std::vector<std::tuple<std::string_view, std::string_view, int>> cases = {
      {"attribute_exists(things, a) and a=a", "attribute_exists", 2},
      {"attribute_not_exists(things, b)", "attribute_not_exists", 2},
      {"attribute_type(things)", "attribute_type", 1},
      {"begins_with(things)", "begins_with", 1},
      {"begins_with(things, size(a), b)", "begins_with", 3},
      {"contains(things)", "contains", 1},
      {"size(things, a) > b", "size", 2},
  };
  for (const auto& [text, function, count] : cases) {
    EXPECT_EQ(ErrorFor(text),
              "Incorrect number of operands for operator or function; operator or function: " +
                  std::string(function) + ", number of operands: " + std::to_string(count))
        << text;
  }
}

TEST(ParseCondition, TypesOfOperands) {
  const std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> cases = {
      {"attribute_type(a, size(a)) and a=a", "attribute_type", "N"},
      {"attribute_type(a, :n)", "attribute_type", "N"},
      {"attribute_type(a, :ss)", "attribute_type", "SS"},
      {"attribute_type(a, b)", "attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
      {"begins_with(a, size(b))", "begins_with", "N"},
      {"begins_with(a, :n)", "begins_with", "N"},
      {"begins_with(:bool, a)", "begins_with", "BOOL"},
      {"begins_with(a, :bs)", "begins_with", "BS"},
      {"size(size(a)) > :n", "size", "N"},
      {"attribute_not_exists(size(:n))", "size", "N"},
      {"size(:bool) > a", "size", "BOOL"},
      {"size(:null) > a", "size", "NULL"},
      {"a < :bool", "<", "BOOL"},
      {":l <= a", "<=", "L"},
      {"a > :m", ">", "M"},
      {"a >= :ns", ">=", "NS"},
      {"a BETWEEN :l AND :l", "BETWEEN", "L"},
      {":bool BETWEEN :n AND :two", "BETWEEN", "BOOL"},
      {"contains(:n, a)", "contains", "N"},
      {"contains(:m, a)", "contains", "M"},
  };
  for (const auto& [text, function, type] : cases) {
    EXPECT_EQ(ErrorFor(text), "Incorrect operand type for operator or function; operator or function: " +
                                  std::string(function) + ", operand type: " + std::string(type))
        << text;
  }
  for (const std::string_view text : {"a = :bool", "a <> :m", "a IN (:l, :null, :ss)", "contains(a, :m)",
                                      "contains(:l, a)", "contains(:s, a)", "size(:l) < a", "size(a) = :s"}) {
    Parse(text);
  }
}

TEST(ParseCondition, AttributeTypeKnowsItsTypes) {
  EXPECT_EQ(ErrorFor("attribute_type(a, :s)"),
            "Invalid attribute type name found; type: a, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
}

TEST(ParseCondition, ExistenceIsAskedOfPaths) {
  const std::string message = "Operator or function requires a document path; operator or function: ";
  EXPECT_EQ(ErrorFor("attribute_exists(:s) and a=a"), message + "attribute_exists");
  EXPECT_EQ(ErrorFor("attribute_not_exists(size(:s))"), message + "attribute_not_exists");
  EXPECT_EQ(ErrorFor("attribute_not_exists(size(a))"), message + "attribute_not_exists");
}

TEST(ParseCondition, OperandsMustDiffer) {
  const std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> cases = {
      {"a = a AND #a = b AND :undefined > a", "=", "[a]"},
      {"#a <> a", "<>", "[a]"},
      {"a > #a", ">", "[a]"},
      {"((a=a) OR (a=a))", "=", "[a]"},
      {"contains(ab.bc[1].a, ab.bc[1].#a)", "contains", "[ab, bc, [1], a]"},
      {"attribute_type(ab.bc[1].#a, ab.bc[1].a)", "attribute_type", "[ab, bc, [1], a]"},
      {"begins_with(ab.#three, ab.#three)", "begins_with", "[ab, [3]]"},
      {"a IN (:s, a)", "IN", "[a]"},
      {"a BETWEEN :s AND a", "BETWEEN", "[a]"},
  };
  for (const auto& [text, function, path] : cases) {
    EXPECT_EQ(ErrorFor(text),
              "The first operand must be distinct from the remaining operands for this operator or "
              "function; operator: " +
                  std::string(function) + ", first operand: " + std::string(path))
        << text;
  }
  for (const std::string_view text : {":n > :n", "a.b = a", "size(a) > a", "a[0] = a[1]"}) Parse(text);
}

TEST(ParseCondition, BoundsMustBeInOrder) {
  ExpectErrors({
      {"a BETWEEN :z AND :s",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound "
       "operand: "
       "AttributeValue: {S:z}, upper bound operand: AttributeValue: {S:a}"},
      {"a BETWEEN :n AND :s",
       "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: "
       "AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"},
      {"a BETWEEN :y AND :b",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound "
       "operand: "
       "AttributeValue: {B:Yg==}, upper bound operand: AttributeValue: {B:YQ==}"},
  });
  for (const std::string_view text : {"a BETWEEN :n AND :n", "a BETWEEN b AND :s", "a BETWEEN :z AND b"})
    Parse(text);
}

TEST(ParseCondition, InTakesAHundredOperands) {
  std::string list = ":n";
  for (int i = 1; i < 100; ++i) list += ",:n";
  Parse("a IN (" + list + ")");
  EXPECT_EQ(ErrorFor("a IN (" + list + ",:n)"),
            "The IN operator is provided with too many operands; number of operands: 101");
}

std::string Chain(int comparisons) {
  std::string text = "a=b";
  for (int i = 1; i < comparisons; ++i) text += " OR a=b";
  return text;
}

TEST(ParseCondition, TooManyOperators) {
  Parse(Chain(150));                  // 150 comparisons and 149 ORs
  Parse("NOT (" + Chain(150) + ")");  // exactly 300
  EXPECT_EQ(ErrorFor(Chain(151)), "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(ErrorFor(Chain(200)), "The expression contains too many operators; operator count: 399");
}

TEST(ParseCondition, DeepNestingIsRefusedNotFollowed) {
  const auto repeat = [](std::string_view piece, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += piece;
    return text;
  };
  EXPECT_EQ(ErrorFor(repeat("(", 10'000)).substr(0, 24), "Expression size has exce");
  EXPECT_EQ(ErrorFor(repeat("(", 4'096)), "The expression has redundant parentheses;");
  EXPECT_EQ(ErrorFor(repeat("(", 2'000) + "a=b" + repeat(")", 2'000)),
            "The expression has redundant parentheses;");
  EXPECT_EQ(ErrorFor(repeat("NOT ", 1'000) + "a=b"),
            "The expression contains too many operators; operator count: 620");
  EXPECT_EQ(ErrorFor(repeat("size(", 660) + "a" + repeat(")", 660)).substr(0, 40),
            "The expression contains too many operato");
  EXPECT_EQ(ErrorFor(repeat("NOT (", 500) + "a=b" + repeat(")", 500)).substr(0, 40),
            "The expression contains too many operato");
}

TEST(ParseCondition, DeepestAllowedNestingParses) {
  std::string text = "a=b";
  for (int i = 0; i < 149; ++i) text = i % 2 == 0 ? "(" + text + " OR a=b)" : "(a=b OR " + text + ")";
  Parse(text);
  std::string negations = "a=b";
  for (int i = 0; i < 299; ++i) negations = "NOT (" + negations + ")";
  Parse(negations);
}

}  // namespace
}  // namespace cairn::expr
