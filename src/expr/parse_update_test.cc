#include <gtest/gtest.h>

#include "expr/expression_for_test.h"
#include "expr/same_tree.h"

namespace cairn::expr {
namespace {

constexpr std::string_view kValues = R"({
  ":s": {"S": "a"}, ":n": {"N": "1"}, ":b": {"B": "YQ=="}, ":bool": {"BOOL": true}, ":null": {"NULL": true},
  ":m": {"M": {}}, ":l": {"L": []}, ":ss": {"SS": ["a"]}, ":ns": {"NS": ["1"]}, ":bs": {"BS": ["YQ=="]}})";

Update Parse(std::string_view text) {
  Placeholders placeholders = Given({{"#c", "c"}, {"#status", "status"}}, kValues);
  Result<Update> update = ParseUpdate(text, placeholders);
  EXPECT_TRUE(update.has_value()) << text << ": " << ErrorOf(update);
  return update.value_or(Update());
}

std::string ErrorFor(std::string_view text) {
  Placeholders placeholders = Given({{"#a", "a"}, {"#c", "c"}, {"#d", "[3]"}}, kValues);
  const std::string error = ErrorOf(ParseUpdate(text, placeholders));
  const std::string_view prefix = "Invalid UpdateExpression: ";
  EXPECT_TRUE(error.starts_with(prefix)) << text << ": " << error;
  return error.substr(std::min(prefix.size(), error.size()));
}

template <class Node>
const Node& As(const SetValuePtr& value) {
  return std::get<Node>(value->node);
}

TEST(ParseUpdate, AllSectionsInAnyOrder) {
  const Update update = Parse("remove a, b.x[1] ADD n :n, m.t :ss set q = :s delete tags :ss");
  ASSERT_EQ(update.removes.size(), 2u);
  EXPECT_EQ(update.removes[1].path, (DocumentPath{"b", {"x", 1u}}));
  ASSERT_EQ(update.adds.size(), 2u);
  EXPECT_EQ(update.adds[0].value, Number(1));
  EXPECT_EQ(update.adds[1].path, (DocumentPath{"m", {"t"}}));
  ASSERT_EQ(update.sets.size(), 1u);
  EXPECT_EQ(As<item::AttributeValue>(update.sets[0].value), item::AttributeValue("a"));
  ASSERT_EQ(update.deletes.size(), 1u);
  EXPECT_EQ(update.deletes[0].path.attribute, "tags");
  EXPECT_EQ(update.source, UpdateSource::kExpression);
  EXPECT_FALSE(update.empty());
}

TEST(ParseUpdate, RightSidesOfSet) {
  const Update update = Parse(
      "SET a = b.x, #c = #status + :n, d = if_not_exists(d, :n) - e, f = list_append(if_not_exists(f, :l), "
      ":l), "
      "g = if_not_exists(g, if_not_exists(h, :s))");
  ASSERT_EQ(update.sets.size(), 5u);
  EXPECT_EQ(As<DocumentPath>(update.sets[0].value), (DocumentPath{"b", {"x"}}));
  EXPECT_EQ(As<DocumentPath>(As<Sum>(update.sets[1].value).left).attribute, "status");
  EXPECT_EQ(As<IfNotExists>(As<Difference>(update.sets[2].value).left).path.attribute, "d");
  EXPECT_EQ(As<IfNotExists>(As<ListAppend>(update.sets[3].value).front).path.attribute, "f");
  EXPECT_EQ(As<IfNotExists>(As<IfNotExists>(update.sets[4].value).otherwise).path.attribute, "h");
}

TEST(ParseUpdate, ParenthesesAroundValues) {
  const Update plain = Parse("SET a = b.c.d + e");
  for (const std::string_view text :
       {"SET a = (b.c.d + e)", "SET a = ((b.c.d)+(e))", "SET a = (b.c.d) + e", "SET a = b.c.d + (e)"}) {
    EXPECT_TRUE(SameTree(Parse(text), plain)) << text;
  }
  EXPECT_EQ(ErrorFor("SET a = ((b))"), "The expression has redundant parentheses;");
}

TEST(ParseUpdate, SyntaxErrors) {
  struct SyntaxCase {
    std::string_view text, token, near;
  };
  const std::vector<SyntaxCase> cases = {
      {"INVALID SYNTAX HERE", "INVALID", "INVALID SYNTAX"},
      {"whatever", "whatever", "whatever"},
      {"SET", "<EOF>", "SET"},
      {"set a", "<EOF>", "a"},
      {"set a =", "<EOF>", "="},
      {"set a = :n,", "<EOF>", ","},
      {"add a", "<EOF>", "a"},
      {"ADD hits : incr", ":", "hits : incr"},
      {"set a=set", "set", "=set"},
      {"remove a = b", "=", "a = b"},
      {"add a = b", "=", "a = b"},
      {"delete a b", "b", "a b"},
      {"add a if_not_exist(b)", "if_not_exist", "a if_not_exist("},
      {"remove a b", "b", "a b"},
      {"set :n = b", ":n", "set :n ="},
      {"remove :n", ":n", "remove :n"},
      {"set a = b / c", "/", "b / c"},
      {"set a[1] = \"eight\"", "\"", "= \"eight"},
      {"set a[1] = 1", "1", "= 1"},
      {"SET path = VALUE 1", "1", "VALUE 1"},
      {"SET a = if_not_exist(a, 100)", "100", ", 100)"},
      {"SET if_not_exists(a, b) = a", "(", "if_not_exists(a"},
      {"set (a = (b + c))", "(", "set (a"},
      {"set a = (b.c).d + e", ".", ").d"},
      {"set a = b + c + d", "+", "c + d"},
      {"set a = (b + c) + d", "+", ") + d"},
      {"set a = d + (b + c)", "<EOF>", ")"},
      {"SET c = if_not_exists(c, :n+:n)", "+", ":n+:n"},
      {"SET c = list_append((:n+:n), c)", ",", "), c"},
      {"SET a = _f(b)", "_", "= _f"},
      {"SET a = :n SETT b = :n", "SETT", ":n SETT b"},
      {"SET a[:n] = :n", ":n", "[:n]"},
  };
  for (const auto& [text, token, near] : cases) {
    EXPECT_EQ(ErrorFor(text),
              "Syntax error; token: \"" + std::string(token) + "\", near: \"" + std::string(near) + "\"")
        << text;
  }
}

TEST(ParseUpdate, EmptyAndOversizedTexts) {
  EXPECT_EQ(ErrorFor(""), "The expression can not be empty;");
  EXPECT_EQ(ErrorFor("REMOVE " + std::string(kExpressionBytesMax, 'a')),
            "Expression size has exceeded the maximum allowed size;");
}

TEST(ParseUpdate, MistakesInTheirOrder) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {" set #undefined = :undefined set abOrt = true ",
       "Attribute name is a reserved keyword; reserved keyword: abOrt"},
      {" remove Absolute ", "Attribute name is a reserved keyword; reserved keyword: Absolute"},
      {"SET name = :n", "Attribute name is a reserved keyword; reserved keyword: name"},
      {"set #undefined = if_not_exist(:undefined) set c = d",
       "Invalid function name; function: if_not_exist"},
      {"set a = LIST_APPEND(:l, b)", "Invalid function name; function: LIST_APPEND"},
      {"set a = size(b)", "The function is not allowed in an update expression; function: size"},
      {"set a = list_append(list_append(:l, :l), :l)",
       "The function is not allowed to be used this way in an expression; function: list_append"},
      {"set a = if_not_exists(a, list_append(:l, :l))",
       "The function is not allowed to be used this way in an expression; function: list_append"},
      {"set a = list_append(b, c) + :n",
       "The function is not allowed to be used this way in an expression; function: list_append"},
      {"set a = #undefined set c = :undefined",
       "The \"SET\" section can only be used once in an update expression;"},
      {"remove #undefined set a = b remove e",
       "The \"REMOVE\" section can only be used once in an update expression;"},
      {"add #undefined :n set a = b add e :n",
       "The \"ADD\" section can only be used once in an update expression;"},
      {"delete b :ss set a = b delete c :ss",
       "The \"DELETE\" section can only be used once in an update expression;"},
      {"SET #undefined = if_not_exists(:undefined)",
       "An expression attribute name used in the document path is not defined; attribute name: #undefined"},
      {"SET a = :undefined, #undefined = :n",
       "An expression attribute name used in the document path is not defined; attribute name: #undefined"},
      {"SET #a = if_not_exists(:undefined)",
       "An expression attribute value used in expression is not defined; attribute value: :undefined"},
      {"ADD a :undefined",
       "An expression attribute value used in expression is not defined; attribute value: "
       ":undefined"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(ErrorFor(text), error) << text;
}

TEST(ParseUpdate, OverlappingPaths) {
  const std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> cases = {
      {"set a = :n, a.b = :n", "[a]", "[a, b]"},
      {"set a = :n, a = :s", "[a]", "[a]"},
      {"set a = :n remove a", "[a]", "[a]"},
      {"remove l[1] add l[1].x :n", "[l, [1]]", "[l, [1], x]"},
      {"set d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)", "[c, [1], a]", "[c]"},
      {"set #c[3].#d = a, #c[3] = a", "[c, [3], [3]]", "[c, [3]]"},
  };
  for (const auto& [text, one, two] : cases) {
    EXPECT_EQ(ErrorFor(text),
              "Two document paths overlap with each other; must remove or rewrite one of these paths; "
              "path one: " +
                  std::string(one) + ", path two: " + std::string(two))
        << text;
  }
  Parse("set a.b = :n, a.c = :n, l[0] = :n, l[1] = :n remove a.d, m");
}

TEST(ParseUpdate, ConflictingPaths) {
  const std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> cases = {
      {"set #c[3].#d = a, #c.#d[3] = if_not_exists(a)", "[c, [3], [3]]", "[c, [3], [3]]"},
      {"remove a.#c set a[1] = #d", "[a, c]", "[a, [1]]"},
  };
  for (const auto& [text, one, two] : cases) {
    EXPECT_EQ(ErrorFor(text),
              "Two document paths conflict with each other; must remove or rewrite one of these "
              "paths; path one: " +
                  std::string(one) + ", path two: " + std::string(two))
        << text;
  }
}

TEST(ParseUpdate, OperandsOfAddAndDelete) {
  const std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> cases = {
      {"set b = list_append(:s, a), c = if_not_exists(a) add a.b :s", "ADD", "STRING"},
      {"add a :null", "ADD", "NULL"},
      {"add a :bool", "ADD", "BOOLEAN"},
      {"add a :b", "ADD", "BINARY"},
      {"add a :m", "ADD", "MAP"},
      {"add a :l", "ADD", "LIST"},
      {"delete a.b :s", "DELETE", "STRING"},
      {"delete a :n", "DELETE", "NUMBER"},
      {"delete a :l", "DELETE", "LIST"},
  };
  for (const auto& [text, section, type] : cases) {
    EXPECT_EQ(ErrorFor(text), "Incorrect operand type for operator or function; operator: " +
                                  std::string(section) + ", operand type: " + std::string(type) +
                                  ", typeSet: ALLOWED_FOR_" + std::string(section) + "_OPERAND")
        << text;
  }
  Parse("add a :n, b :ss, c :ns, d :bs delete e :ss, f :ns, g :bs");
}

TEST(ParseUpdate, OperandsOfFunctions) {
  const std::string count = "Incorrect number of operands for operator or function; operator or function: ";
  EXPECT_EQ(ErrorFor("set a = if_not_exists(c)"), count + "if_not_exists, number of operands: 1");
  EXPECT_EQ(ErrorFor("set a = list_append(c, d, e)"), count + "list_append, number of operands: 3");
  const std::string path =
      "Operator or function requires a document path; operator or function: if_not_exists";
  EXPECT_EQ(ErrorFor("set a = if_not_exists(:s, c)"), path);
  EXPECT_EQ(ErrorFor("set a = if_not_exists(if_not_exists(a, b), c)"), path);
  const std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> cases = {
      {"set a = list_append(:s, a)", "list_append", "S"},
      {"set a = list_append(a, :n)", "list_append", "N"},
      {"set a = list_append(:ss, a)", "list_append", "SS"},
      {"set a = list_append(:m, a)", "list_append", "M"},
      {"set a = a + :s", "+", "S"},
      {"set a = :s + :b", "+", "S"},
      {"set a = :b + a", "+", "B"},
      {"set a = a - :l", "-", "L"},
      {"set a = a - :ns", "-", "NS"},
      {"set a = :bool - a", "-", "BOOL"},
  };
  for (const auto& [text, function, type] : cases) {
    EXPECT_EQ(ErrorFor(text), "Incorrect operand type for operator or function; operator or function: " +
                                  std::string(function) + ", operand type: " + std::string(type))
        << text;
  }
}

TEST(ParseUpdate, DeepNestingIsRefusedNotFollowed) {
  std::string nested = "SET a = ";
  for (int i = 0; i < 4'000; ++i) nested += "(";
  EXPECT_EQ(ErrorFor(nested), "The expression has redundant parentheses;");
  std::string functions = "SET a = ";
  for (int i = 0; i < 2'000; ++i) functions += "f(";
  EXPECT_EQ(ErrorFor(functions).substr(0, 40), "The expression contains too many operato");
}

TEST(ParseUpdate, ManyOperatorsAreCounted) {
  std::string text = "SET ";
  for (int i = 0; i < 301; ++i) text += (i > 0 ? ",a" : "a") + std::to_string(i) + "=b+c";
  EXPECT_EQ(ErrorFor(text), "The expression contains too many operators; operator count: 301");
}

}  // namespace
}  // namespace cairn::expr
