#include "partiql/plan.h"

#include "partiql/explain.h"
#include "partiql/parse.h"

namespace cairn::partiql {
namespace {

using item::Type;

// T: pk and sk; by_city: a global index that projects only "name"; by_age: a local one with keys only.
store::TableDescription Table() {
  store::TableDescription table;
  table.definition.name = "T";
  table.definition.key_schema = {{{"pk", Type::kString}}, {{"sk", Type::kString}}};
  store::IndexDefinition by_city{.name = "by_city", .projection = store::ProjectionType::kInclude};
  by_city.key_schema = {{{"city", Type::kString}}, {{"street", Type::kString}}};
  by_city.included = {"name"};
  store::IndexDefinition by_age{.name = "by_age", .kind = store::IndexKind::kLocal};
  by_age.key_schema = {{{"pk", Type::kString}}, {{"age", Type::kNumber}}};
  by_age.projection = store::ProjectionType::kKeysOnly;
  table.definition.indexes = {by_city, by_age};
  return table;
}

store::TableDescription HashTable() {
  store::TableDescription table;
  table.definition.name = "H";
  table.definition.key_schema = {{{"pk", Type::kString}}, {}};
  return table;
}

Statement Parse(std::string_view text) {
  Result<Statement> statement = ParseStatement(text, {});
  EXPECT_TRUE(statement.has_value()) << text << ": " << statement.error().message;
  return statement ? *std::move(statement) : Statement();
}

std::string Planned(std::string_view text, const store::TableDescription& table = Table(),
                    store::Consistency consistency = store::Consistency::kEventual) {
  const Result<SelectPlan> plan = PlanSelect(std::get<Select>(Parse(text)), table, consistency);
  return plan ? Explain(*plan) : plan.error().message;
}

std::string PlannedWhere(std::string_view where) {
  return Planned("SELECT * FROM T WHERE " + std::string(where));
}

TEST(PlanSelect, WholeKeyIsAGet) {
  EXPECT_EQ(PlannedWhere("pk = 'a' AND sk = 'b'"), R"(GetItem T {"pk":{"S":"a"},"sk":{"S":"b"}})");
  EXPECT_EQ(PlannedWhere("pk = 'a' AND sk = 'b' AND n > 1"),
            R"(GetItem T {"pk":{"S":"a"},"sk":{"S":"b"}} THEN n > {"N":"1"})");
  EXPECT_EQ(Planned("SELECT * FROM H WHERE pk = 'a'", HashTable()), R"(GetItem H {"pk":{"S":"a"}})");
}

TEST(PlanSelect, PartitionKeyIsAQuery) {
  EXPECT_EQ(PlannedWhere("pk = 'a'"), R"(Query [pk = {"S":"a"}] T)");
  EXPECT_EQ(PlannedWhere("'b' < sk AND pk = 'a'"), R"(Query [pk = {"S":"a"} AND sk > {"S":"b"}] T)");
  EXPECT_EQ(
      PlannedWhere("pk = 'a' AND begins_with(sk, 'x') AND n = 1 AND m = 2"),
      R"(Query [pk = {"S":"a"} AND sk BEGINS_WITH {"S":"x"}] T FILTER (n = {"N":"1"} AND m = {"N":"2"}))");
  EXPECT_EQ(PlannedWhere("pk = 'a' AND sk BETWEEN 'b' AND 'c'"),
            R"(Query [pk = {"S":"a"} AND sk BETWEEN {"S":"b"} AND {"S":"c"}] T)");
}

TEST(PlanSelect, ConditionsOnKeysThatAreNoKeyConditionsAreAppliedAfterwards) {
  EXPECT_EQ(PlannedWhere("pk = 'a' AND sk <> 'b'"), R"(Query [pk = {"S":"a"}] T THEN sk <> {"S":"b"})");
  EXPECT_EQ(PlannedWhere("pk = 'a' AND sk > 'b' AND sk < 'd'"),
            R"(Query [pk = {"S":"a"} AND sk > {"S":"b"}] T THEN sk < {"S":"d"})");
  EXPECT_EQ(Planned("SELECT n FROM T WHERE pk = 'a' AND sk <> 'b'"),
            R"(Query [pk = {"S":"a"}] T PROJECT n, sk THEN sk <> {"S":"b"} AS n)");
}

TEST(PlanSelect, SeveralPartitionsAreSeveralReads) {
  EXPECT_EQ(
      PlannedWhere("pk IN ['a', 'b', 'a'] AND n = 1"),
      R"(Query [pk = {"S":"a"}] T FILTER n = {"N":"1"}; Query [pk = {"S":"b"}] T FILTER n = {"N":"1"})");
  EXPECT_EQ(PlannedWhere("pk = 'a' OR pk = 'b'"), R"(Query [pk = {"S":"a"}] T; Query [pk = {"S":"b"}] T)");
  EXPECT_EQ(PlannedWhere("(pk = 'a' OR pk = 'b') AND sk > 'x'"),
            R"(Query [pk = {"S":"a"} AND sk > {"S":"x"}] T; Query [pk = {"S":"b"} AND sk > {"S":"x"}] T)");
  EXPECT_EQ(PlannedWhere("pk = 'a' AND sk IN ['1', '2']"),
            R"(GetItem T {"pk":{"S":"a"},"sk":{"S":"1"}}; GetItem T {"pk":{"S":"a"},"sk":{"S":"2"}})");
  EXPECT_EQ(PlannedWhere("pk = 'a' AND n = 1 OR pk = 'b' AND sk = 'x'"),
            R"(Query [pk = {"S":"a"}] T FILTER n = {"N":"1"}; GetItem T {"pk":{"S":"b"},"sk":{"S":"x"}})");
}

TEST(PlanSelect, AlternativesWithinOnePartition) {
  EXPECT_EQ(PlannedWhere("pk = 'a' AND sk < 'b' OR pk = 'a' AND sk > 'c'"),
            R"(Query [pk = {"S":"a"} AND sk < {"S":"b"}] T; Query [pk = {"S":"a"} AND sk > {"S":"c"}] T)");
  EXPECT_EQ(PlannedWhere("pk = 'a' AND n = 1 OR pk = 'a' AND sk = '2'"),
            "Overlapping conditions with range keys are not supported in where clause");
  EXPECT_EQ(PlannedWhere("pk = 'a' AND NOT sk = '1' OR pk = 'a' AND sk = '2'"),
            R"(Query [pk = {"S":"a"}] T THEN ((pk = {"S":"a"} AND NOT sk = {"S":"1"}) OR )"
            R"((pk = {"S":"a"} AND sk = {"S":"2"})))");
  EXPECT_EQ(Planned("SELECT * FROM H WHERE pk = 'a' AND n = 1 OR pk = 'a' AND n = 2", HashTable()),
            R"(GetItem H {"pk":{"S":"a"}} THEN ((pk = {"S":"a"} AND n = {"N":"1"}) OR )"
            R"((pk = {"S":"a"} AND n = {"N":"2"})))");
}

TEST(PlanSelect, WithoutPartitionKeyAScan) {
  EXPECT_EQ(Planned("SELECT * FROM T"), "Scan T");
  EXPECT_EQ(PlannedWhere("pk > 'a'"), R"(Scan T FILTER pk > {"S":"a"})");
  EXPECT_EQ(PlannedWhere("pk = 'a' OR n = 1"), R"(Scan T FILTER (pk = {"S":"a"} OR n = {"N":"1"}))");
  EXPECT_EQ(Planned("SELECT m.x, n FROM T"), "Scan T PROJECT m, n AS x, n");
  EXPECT_EQ(Planned("SELECT n, m FROM T"), "Scan T PROJECT m, n");
}

TEST(PlanSelect, TooManyReadsBecomeAScan) {
  std::string where;
  for (int i = 0; i <= 100; ++i) where += (i ? " OR pk = '" : "pk = '") + std::to_string(i) + "'";
  EXPECT_TRUE(PlannedWhere(where).starts_with("Scan T FILTER"));
}

TEST(PlanSelect, OrderBy) {
  EXPECT_EQ(PlannedWhere("pk = 'a' ORDER BY sk DESC"), R"(Query [pk = {"S":"a"} DESC] T)");
  EXPECT_EQ(PlannedWhere("pk = 'a' ORDER BY sk"), R"(Query [pk = {"S":"a"}] T)");
  EXPECT_EQ(PlannedWhere("pk = 'a' ORDER BY pk ASC"), R"(Query [pk = {"S":"a"} DESC] T)");
  EXPECT_EQ(PlannedWhere("pk IN ['a', 'b'] ORDER BY pk DESC, sk ASC"),
            R"(Query [pk = {"S":"b"}] T; Query [pk = {"S":"a"}] T)");
  EXPECT_EQ(Planned("SELECT * FROM T ORDER BY sk"),
            "Must have WHERE clause in the statement when using ORDER BY clause.");
  EXPECT_EQ(PlannedWhere("pk = 'a' ORDER BY n"),
            "Attribute n in ORDER BY clause must be part of the primary key");
  EXPECT_EQ(
      PlannedWhere("pk > 'a' ORDER BY sk"),
      "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.");
  EXPECT_EQ(PlannedWhere("pk IN ['a', 'b'] ORDER BY sk"),
            "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE "
            "clause.");
}

TEST(PlanSelect, Indexes) {
  EXPECT_EQ(Planned("SELECT name FROM T.by_city WHERE city = 'x' AND pk = 'a'"),
            R"(Query [city = {"S":"x"}] T.by_city FILTER pk = {"S":"a"} PROJECT name)");
  EXPECT_EQ(Planned("SELECT * FROM T.by_city WHERE pk = 'a'"), R"(Scan T.by_city FILTER pk = {"S":"a"})");
  EXPECT_EQ(Planned("SELECT other FROM T.by_age WHERE pk = 'a' AND age = 1"),
            R"(Query [pk = {"S":"a"} AND age = {"N":"1"}] T.by_age PROJECT other)");
  EXPECT_EQ(Planned("SELECT * FROM T.nope"), "The table does not have the specified index");
  EXPECT_EQ(
      Planned("SELECT z, a.b FROM T.by_city"),
      "One or more parameter values were invalid: Global secondary index by_city does not project [z, a]");
  EXPECT_EQ(Planned("SELECT * FROM T.by_city WHERE city = 'x' AND z = 1"),
            "One or more parameter values were invalid: Secondary index by_city does not project one or more "
            "filter "
            "attributes: [z]");
  EXPECT_EQ(Planned("SELECT * FROM T.by_city", Table(), store::Consistency::kStrong),
            "Strongly consistent read is not supported on Global Secondary Indexes");
  EXPECT_EQ(Planned("SELECT * FROM T.by_age WHERE pk = 'a'", Table(), store::Consistency::kStrong),
            R"(Query [pk = {"S":"a"}] T.by_age)");
}

TEST(PlanSingleRead, OnlyAWholeKeyAndNothingElse) {
  const auto planned = [](std::string_view text) {
    const auto read = PlanSingleRead(std::get<Select>(Parse(text)), Table(), "ExecuteTransaction");
    return read ? Explain(item::AttributeValue(read->key)) : read.error().message;
  };
  constexpr std::string_view kRefused =
      "Select statements within ExecuteTransaction must specify the primary key in the where clause.";
  EXPECT_EQ(planned("SELECT * FROM T WHERE pk IN ['a'] AND pk = 'a' AND sk = 'b'"),
            R"({"M":{"pk":{"S":"a"},"sk":{"S":"b"}}})");
  EXPECT_EQ(planned("SELECT * FROM T WHERE pk = 'a'"), kRefused);
  EXPECT_EQ(planned("SELECT * FROM T"), kRefused);
  EXPECT_EQ(planned("SELECT * FROM T WHERE pk = 'a' AND sk = 'b' AND n = 1"), kRefused);
  EXPECT_EQ(planned("SELECT * FROM T WHERE pk = 'a' AND pk = 'c' AND sk = 'b'"), kRefused);
  EXPECT_EQ(planned("SELECT * FROM T.by_city WHERE pk = 'a' AND sk = 'b'"), kRefused);
}

TEST(PlanWrite, ConditionsComeFromTheRestOfWhere) {
  const auto insert = PlanInsert(std::get<Insert>(Parse("INSERT INTO T VALUE {'pk': 'a'}")), Table());
  EXPECT_EQ(Explain(*insert.condition), "not_exists(pk)");

  const auto update = PlanUpdate(
      std::get<Update>(Parse("UPDATE T SET n = 1 WHERE sk = 'b' AND pk = 'a' AND m = 2 RETURNING ALL NEW *")),
      Table());
  ASSERT_TRUE(update.has_value());
  EXPECT_EQ(Explain(item::AttributeValue(update->key)), R"({"M":{"pk":{"S":"a"},"sk":{"S":"b"}}})");
  EXPECT_EQ(Explain(*update->condition), R"((exists(pk) AND m = {"N":"2"}))");
  EXPECT_EQ(update->return_values, store::ReturnValues::kAllNew);

  const auto deletion =
      PlanDelete(std::get<Delete>(Parse("DELETE FROM T WHERE pk = 'a' AND sk = 'b'")), Table());
  ASSERT_TRUE(deletion.has_value());
  EXPECT_EQ(deletion->condition, nullptr);
  const auto conditional =
      PlanDelete(std::get<Delete>(Parse("DELETE FROM T WHERE pk = 'a' AND sk = 'b' AND m = 2")), Table());
  ASSERT_TRUE(conditional.has_value());
  EXPECT_EQ(Explain(*conditional->condition), R"((not_exists(pk) OR m = {"N":"2"}))");
}

TEST(PlanWrite, KeysMustBeGivenByEquality) {
  constexpr std::string_view kRefused =
      "Where clause does not contain a mandatory equality on all key attributes";
  for (const std::string_view where : {"", " WHERE pk = 'a'", " WHERE pk = 'a' AND sk > 'b'",
                                       " WHERE pk = 'a' OR sk = 'b'", " WHERE pk IN ['a'] AND sk = 'b'"}) {
    const auto update =
        PlanUpdate(std::get<Update>(Parse("UPDATE T SET n = 1" + std::string(where))), Table());
    ASSERT_FALSE(update.has_value()) << where;
    EXPECT_EQ(update.error().message, kRefused) << where;
    const auto deletion = PlanDelete(std::get<Delete>(Parse("DELETE FROM T" + std::string(where))), Table());
    ASSERT_FALSE(deletion.has_value()) << where;
    EXPECT_EQ(deletion.error().message, kRefused) << where;
  }
}

TEST(PlanTransactAction, ExistsChecksOneExistingItem) {
  const auto action = PlanTransactAction(
      Parse("EXISTS(SELECT * FROM T WHERE pk = 'a' AND sk = 'b' AND n IS MISSING)"), Table());
  ASSERT_TRUE(action.has_value());
  EXPECT_EQ(Explain(*std::get<store::ConditionCheck>(action->action).condition),
            "(exists(pk) AND not_exists(n))");
  const auto refused =
      PlanTransactAction(Parse("EXISTS(SELECT * FROM T WHERE pk = 'a' AND sk = 'b')"), Table());
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "EXISTS() must contain a single item read with additional condition");
}

TEST(Shape, NestedValuesAnswerUnderTheirLastName) {
  const Select select = std::get<Select>(Parse("SELECT m.x, l[1], gone FROM T"));
  const item::Item item = {{"m", item::Map{{"x", "deep"}}}, {"l", item::List{"a", "b"}}, {"other", "o"}};
  EXPECT_EQ(Shape(select.columns, item), (item::Item{{"x", "deep"}, {"l[1]", "b"}}));
}

}  // namespace
}  // namespace cairn::partiql
