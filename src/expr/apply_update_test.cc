#include <gtest/gtest.h>

#include "expr/expression_for_test.h"

namespace cairn::expr {
namespace {

constexpr std::string_view kValues = R"({
  ":s": {"S": "new"}, ":n": {"N": "3"}, ":big": {"N": "9E125"}, ":l": {"L": [{"S": "x"}, {"S": "y"}]},
  ":empty": {"L": []}, ":m": {"M": {"k": {"S": "v"}}}, ":ss": {"SS": ["b", "c"]}, ":all": {"SS": ["a", "b", "z"]},
  ":ns": {"NS": ["1", "5"]}, ":bs": {"BS": ["YQ=="]}, ":v1": {"S": "a1"}, ":v2": {"S": "a2"}, ":v3": {"S": "a3"},
  ":v4": {"S": "a4"}})";

Result<item::Item> Apply(std::string_view text, const item::Item& old_item) {
  Placeholders placeholders = Given(kValues);
  const Result<Update> update = ParseUpdate(text, placeholders);
  EXPECT_TRUE(update.has_value()) << text << ": " << ErrorOf(update);
  return ApplyUpdate(update.value_or(Update()), old_item);
}

struct Case {
  std::string_view text;
  std::string_view old_item;
  std::string_view new_item;
};
void ExpectUpdates(const std::vector<Case>& cases) {
  for (const auto& [text, old_item, new_item] : cases) {
    const Result<item::Item> result = Apply(text, ItemOf(old_item));
    EXPECT_EQ(ErrorOf(result), "") << text;
    std::string actual;
    if (result) item::AppendItemJson(actual, *result);
    EXPECT_TRUE(result && *result == ItemOf(new_item))
        << text << "\n gives " << actual << "\n not   " << new_item;
  }
}

TEST(ApplyUpdate, SetOfTopLevelAttributes) {
  ExpectUpdates({
      {"SET a = :s", R"({})", R"({"a": {"S": "new"}})"},
      {"SET a = :s", R"({"a": {"N": "1"}, "b": {"N": "2"}})", R"({"a": {"S": "new"}, "b": {"N": "2"}})"},
      {"SET a = b, b = a", R"({"a": {"N": "1"}, "b": {"N": "2"}})", R"({"a": {"N": "2"}, "b": {"N": "1"}})"},
      {"SET a = a + :n, b = a", R"({"a": {"N": "1"}})", R"({"a": {"N": "4"}, "b": {"N": "1"}})"},
      {"SET a = :n - a", R"({"a": {"N": "1.5"}})", R"({"a": {"N": "1.5"}})"},
      {"SET a = :n + :n", R"({})", R"({"a": {"N": "6"}})"},
      {"SET a = if_not_exists(a, :s)", R"({"a": {"N": "1"}})", R"({"a": {"N": "1"}})"},
      {"SET a = if_not_exists(b, :s)", R"({"a": {"N": "1"}})", R"({"a": {"S": "new"}})"},
      {"SET a = if_not_exists(b, c)", R"({"c": {"N": "1"}})", R"({"a": {"N": "1"}, "c": {"N": "1"}})"},
      {"SET a = if_not_exists(a, :n) + :n", R"({})", R"({"a": {"N": "6"}})"},
  });
}

TEST(ApplyUpdate, ListAppend) {
  ExpectUpdates({
      {"SET a = list_append(a, :l)", R"({"a": {"L": [{"N": "1"}]}})",
       R"({"a": {"L": [{"N": "1"}, {"S": "x"}, {"S": "y"}]}})"},
      {"SET a = list_append(:l, a)", R"({"a": {"L": [{"N": "1"}]}})",
       R"({"a": {"L": [{"S": "x"}, {"S": "y"}, {"N": "1"}]}})"},
      {"SET a = list_append(if_not_exists(a, :empty), :l)", R"({})",
       R"({"a": {"L": [{"S": "x"}, {"S": "y"}]}})"},
      {"SET c = list_append(a, b)", R"({"a": {"L": []}, "b": {"L": []}})",
       R"({"a": {"L": []}, "b": {"L": []}, "c": {"L": []}})"},
  });
}

TEST(ApplyUpdate, SetOfNestedPlaces) {
  ExpectUpdates({
      {"SET m.x = :s", R"({"m": {"M": {"x": {"N": "1"}, "y": {"N": "2"}}}})",
       R"({"m": {"M": {"x": {"S": "new"}, "y": {"N": "2"}}}})"},
      {"SET m.z = :s", R"({"m": {"M": {}}})", R"({"m": {"M": {"z": {"S": "new"}}}})"},
      {"SET m.c = m.c + :n", R"({"m": {"M": {"c": {"N": "10"}}}})", R"({"m": {"M": {"c": {"N": "13"}}}})"},
      {"SET l[1] = :s", R"({"l": {"L": [{"N": "1"}, {"N": "2"}]}})",
       R"({"l": {"L": [{"N": "1"}, {"S": "new"}]}})"},
      {"SET l[0] = :s", R"({"l": {"L": []}})", R"({"l": {"L": [{"S": "new"}]}})"},
      {"SET l[5] = :s", R"({"l": {"L": [{"N": "1"}]}})", R"({"l": {"L": [{"N": "1"}, {"S": "new"}]}})"},
      {"SET a.c[1].x.y[1] = :s, a.z = a.c[1].x.y[0]",
       R"({"a": {"M": {"c": {"L": [{"S": "hi"}, {"M": {"x": {"M": {"y": {"L": [{"N": "3"}, {"N": "5"}]}}}}}]}}}})",
       R"({"a": {"M": {"c": {"L": [{"S": "hi"}, {"M": {"x": {"M": {"y": {"L": [{"N": "3"}, {"S": "new"}]}}}}}]},
                       "z": {"N": "3"}}}})"},
  });
}

TEST(ApplyUpdate, ElementsBeyondTheEndAreAppendedByPosition) {
  ExpectUpdates({{"SET a[84] = :v1, a[37] = :v2, a[17] = :v3, a[50] = :v4", R"({"a": {"L": [{"S": "one"}]}})",
                  R"({"a": {"L": [{"S": "one"}, {"S": "a3"}, {"S": "a2"}, {"S": "a4"}, {"S": "a1"}]}})"}});
}

TEST(ApplyUpdate, Remove) {
  ExpectUpdates({
      {"REMOVE a, ghost", R"({"a": {"N": "1"}, "b": {"N": "2"}})", R"({"b": {"N": "2"}})"},
      {"REMOVE m.x, m.ghost", R"({"m": {"M": {"x": {"N": "1"}}}})", R"({"m": {"M": {}}})"},
      {"REMOVE l[1]", R"({"l": {"L": [{"S": "a"}, {"S": "b"}, {"S": "c"}]}})",
       R"({"l": {"L": [{"S": "a"}, {"S": "c"}]}})"},
      {"REMOVE l[0], l[2], l[9]", R"({"l": {"L": [{"S": "a"}, {"S": "b"}, {"S": "c"}, {"S": "d"}]}})",
       R"({"l": {"L": [{"S": "b"}, {"S": "d"}]}})"},
      {"REMOVE l[0], l[1].x, l[11]", R"({"l": {"L": [{"S": "a"}, {"M": {"x": {"N": "1"}}}]}})",
       R"({"l": {"L": [{"M": {}}]}})"},
  });
}

TEST(ApplyUpdate, PositionsAreThoseOfTheOldList) {
  constexpr std::string_view kOld =
      R"({"a": {"L": [{"N": "2"}, {"N": "3"}, {"N": "4"}, {"N": "5"}, {"N": "6"}]}})";
  constexpr std::string_view kNew = R"({"a": {"L": [{"N": "2"}, {"N": "4"}, {"S": "new"}, {"N": "6"}]}})";
  ExpectUpdates({
      {"REMOVE a[1] SET a[3] = :s", kOld, kNew},
      {"SET a[3] = :s REMOVE a[1]", kOld, kNew},
      {"SET a[9] = :s REMOVE a[1]", R"({"a": {"L": [{"N": "1"}, {"N": "2"}]}})",
       R"({"a": {"L": [{"N": "1"}, {"S": "new"}]}})"},
      // Position 2 is not there in the old list, so nothing is removed.
      {"SET a[9] = :s REMOVE a[2]", R"({"a": {"L": [{"N": "1"}, {"N": "2"}]}})",
       R"({"a": {"L": [{"N": "1"}, {"N": "2"}, {"S": "new"}]}})"},
      {"ADD a[2] :n REMOVE a[0] DELETE a[1] :ss", R"({"a": {"L": [{"N": "1"}, {"SS": ["b"]}, {"N": "2"}]}})",
       R"({"a": {"L": [{"N": "5"}]}})"},
  });
}

TEST(ApplyUpdate, Add) {
  ExpectUpdates({
      {"ADD a :n", R"({})", R"({"a": {"N": "3"}})"},
      {"ADD a :n", R"({"a": {"N": "-1.5"}})", R"({"a": {"N": "1.5"}})"},
      {"ADD a :ss", R"({})", R"({"a": {"SS": ["b", "c"]}})"},
      {"ADD a :ss", R"({"a": {"SS": ["a", "b"]}})", R"({"a": {"SS": ["a", "b", "c"]}})"},
      {"ADD a :ns", R"({"a": {"NS": ["5", "7"]}})", R"({"a": {"NS": ["1", "5", "7"]}})"},
      {"ADD a :bs", R"({"a": {"BS": ["Yg=="]}})", R"({"a": {"BS": ["YQ==", "Yg=="]}})"},
      {"ADD m.x :n, l[0] :n", R"({"m": {"M": {}}, "l": {"L": [{"N": "1"}]}})",
       R"({"m": {"M": {"x": {"N": "3"}}}, "l": {"L": [{"N": "4"}]}})"},
  });
}

TEST(ApplyUpdate, Delete) {
  ExpectUpdates({
      {"DELETE a :ss", R"({"a": {"SS": ["a", "b", "c"]}})", R"({"a": {"SS": ["a"]}})"},
      {"DELETE a :all", R"({"a": {"SS": ["a", "b"]}, "x": {"N": "1"}})", R"({"x": {"N": "1"}})"},
      {"DELETE a :ss", R"({"a": {"SS": ["q"]}})", R"({"a": {"SS": ["q"]}})"},
      {"DELETE a :ss", R"({"x": {"N": "1"}})", R"({"x": {"N": "1"}})"},
      {"DELETE a :ns", R"({"a": {"NS": ["1", "2", "5.0"]}})", R"({"a": {"NS": ["2"]}})"},
      {"DELETE a :bs", R"({"a": {"BS": ["YQ=="]}})", R"({})"},
      {"DELETE m.t :ss", R"({"m": {"M": {"t": {"SS": ["b"]}}}})", R"({"m": {"M": {}}})"},
  });
}

TEST(ApplyUpdate, MissingAttributesOnTheRight) {
  const item::Item item = ItemOf(R"({"a": {"S": "x"}})");
  for (const std::string_view text : {"SET c = b", "SET c = list_append(b, :l)", "SET c = b + :n",
                                      "SET c = a.x", "SET c = if_not_exists(b, d)", "SET c = :n - l[0]"}) {
    EXPECT_EQ(ErrorOf(Apply(text, item)),
              "The provided expression refers to an attribute that does not exist in the item")
        << text;
  }
}

TEST(ApplyUpdate, WrongTypes) {
  const item::Item item =
      ItemOf(R"({"a": {"S": "x"}, "b": {"M": {"a": {"SS": ["1"]}}}, "c": {"N": "1"}, "d": {"NS": ["1"]}})");
  for (const std::string_view text :
       {"DELETE d :ss", "DELETE b :ns", "DELETE b.a :ns", "DELETE b.a :bs", "DELETE c :ns", "ADD b :ns",
        "ADD d :n", "ADD a :n", "ADD c :ns", "SET e = a + :n", "SET e = b - :n", "SET e = :n - d",
        "SET e = list_append(d, if_not_exists(f, :l))", "SET e = list_append(:l, a)",
        "SET e = if_not_exists(f, :s) + :n"}) {
    EXPECT_EQ(ErrorOf(Apply(text, item)), "An operand in the update expression has an incorrect data type")
        << text;
  }
}

TEST(ApplyUpdate, PathsThatDoNotFitTheItem) {
  const item::Item item =
      ItemOf(R"({"b": {"S": "x"}, "c": {"M": {"k": {"S": "a"}}}, "d": {"L": [{"S": "a"}]}})");
  for (const std::string_view text :
       {"SET b.a = :s",   "SET b[1] = :s",   "SET y.a = :s",    "SET y[1] = :s",        "SET c[1] = :s",
        "SET d.x = :s",   "SET c.k.x = :s",  "SET d[1].x = :s", "SET q = :s, y.a = :s", "REMOVE b.a",
        "REMOVE b[1]",    "REMOVE y.a",      "REMOVE y[1]",     "REMOVE c[1]",          "REMOVE d.x",
        "DELETE b.a :ss", "DELETE y[1] :ss", "DELETE c[1] :ss", "DELETE d.x :ss",       "ADD b.a :ss",
        "ADD y.a :n",     "ADD c[1] :ss",    "ADD d.x :ss"}) {
    EXPECT_EQ(ErrorOf(Apply(text, item)),
              "The document path provided in the update expression is invalid for update")
        << text;
  }
}

// An element appended by SET is not there yet for the other actions.
TEST(ApplyUpdate, PathsNeverSeeWhatTheSameUpdateAppends) {
  const item::Item item = ItemOf(R"({"l": {"L": [{"N": "1"}]}})");
  EXPECT_EQ(ErrorOf(Apply("SET l[7] = :m ADD l[1].k :ss", item)),
            "The document path provided in the update expression is invalid for update");
}

TEST(ApplyUpdate, SumsOutOfRangeFail) {
  const Result<item::Item> result = Apply("SET a = a + :big", ItemOf(R"({"a": {"N": "9E125"}})"));
  EXPECT_NE(ErrorOf(result), "");
  EXPECT_NE(ErrorOf(Apply("ADD a :big", ItemOf(R"({"a": {"N": "9E125"}})"))), "");
}

TEST(ApplyUpdate, EmptyUpdateKeepsTheItem) {
  const item::Item item = ItemOf(R"({"pk": {"S": "x"}})");
  EXPECT_EQ(*ApplyUpdate(Update(), item), item);
}

TEST(ApplyUpdate, UpdatedPathsInOrderOfActions) {
  Placeholders placeholders = Given(kValues);
  const Update update = *ParseUpdate("ADD n :n REMOVE r.x SET a = :s, b[0] = :s DELETE t :ss", placeholders);
  std::vector<std::string> paths;
  for (const DocumentPath& path : UpdatedPaths(update)) paths.push_back(ToString(path));
  EXPECT_EQ(paths, (std::vector<std::string>{"a", "b[0]", "r.x", "n", "t"}));
}

// Hand-made updates may break the rule that paths do not overlap; they must not break the process.
TEST(ApplyUpdate, OverlappingActionsAreHarmless) {
  const item::Item item = ItemOf(R"({"l": {"L": [{"N": "1"}]}, "m": {"M": {"x": {"N": "1"}}}})");
  Update removes;
  removes.removes = {{{"l", {0u}}}, {{"l", {0u}}}, {{"l", {}}}, {{"m", {"x"}}}, {{"m", {}}}};
  EXPECT_EQ(*ApplyUpdate(removes, item), item::Item());
  Update sets;
  const auto constant = std::make_shared<const SetValue>(SetValue{Number(1)});
  sets.sets = {{{"m", {}}, constant}, {{"m", {"x"}}, constant}};
  EXPECT_EQ(*ApplyUpdate(sets, item), ItemOf(R"({"l": {"L": [{"N": "1"}]}, "m": {"N": "1"}})"));
}

}  // namespace
}  // namespace cairn::expr
