#include "partiql/parse.h"

#include <random>

#include "item/item_json.h"
#include "partiql/explain.h"

namespace cairn::partiql {
namespace {

using item::AttributeValue;
using item::Number;

constexpr std::string_view kNotWellFormed = "Statement wasn't well formed, can't be processed: ";

std::string Parsed(std::string_view text, const std::vector<AttributeValue>& parameters = {}) {
  const Result<Statement> statement = ParseStatement(text, parameters);
  return statement ? Explain(*statement) : statement.error().message;
}

std::string NotFormed(std::string_view detail) { return std::string(kNotWellFormed) + std::string(detail); }

struct Case {
  std::string_view text;
  std::string_view expected;
};

void ExpectAll(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(Parsed(c.text), c.expected) << c.text;
}

void ExpectNotWellFormed(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(Parsed(c.text), NotFormed(c.expected)) << c.text;
}

TEST(ParseSelect, ColumnsSourcesAndOrder) {
  ExpectAll({
      {R"(SELECT * FROM "T")", "SELECT * FROM T"},
      {R"(select * from T;)", "SELECT * FROM T"},
      {R"(SELECT a, m.b, l[1], "the key" FROM T)",
       "SELECT a AS a, m.b AS b, l[1] AS l[1], the key AS the key FROM T"},
      {R"(SELECT * FROM "T"."by-date")", "SELECT * FROM T.by-date"},
      {R"(SELECT * FROM T WHERE pk = 'a' ORDER BY sk DESC, pk)",
       R"(SELECT * FROM T WHERE pk = {"S":"a"} ORDER BY sk DESC, pk ASC)"},
      {"-- one\nSELECT * /* two */ FROM T -- three", "SELECT * FROM T"},
      {R"(SELECT * FROM "a""b")", R"(SELECT * FROM a"b)"},
  });
}

TEST(ParseSelect, Conditions) {
  const auto where = [](std::string condition, const std::vector<AttributeValue>& parameters = {}) {
    const std::string text = Parsed("SELECT * FROM T WHERE " + condition, parameters);
    constexpr std::string_view kPrefix = "SELECT * FROM T WHERE ";
    return text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text;
  };
  EXPECT_EQ(where("a = 1 AND b <> 2 OR c != 3"), R"(((a = {"N":"1"} AND b <> {"N":"2"}) OR c <> {"N":"3"}))");
  EXPECT_EQ(where("a = 1 AND (b < 2 OR c >= 3)"), R"((a = {"N":"1"} AND (b < {"N":"2"} OR c >= {"N":"3"})))");
  EXPECT_EQ(where("NOT a = 1 AND NOT NOT b = 2"), R"((NOT a = {"N":"1"} AND NOT NOT b = {"N":"2"}))");
  EXPECT_EQ(where("a BETWEEN 1 AND 2 AND b NOT BETWEEN 'a' AND 'b'"),
            R"((a BETWEEN {"N":"1"} AND {"N":"2"} AND NOT b BETWEEN {"S":"a"} AND {"S":"b"}))");
  EXPECT_EQ(where("a IN [1, 2] AND b NOT IN ('x')"),
            R"((a IN ({"N":"1"}, {"N":"2"}) AND NOT b IN ({"S":"x"})))");
  EXPECT_EQ(where("a IN ?", std::vector<AttributeValue>(1, item::List{"x", "y"})),
            R"(a IN ({"S":"x"}, {"S":"y"}))");
  EXPECT_EQ(where("a IS MISSING AND b IS NOT MISSING"), "(not_exists(a) AND exists(b))");
  EXPECT_EQ(where("a IS NULL AND b IS NOT NULL AND c IS BOOL"),
            R"(((type(a, {"S":"NULL"}) AND NOT type(b, {"S":"NULL"})) AND type(c, {"S":"BOOL"})))");
  EXPECT_EQ(where("begins_with(a.b, 'x') AND contains(c, 1)"),
            R"((begins_with(a.b, {"S":"x"}) AND contains(c, {"N":"1"})))");
  EXPECT_EQ(where("SIZE(a) > 3 AND attribute_type(b, 'SS')"),
            R"((size(a) > {"N":"3"} AND type(b, {"S":"SS"})))");
  EXPECT_EQ(where("attribute_exists(a) = true AND attribute_not_exists(b) = false"),
            "(exists(a) AND NOT not_exists(b))");
  EXPECT_EQ(where("? = a AND b = ?", {"x", Number(7)}), R"(({"S":"x"} = a AND b = {"N":"7"}))");
}

TEST(ParseSelect, Literals) {
  const auto value = [](std::string literal) {
    const std::string text = Parsed("SELECT * FROM T WHERE a = " + literal);
    constexpr std::string_view kPrefix = "SELECT * FROM T WHERE a = ";
    return text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text;
  };
  EXPECT_EQ(value("'it''s'"), R"({"S":"it's"})");
  EXPECT_EQ(value("7.31e6"), R"({"N":"7310000"})");
  EXPECT_EQ(value("73100000E-1"), R"({"N":"7310000"})");
  EXPECT_EQ(value("-.73e1"), R"({"N":"-7.3"})");
  EXPECT_EQ(value("+2.50"), R"({"N":"2.5"})");
  EXPECT_EQ(value("TRUE"), R"({"BOOL":true})");
  EXPECT_EQ(value("null"), R"({"NULL":true})");
  EXPECT_EQ(value("[1, 'a', []]"), R"({"L":[{"N":"1"},{"S":"a"},{"L":[]}]})");
  EXPECT_EQ(value("{'x': 1, 'y': {}}"), R"({"M":{"x":{"N":"1"},"y":{"M":{}}}})");
  EXPECT_EQ(value("<<'b', 'a'>>"), R"({"SS":["a","b"]})");
  EXPECT_EQ(value("<<2, 1>>"), R"({"NS":["1","2"]})");
}

TEST(ParseSelect, RefusedBeforeAnyTableIsSeen) {
  ExpectAll({
      {R"(SELECT * FROM "" WHERE pk = 'p')", "Path component cannot be an empty string"},
      {R"(SELECT * FROM "T"."" WHERE pk = 'p')", "Path component cannot be an empty string"},
      {R"(SELECT * FROM "T"."i"."x")", "A path may contain at most 2 components in the FROM clause"},
      {R"(SELECT * FROM "T" t WHERE pk = 'x')", "Aliasing is not supported"},
      {R"(SELECT * FROM "T" AS t WHERE pk = 'x')", "Aliasing is not supported"},
      {"SELECT * FROM my-table", "Unexpected from source"},
      {"SELECT * FROM 'T'", "Unexpected from source"},
      {"SELECT * FROM (SELECT * FROM T)", "Unexpected from source"},
      {"SELECT id FROM dbimp_page LIMIT 5", "Unsupported clause: LIMIT at 1:33:1"},
      {"SELECT attribute_exists(ss) FROM T", "Unexpected path component at 1:8:16"},
      {"SELECT a.b, c.b FROM T", "Duplicate identifiers in select clause: b"},
      {"SELECT * FROM T WHERE EXISTS(ss)", "Unrecognized function: exists at 1:23:6"},
      {"SELECT * FROM T WHERE set_add(ss, <<'x'>>) = ss", "Unrecognized function: set_add at 1:23:7"},
      {"SELECT * FROM T\nWHERE a = '\xc3\xa9' AND foo(a)", "Unrecognized function: foo at 2:19:3"},
      {"SELECT * FROM T WHERE a = 1e126",
       "Number overflow. Attempting to store a number with magnitude larger than supported range under root"},
      {"SELECT * FROM T WHERE attribute_exists('ss')",
       "Operator or function requires a document path; operator or function: attribute_exists"},
      {"SELECT * FROM T WHERE attribute_exists(a, b)",
       "Incorrect number of operands for operator or function; operator or function: attribute_exists, "
       "number of "
       "operands: 2"},
      {"SELECT * FROM T WHERE a < true",
       "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
      {"SELECT * FROM T WHERE a BETWEEN true AND false",
       "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: BOOL"},
      {"SELECT * FROM T WHERE attribute_type(a, 'X')",
       "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"},
      {"SELECT * FROM T WHERE a = ?", "Number of parameters in request and statement don't match."},
  });
  EXPECT_EQ(Parsed("SELECT * FROM T", {"x"}), "Number of parameters in request and statement don't match.");
}

TEST(ParseStatement, NotWellFormed) {
  ExpectNotWellFormed({
      {"", "Unexpected term"},
      {"SLECT * FROM T WHERE pk = 'a'", "Expected data manipulation"},
      {"SELECT * FROM", "Unexpected term"},
      {"SELECT * FROM T WHERE", "Unexpected term"},
      {"SELECT * FROM T WHERE;", "Unexpected term"},
      {"SELECT * FROM T WHERE NOT", "Unexpected term"},
      {"SELECT * FROM T WHERE (", "Unexpected term"},
      {"SELECT * FROM T WHERE pk = 'p1' AND", "Missing right-hand side expression of infix operator"},
      {"SELECT * FROM T WHERE pk = 'p1' OR", "Missing right-hand side expression of infix operator"},
      {"SELECT * FROM T WHERE ORDER BY pk", "Unexpected keyword"},
      {"SELECT * FROM T WHERE IS NULL", "Unexpected operator"},
      {"SELECT * FROM T WHERE pk = LIKE", "Unexpected operator"},
      {"SELECT * FROM T WHERE x IS FOO", "Expected type name"},
      {"SELECT * FROM T WHERE pk = 1 foo", "Unexpected token after expression"},
      {"SELECT * FROM T WHERE pk = 1 e5", "Unexpected token after expression"},
      {"SELECT * FROM T WHERE pk = 1)", "Unexpected token after expression"},
      {"SELECT * FROM T ORDER BY pk WHERE pk = 1", "Unexpected token after expression"},
      {"SELECT * FROM T WHERE m.inner = 1", "Invalid path dot component"},
      {"SELECT * FROM T WHERE user = 1", "Unexpected keyword"},
      {"SELECT * FROM T WHERE pk = 1e2147483648", ""},
      {"SELECT * FROM T WHERE pk = 1.5e-2147483647", ""},
      {"SELECT * FROM T WHERE pk = 1 # note", ""},
      {"SELECT * FROM T WHERE pk = 1 /* note", ""},
      {"SELECT * FROM \"T", ""},
      {"SELECT * FROM T WHERE pk = 'a", ""},
      {"INSERT INTO T VALUE {'pk': 1} foo", "Unexpected token after expression"},
      {"INSERT INTO T t VALUE {'pk': 1}", "Unexpected token after expression"},
      {"INSERT INTO urls (key) VALUES (?)", "Unexpected keyword"},
      {"UPDATE T SET a = 9 WHERE pk = 2 foo", "Unexpected token after expression"},
      {"UPDATE T SET a = 1 WHERE", "Unexpected term"},
      {"UPDATE Payment-x SET a = 1", "Expected data manipulation"},
      {"UPDATE T", "Expected data manipulation"},
      {"DELETE FROM", "Expected identifier for simple path"},
      {"DELETE FROM WHERE pk = 'a'", "Expected identifier for simple path"},
      {"DELETE FROM T WHERE pk = 4 ORDER BY pk", "Unexpected token after expression"},
      {"FROM T SET c = 1 WHERE pk = 'x'", "Unexpected token after expression"},
  });
}

TEST(ParseInsert, ItemsOfAllTypes) {
  ExpectAll({
      {R"(INSERT INTO "T" VALUE {'pk': 'a', 'm': {'x': [1, true]}, 's': <<'b'>>})",
       R"(INSERT INTO T {"m":{"M":{"x":{"L":[{"N":"1"},{"BOOL":true}]}}},"pk":{"S":"a"},"s":{"SS":["b"]}})"},
      {"INSERT INTO T VALUE {}", "INSERT INTO T {}"},
  });
  EXPECT_EQ(Parsed("INSERT INTO T VALUE {'pk': ?, 'b': ?}", {"a", item::Binary{"\x01"}}),
            R"(INSERT INTO T {"b":{"B":"AQ=="},"pk":{"S":"a"}})");
  EXPECT_EQ(Parsed("INSERT INTO T VALUE ?", {item::Map{{"pk", "a"}}}), R"(INSERT INTO T {"pk":{"S":"a"}})");
}

TEST(ParseInsert, Refused) {
  ExpectAll({
      {R"(INSERT INTO "T"."i" VALUE {'pk': 1})", "FROM clause may only contain a single table name"},
      {"INSERT INTO T VALUE {'s': <<>>}", "Empty bags are not supported"},
      {"INSERT INTO T VALUE {'s': <<1, 'a'>>}",
       "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
      {"INSERT INTO T VALUE {'s': <<'a', 'a'>>}",
       "One or more parameter values were invalid: Input collection [a, a] contains duplicates."},
      {"INSERT INTO T VALUE {'m': {'x': 1e126}}",
       "Number overflow. Attempting to store a number with magnitude larger than supported range under "
       "root.x"},
      {"INSERT INTO T VALUE {'l': [1, 1e126]}",
       "Number overflow. Attempting to store a number with magnitude larger than supported range under "
       "root[1]"},
      {"INSERT INTO T VALUE {'pk': 'a', 'ss': set_add(<<'a'>>, <<'b'>>)}",
       "Unsupported data type: set_add under key root at 1:39:7"},
  });
}

TEST(ParseUpdate, Clauses) {
  ExpectAll({
      {"UPDATE T SET a = 1, b = c WHERE pk = 'x'",
       R"(UPDATE T SET a = {"N":"1"} SET b = c WHERE pk = {"S":"x"})"},
      {"UPDATE T SET a = a + 1 SET b = 5 - b REMOVE c[0] REMOVE d.e WHERE pk = 'x' RETURNING MODIFIED NEW *",
       R"(UPDATE T SET a = sum(a, {"N":"1"}) SET b = difference({"N":"5"}, b) REMOVE c[0] REMOVE d.e)"
       R"( WHERE pk = {"S":"x"} RETURNING MODIFIED NEW)"},
      {"UPDATE T SET l = list_append(l, [1]) SET m = LIST_APPEND([2], m) WHERE pk = 'x'",
       R"(UPDATE T SET l = list_append(l, {"L":[{"N":"1"}]}) SET m = list_append({"L":[{"N":"2"}]}, m))"
       R"( WHERE pk = {"S":"x"})"},
      {"UPDATE T SET s = SET_ADD(s, <<'a'>>) SET m.n = set_delete(m.n, <<1>>) WHERE pk = 'x'",
       R"(UPDATE T ADD s {"SS":["a"]} DELETE m.n {"NS":["1"]} WHERE pk = {"S":"x"})"},
      {"from T where pk = 'x' set e = 4 returning all old *",
       R"(UPDATE T SET e = {"N":"4"} WHERE pk = {"S":"x"} RETURNING ALL OLD)"},
      {"UPDATE T REMOVE a", "UPDATE T REMOVE a"},
  });
}

TEST(ParseUpdate, Refused) {
  ExpectAll({
      {R"(UPDATE "T"."i" SET a = 1 WHERE pk = 'x')", "This operation is not supported on an index"},
      {"UPDATE T t SET a = 3 WHERE pk = 'x'", "Aliasing is not supported"},
      {"UPDATE T SET t = set_add(ss, <<'x'>>) WHERE pk = 'x'",
       "The first argument to SET_ADD must equal the assignment value at 1:18:7"},
      {"UPDATE T SET ss = set_delete(ss, 'a') WHERE pk = 'x'",
       "The second argument to SET_DELETE must be a value with type SET at 1:30:2"},
      {"UPDATE T SET ss = set_add(ss) WHERE pk = 'x'", "SET_ADD must have exactly two arguments at 1:19:7"},
      {"UPDATE T SET ss = if_not_exists(ss, 1) WHERE pk = 'x'",
       "Unrecognized function: if_not_exists at 1:19:13"},
      {"UPDATE T SET a = b + 'x' WHERE pk = 'x'",
       "Incorrect operand type for operator or function; operator or function: +, operand type: S"},
      {"UPDATE T SET a.b = 1 REMOVE a WHERE pk = 'x'",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, "
       "b], "
       "path two: [a]"},
  });
}

TEST(ParseDelete, ReturningAllOldOnly) {
  ExpectAll({
      {"DELETE FROM T WHERE pk = 'x'", R"(DELETE FROM T WHERE pk = {"S":"x"})"},
      {"DELETE FROM T WHERE pk = 'x' RETURNING ALL OLD *",
       R"(DELETE FROM T WHERE pk = {"S":"x"} RETURNING ALL OLD)"},
      {"DELETE FROM T WHERE pk = 'x' RETURNING MODIFIED NEW *",
       "Invalid returning clause: RETURNING MODIFIED NEW *. Only RETURNING ALL OLD * is allowed in DELETE "
       "statements."},
      {R"(DELETE FROM "T"."i" WHERE pk = 'x')", "This operation is not supported on an index"},
  });
}

TEST(ParseExists, ASelectWithinParentheses) {
  EXPECT_EQ(Parsed("EXISTS(SELECT * FROM T WHERE pk = 'a' AND b IS MISSING)"),
            R"(EXISTS(SELECT * FROM T WHERE (pk = {"S":"a"} AND not_exists(b))))");
}

std::string Repeated(std::string_view text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

TEST(ParseStatement, DeepNestingIsRefusedNotFollowed) {
  const std::string select = "SELECT * FROM T WHERE ";
  EXPECT_EQ(Parsed(select + Repeated("(", 4000)), NotFormed("Nesting is too deep"));
  EXPECT_EQ(Parsed(select + Repeated("NOT ", 2000) + "a = 1"), NotFormed("Nesting is too deep"));
  EXPECT_EQ(Parsed(select + Repeated("size(", 1600)), NotFormed("Nesting is too deep"));
  constexpr std::string_view kTooNested =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
      "supported "
      "limit";
  EXPECT_EQ(Parsed(select + "a = " + Repeated("[", 4000)), kTooNested);
  EXPECT_EQ(Parsed(select + "a = " + Repeated("{'a':", 1600)), kTooNested);
  EXPECT_EQ(Parsed(select + "a = " + Repeated("<<", 4000)), kTooNested);
  EXPECT_TRUE(ParseStatement(select + "a = " + Repeated("[", 32) + Repeated("]", 32), {}).has_value());
}

TEST(ParseStatement, ParametersCountForNestingAndSize) {
  AttributeValue deep("x");
  for (int i = 0; i < 31; ++i) deep = item::List(1, deep);  // the item itself is the 32nd
  const std::vector<AttributeValue> parameters(1, deep);
  EXPECT_TRUE(ParseStatement("INSERT INTO T VALUE {'a': ?}", parameters).has_value());
  EXPECT_TRUE(
      Parsed("INSERT INTO T VALUE {'a': [?]}", parameters).starts_with("Nesting Levels have exceeded"));
  EXPECT_TRUE(Parsed("UPDATE T SET a = [[?]]", parameters).starts_with("Nesting Levels have exceeded"));
  const std::vector<AttributeValue> large(1, std::string(500 * 1024, 'x'));
  EXPECT_EQ(Parsed("INSERT INTO T VALUE {'a': ?}", large), "Item size has exceeded the maximum allowed size");
}

TEST(ParseStatement, LongChainsAreFine) {
  const Result<Statement> statement =
      ParseStatement("SELECT * FROM T WHERE a=1" + Repeated(" AND a=1", 1000), {});
  ASSERT_TRUE(statement.has_value());
  EXPECT_TRUE(expr::EvaluateCondition(*std::get<Select>(*statement).where, item::Item{{"a", Number(1)}}));
}

// Random mixtures of tokens and bytes: whatever comes, the parser answers.
TEST(ParseStatement, AnswersEveryText) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  constexpr std::string_view kPieces[] = {
      "SELECT ", "* ",      "FROM ",   "\"T\" ",     "WHERE ",   "a ",           "= ",      "1 ",
      "'x' ",    "AND ",    "OR ",     "NOT ",       "( ",       ") ",           "[ ",      "] ",
      "{ ",      "} ",      "<<",      ">>",         ", ",       ". ",           ": ",      "? ",
      "IN ",     "IS ",     "NULL ",   "MISSING ",   "INSERT ",  "INTO ",        "VALUE ",  "UPDATE ",
      "SET ",    "REMOVE ", "DELETE ", "RETURNING ", "ALL ",     "OLD ",         "size(",   "- ",
      "+ ",      "ORDER ",  "BY ",     "set_add(",   "BETWEEN ", "begins_with(", "EXISTS(", "e5",
      "1e5",     "\"",      "'",       "/*",         "--",       "\xff",         "; "};
  const std::vector<AttributeValue> parameters(20, AttributeValue("p"));
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t i = random() % 25; i > 0; --i) {
      if (random() % 20 == 0) {
        text += static_cast<char>(random());
      } else {
        text += kPieces[random() % std::size(kPieces)];
      }
    }
    const Result<Statement> statement = ParseStatement(text, std::span(parameters).first(random() % 20));
    EXPECT_FALSE((statement ? Explain(*statement) : statement.error().message).empty()) << text;
  }
}

}  // namespace
}  // namespace cairn::partiql
