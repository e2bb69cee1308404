// What a described struct gives: reading with an error for every wrong field, JSON, schemas.
#include "rest/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/values.h"
#include "rest/json_object.h"
#include "rest/read_fields.h"
#include "rest/schema.h"
#include "rest/write_fields.h"

namespace cairn::rest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Part {
  std::string name;
  std::optional<int64_t> count;
};
template <class Fields>
void Describe(Fields& fields, Part& part) {
  fields.Name("Part");
  fields.Body("name", part.name, {.min = 1, .max = 5});
  fields.Body("count", part.count, {.min = 0, .max = 9});
}

struct Add {
  static constexpr std::string_view kOp = "add";
  std::string id;
};
template <class Fields>
void Describe(Fields& fields, Add& add) {
  fields.Body("id", add.id, {.kind = model::Kind::kId});
}
struct Drop {
  static constexpr std::string_view kOp = "drop";
  bool all = false;
};
template <class Fields>
void Describe(Fields& fields, Drop& drop) {
  fields.Body("all", drop.all);
}

struct Thing {
  std::string title;
  models::values::NodeType type{};
  std::optional<std::optional<std::string>> notes;
  std::vector<Part> parts;
  std::vector<std::variant<Add, Drop>> operations;
  std::optional<std::string> at;
  bool quick = true;
};
template <class Fields>
void Describe(Fields& fields, Thing& thing) {
  fields.Body("title", thing.title, {.max = 10});
  fields.Body("type", thing.type);
  fields.Body("notes", thing.notes, {.max = 10});
  fields.Body("parts", thing.parts, {.max = 2, .optional = true});
  fields.Body("operations", thing.operations, {.optional = true});
  fields.Body("at", thing.at, {.kind = model::Kind::kInstantMs});
  fields.Body("quick", thing.quick, {.optional = true});
}

std::vector<std::string> Faults(std::string_view json, Thing& thing) {
  const auto object = ParseJsonObject(json);
  EXPECT_TRUE(object) << json;
  std::vector<http::FieldProblem> faults;
  ObjectReader reader(*object, "", faults);
  Describe(reader, thing);
  reader.Finish();
  std::vector<std::string> fields;
  for (const http::FieldProblem& fault : faults) fields.push_back(fault.field);
  return fields;
}
std::vector<std::string> Faults(std::string_view json) {
  Thing thing;
  return Faults(json, thing);
}

TEST(Fields, EverythingIsRead) {
  Thing thing;
  EXPECT_THAT(
      Faults(R"({"title":"a","type":"ACTION","notes":"n","parts":[{"name":"p","count":3},{"name":"q"}],)"
             R"("operations":[{"op":"drop","all":true},{"op":"add","id":"x"}],)"
             R"("at":"2026-11-16T09:00:00.5+01:00","quick":false})",
             thing),
      IsEmpty());
  EXPECT_EQ(thing.type, models::values::NodeType::kAction);
  EXPECT_EQ(thing.notes->value(), "n");
  ASSERT_EQ(thing.parts.size(), 2u);
  EXPECT_EQ(thing.parts[0].count, 3);
  EXPECT_FALSE(thing.parts[1].count);
  ASSERT_EQ(thing.operations.size(), 2u);
  EXPECT_TRUE(std::get<Drop>(thing.operations[0]).all);
  EXPECT_EQ(std::get<Add>(thing.operations[1]).id, "x");
  EXPECT_EQ(thing.at, "2026-11-16T08:00:00.500Z");  // as it is stored
  EXPECT_FALSE(thing.quick);
}

TEST(Fields, LeftOutNullAndAValueAreThreeThings) {
  Thing absent, null;
  EXPECT_THAT(Faults(R"({"title":"a","type":"ACTION"})", absent), IsEmpty());
  EXPECT_FALSE(absent.notes.has_value());
  EXPECT_TRUE(absent.quick);
  EXPECT_THAT(Faults(R"({"title":"a","type":"ACTION","notes":null})", null), IsEmpty());
  ASSERT_TRUE(null.notes.has_value());
  EXPECT_FALSE(null.notes->has_value());
}

TEST(Fields, EveryWrongFieldIsNamed) {
  EXPECT_THAT(Faults(R"({"type":"WISH","notes":7,"parts":[{"name":"","count":10},{"count":"1"}],)"
                     R"("operations":[{"op":"add"},{"op":"fly"},{},{"op":"drop","all":1,"id":"x"}],)"
                     R"("at":"yesterday","quick":null,"extra":1})"),
              ElementsAre("title", "type", "notes", "parts[0].name", "parts[0].count", "parts[1].name",
                          "parts[1].count", "operations[0].id", "operations[1].op", "operations[2].op",
                          "operations[3].all", "operations[3].id", "at", "quick", "extra"));
}

TEST(Fields, LimitsHoldAtTheirEdges) {
  EXPECT_THAT(Faults(R"({"title":"1234567890","type":"ACTION"})"), IsEmpty());
  EXPECT_THAT(Faults(R"({"title":"12345678901","type":"ACTION"})"), ElementsAre("title"));
  EXPECT_THAT(Faults(R"({"title":"é","type":"ACTION","parts":[{"name":"12345"},{"name":"a"}]})"), IsEmpty());
  EXPECT_THAT(Faults(R"({"title":"a","type":"ACTION","parts":[{"name":"a"},{"name":"a"},{"name":"a"}]})"),
              ElementsAre("parts"));
}

TEST(Fields, AnswersLeaveOutWhatIsNotThere) {
  EXPECT_EQ(WriteAnswer(Part{.name = "a\"b", .count = {}}), R"({"name":"a\"b"})");
  EXPECT_EQ(WriteAnswer(Part{.name = "a", .count = 2}), R"({"name":"a","count":2})");
}

TEST(Fields, SchemasSayTheSame) {
  SchemaLibrary library;
  SchemaWriter schema(library);
  Thing thing;
  Describe(schema, thing);
  const std::string text = schema.Finish();
  EXPECT_THAT(text, HasSubstr(R"("required":["title","type"])"));
  EXPECT_THAT(text, HasSubstr(R"("type":{"type":"string","enum":["DRIVER","MILESTONE","ACTION"]})"));
  EXPECT_THAT(text, HasSubstr(R"("notes":{"anyOf":[{"type":"string","maxLength":10},{"type":"null"}]})"));
  EXPECT_THAT(
      text,
      HasSubstr(R"("parts":{"type":"array","items":{"$ref":"#/components/schemas/Part"},"maxItems":2})"));
  EXPECT_THAT(text, HasSubstr(R"("op":{"type":"string","enum":["drop"]})"));
  EXPECT_THAT(library.at("Part"), HasSubstr(R"("additionalProperties":false)"));
}

}  // namespace
}  // namespace cairn::rest
