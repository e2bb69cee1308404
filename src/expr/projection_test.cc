#include "expr/projection.h"

#include <gtest/gtest.h>

#include "expr/expression_for_test.h"

namespace cairn::expr {
namespace {

std::string ErrorFor(std::string_view text) {
  Placeholders placeholders = Given({{"#a", "a"}});
  return ErrorOf(ParseProjection(text, placeholders));
}

constexpr std::string_view kItem = R"({
  "pk": {"S": "k"}, "status": {"S": "on"}, "dot.ted": {"N": "1"},
  "m": {"M": {"x": {"S": "deep"}, "y": {"N": "42"}, "z": {"M": {"p": {"N": "1"}, "q": {"N": "2"}}}}},
  "l": {"L": [{"S": "zero"}, {"M": {"u": {"N": "1"}, "v": {"N": "2"}}}, {"S": "two"}, {"L": [{"N": "5"}, {"N": "6"}]}]}
})";

void ExpectProjection(std::string_view text, std::string_view expected) {
  Placeholders placeholders = Given({{"#status", "status"}, {"#dot", "dot.ted"}, {"#m", "m"}, {"#x", "x"}});
  const Result<Projection> projection = ParseProjection(text, placeholders);
  ASSERT_TRUE(projection.has_value()) << text << ": " << ErrorOf(projection);
  const item::Item actual = Project(*projection, ItemOf(kItem));
  std::string json;
  item::AppendItemJson(json, actual);
  EXPECT_EQ(actual, ItemOf(expected)) << text << " gives " << json;
}

TEST(Projection, TopLevelAttributes) {
  ExpectProjection("pk, #status, ghost", R"({"pk": {"S": "k"}, "status": {"S": "on"}})");
  ExpectProjection("#dot", R"({"dot.ted": {"N": "1"}})");
  ExpectProjection("ghost", R"({})");
}

TEST(Projection, NestedStructureIsKept) {
  ExpectProjection("#m.#x", R"({"m": {"M": {"x": {"S": "deep"}}}})");
  ExpectProjection("m.z.q, pk, m.y",
                   R"({"pk": {"S": "k"}, "m": {"M": {"y": {"N": "42"}, "z": {"M": {"q": {"N": "2"}}}}}})");
  ExpectProjection("m.ghost, m.x.y, ghost[0]", R"({})");
}

TEST(Projection, ListPositionsCloseUpInOrder) {
  ExpectProjection("l[0]", R"({"l": {"L": [{"S": "zero"}]}})");
  ExpectProjection("l[2], l[0]", R"({"l": {"L": [{"S": "zero"}, {"S": "two"}]}})");
  ExpectProjection("l[3][1], l[1].v, l[99]",
                   R"({"l": {"L": [{"M": {"v": {"N": "2"}}}, {"L": [{"N": "6"}]}]}})");
  ExpectProjection("l[7], m[0]", R"({})");
}

TEST(Projection, OverlappingPathsOfHandMadeProjectionsGiveTheWidest) {
  const item::Item item = ItemOf(kItem);
  const Projection projection{{{"m", {"z", "p"}}, {"m", {"z"}}, {"pk", {}}, {"pk", {}}}};
  EXPECT_EQ(Project(projection, item),
            ItemOf(R"({"pk": {"S": "k"}, "m": {"M": {"z": {"M": {"p": {"N": "1"}, "q": {"N": "2"}}}}}})"));
}

TEST(Projection, ReferencedAttributes) {
  Placeholders placeholders;
  EXPECT_EQ(ReferencedAttributes(*ParseProjection("z.a, b[1], z.c, a", placeholders)),
            (std::vector<std::string>{"a", "b", "z"}));
}

TEST(Projection, KeepsTheOrderOfTheText) {
  Placeholders placeholders;
  const Projection projection = *ParseProjection("c, a.b, b[1]", placeholders);
  EXPECT_EQ(projection.paths, (std::vector<DocumentPath>{{"c", {}}, {"a", {"b"}}, {"b", {1u}}}));
}

TEST(Projection, Mistakes) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"", "The expression can not be empty;"},
      {"!!! INVALID !!!", "Syntax error; token: \"!\", near: \"!!\""},
      {"a b", "Syntax error; token: \"b\", near: \"a b\""},
      {"a,", "Syntax error; token: \"<EOF>\", near: \",\""},
      {"a..b", "Syntax error; token: \".\", near: \"..b\""},
      {":v", "Syntax error; token: \":v\", near: \":v\""},
      {"(a)", "Syntax error; token: \"(\", near: \"(a\""},
      {"pk, status", "Attribute name is a reserved keyword; reserved keyword: status"},
      {"and", "Attribute name is a reserved keyword; reserved keyword: and"},
      {"b, #undefined",
       "An expression attribute name used in the document path is not defined; attribute name: #undefined"},
      {"a.b, c, a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, "
       "b], "
       "path two: [a]"},
      {"a, #a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
       "[a], path "
       "two: [a]"},
      {"a.b, a[1]",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "
       "[a, b], "
       "path two: [a, [1]]"},
  };
  for (const auto& [text, error] : cases) {
    EXPECT_EQ(ErrorFor(text), "Invalid ProjectionExpression: " + std::string(error)) << text;
  }
  EXPECT_EQ(ErrorFor(std::string(kExpressionBytesMax + 1, 'a')),
            "Invalid ProjectionExpression: Expression size has exceeded the maximum allowed size;");
}

}  // namespace
}  // namespace cairn::expr
