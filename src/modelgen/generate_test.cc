#include "modelgen/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/load.h"

namespace cairn::modelgen {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kShop = R"(
format = "cairn-model/1"
name   = "web-shop"
doc    = "Orders."
[enum]
State = ["NEW", "IN_TRANSIT", "done"]
Area  = { values = ["North"], open = true }
[shape.Outer]
inner = "shape:Inner!"
[shape.Inner]
count = "int!"
note  = { type = "string", nullable = true, required = true }
[table.Shop]
name   = "Shop"
pk     = "PK"
sk     = "SK"
discriminate = "key"
tenant = { param = "userId", leading = "U#{userId}", claim = "sub" }
[entity.Order]
doc  = "What somebody wants."
pk   = "U#{userId}"
sk   = "ORDER#{orderId}"
lock = { version = "version" }
[entity.Order.attr]
userId  = "id!"
orderId = { type = "ulid", generate = true }
state   = { type = "enum:State", default = "NEW", doc = "How far it is." }
area    = "enum:Area"
total   = "number!"
parts   = { type = "int", counter = true }
placed  = { type = "instant", auto = "create" }
default = { type = "set<string>", as = "Default" }
outer   = "shape:Outer"
[entity.Line]
pk    = "U#{userId}"
sk    = "LINE#{orderId}#{number:04d}"
write = "once"
[entity.Line.attr]
userId  = { type = "id", required = true, stored = false }
orderId = "ulid!"
number  = { type = "int", required = true, min = 0, max = 9999 }
[entity.Settings]
pk    = "U#{userId}"
sk    = "SETTINGS"
write = "upsert"
[entity.Settings.attr]
userId = { type = "id", required = true, stored = false }
theme  = "string"
[pattern.order]
get = "Order"
pk  = "U#{userId}"
sk  = "ORDER#{orderId}"
[pattern.orders]
doc   = "All of them."
query = ["Order"]
pk    = "U#{userId}"
sk.begins = "ORDER#"
[pattern.everything]
query = ["Order", "Line"]
pk    = "U#{userId}"
all_pages = true
[pattern.orderWithLines]
steps = [
  { get = "Order", pk = "U#{userId}", sk = "ORDER#{orderId}", as = "order" },
  { query = ["Line"], pk = "U#{userId}", sk.begins = "LINE#{order.orderId}#" },
]
)";

model::ModelPtr Load(std::string_view text) {
  auto model = model::ParseModel(text, "models/web-shop.toml");
  if (model) return *std::move(model);
  for (const model::Diagnostic& diagnostic : model.error()) ADD_FAILURE() << ToString(diagnostic);
  return nullptr;
}

class GenerateTest : public testing::Test {
 protected:
  void SetUp() override {
    model_ = Load(kShop);
    ASSERT_TRUE(model_);
    auto generated = Generate(*model_, kShop);
    ASSERT_TRUE(generated);
    generated_ = *std::move(generated);
  }
  const std::string& header() const { return generated_.header; }
  const std::string& source() const { return generated_.source; }

  model::ModelPtr model_;
  Generated generated_;
};

TEST_F(GenerateTest, FilesAndNamespaceAreNamedAfterTheModel) {
  EXPECT_EQ(generated_.name, "web_shop");
  EXPECT_THAT(header(), HasSubstr("namespace cairn::models::web_shop {"));
  EXPECT_THAT(source(), HasSubstr("#include \"models/web_shop.h\""));
  EXPECT_THAT(header(), HasSubstr("kModelHash =\n    \"" + model_->hash + "\";"));
}

TEST_F(GenerateTest, SameModelGivesSameText) {
  const auto again = Generate(*Load(kShop), kShop);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->header, header());
  EXPECT_EQ(again->source, source());
}

TEST_F(GenerateTest, ClosedEnumsAreTypesOpenOnesKnownTexts) {
  EXPECT_THAT(header(), HasSubstr("enum class State { kNew, kInTransit, kDone };"));
  EXPECT_THAT(source(), HasSubstr("kStateTexts[] = {\"NEW\", \"IN_TRANSIT\", \"done\"};"));
  EXPECT_THAT(header(), HasSubstr("static constexpr const char* kNorth = \"North\";"));
}

TEST_F(GenerateTest, ShapesComeBeforeThoseThatContainThem) {
  EXPECT_LT(header().find("struct Inner {"), header().find("struct Outer {"));
  EXPECT_THAT(header(), HasSubstr("  int64_t count{};\n"));
  EXPECT_THAT(header(), HasSubstr("  std::optional<std::string> note;  // null when empty\n"));
  EXPECT_THAT(
      source(),
      HasSubstr(
          "{\"note\", offsetof(Inner, note), typed::kCodec<decltype(Inner::note)>, typed::Null::kWritten},"));
}

TEST_F(GenerateTest, OnlyWhatTheCallerMustGiveIsNotOptional) {
  EXPECT_THAT(header(), HasSubstr("  std::optional<std::string> user_id;  // id; the caller's\n"));
  EXPECT_THAT(header(), HasSubstr("  std::optional<std::string> order_id;  // ulid; generated\n"));
  EXPECT_THAT(header(), HasSubstr("  // How far it is.\n  std::optional<State> state;  // default NEW\n"));
  EXPECT_THAT(header(), HasSubstr("  std::optional<std::string> area;  // Area or another text\n"));
  EXPECT_THAT(header(), HasSubstr("  item::Number total;\n"));
  EXPECT_THAT(header(), HasSubstr("  std::optional<std::string> placed;  // instant; set by every create\n"));
  EXPECT_THAT(header(), HasSubstr("  std::optional<int64_t> version;  // counts the writes\n"));
}

TEST_F(GenerateTest, KeywordsAndStoredNamesAreKeptApart) {
  EXPECT_THAT(header(), HasSubstr("std::optional<typed::Set<std::string>> default_;"));
  EXPECT_THAT(source(), HasSubstr("{\"Default\", offsetof(Order, default_), "));
  EXPECT_THAT(header(), HasSubstr("OrderChanges& SetDefault(const typed::Set<std::string>& value) {"));
}

TEST_F(GenerateTest, KeyHasNoTenant) {
  EXPECT_THAT(header(),
              HasSubstr("struct LineKey {\n  std::string order_id;  // ulid\n  int64_t number{};\n"));
  EXPECT_THAT(header(), Not(HasSubstr("SettingsKey")));
  EXPECT_THAT(header(), HasSubstr("GetSettings(S& session) {"));
}

TEST_F(GenerateTest, ChangesLeaveOutWhatNeverChanges) {
  EXPECT_THAT(header(), Not(HasSubstr("SetOrderId")));
  EXPECT_THAT(header(), Not(HasSubstr("SetUserId")));
  EXPECT_THAT(header(), Not(HasSubstr("SetPlaced")));
  EXPECT_THAT(header(), Not(HasSubstr("SetVersion")));
  EXPECT_THAT(header(), HasSubstr("OrderChanges& SetTotal(const item::Number& value) {"));
  EXPECT_THAT(header(), Not(HasSubstr("ClearTotal")));
}

TEST_F(GenerateTest, CountersAreOnlyAddedTo) {
  EXPECT_THAT(header(), HasSubstr("OrderChanges& AddParts(int64_t amount) {"));
  EXPECT_THAT(header(), Not(HasSubstr("SetParts")));
  EXPECT_THAT(header(), Not(HasSubstr("ClearParts")));
}

TEST_F(GenerateTest, LockIsAnExpectedVersion) {
  EXPECT_THAT(header(), HasSubstr("DeleteOrder(\n    model::Session& session, const OrderKey& key, "
                                  "const std::optional<int64_t>& expected_version = {}) {"));
  EXPECT_THAT(header(), HasSubstr("DeleteLine(model::Session& session, const LineKey& key) {"));
}

TEST_F(GenerateTest, WhatIsWrittenOnceHasNoUpdate) {
  EXPECT_THAT(header(), HasSubstr("CreateLine("));
  EXPECT_THAT(header(), HasSubstr("CreateManyLine("));
  EXPECT_THAT(header(), Not(HasSubstr("UpdateLine(")));
  EXPECT_THAT(header(), Not(HasSubstr("ReplaceLine(")));
  EXPECT_THAT(header(), Not(HasSubstr("CreateManyOrder(")));
}

TEST_F(GenerateTest, PatternsAreFunctions) {
  EXPECT_THAT(header(), HasSubstr("struct OrderParameters {\n  std::string order_id;  // ulid\n"));
  EXPECT_THAT(header(), HasSubstr("::cairn::Task<model::Outcome<std::optional<Order>>> ReadOrder("));
  EXPECT_THAT(header(), HasSubstr("// All of them.\ntemplate <typed::AnySession "
                                  "S>\n::cairn::Task<model::Outcome<typed::Page<Order>>> "
                                  "ReadOrders("));
  EXPECT_THAT(header(), HasSubstr("const typed::PageOptions& options = {}) {"));
  EXPECT_THAT(header(), HasSubstr("using EverythingItem = std::variant<Order, Line>;"));
  EXPECT_THAT(header(), HasSubstr("ReadEverything(S& session) {"));
}

TEST_F(GenerateTest, StepsAreMembersOfTheirPage) {
  EXPECT_THAT(header(), HasSubstr("struct OrderWithLinesPage : typed::Page<Line> {\n"
                                  "  std::optional<Order> order;\n"));
  EXPECT_THAT(source(), HasSubstr("typed::TakeStep(found, \"order\", order)"));
}

TEST_F(GenerateTest, ModelFileIsEmbedded) {
  EXPECT_THAT(source(), HasSubstr("R\"model(" + std::string(kShop)));
}

TEST_F(GenerateTest, LinesFitTheColumns) {
  for (const std::string* text : {&header(), &source()}) {
    const size_t code_end = std::min(text->find("kModelText = "), text->size());
    for (size_t begin = 0; begin < code_end;) {
      const size_t end = text->find('\n', begin);
      EXPECT_LE(end - begin, 110u) << text->substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

// What two things of a model would be called the same is an error with the place of the second one.
void ExpectClash(const std::string& addition, const std::string& message) {
  const std::string text = std::string(kShop) + addition;
  const model::ModelPtr model = Load(text);
  ASSERT_TRUE(model);
  const auto generated = Generate(*model, text);
  ASSERT_FALSE(generated);
  EXPECT_EQ(generated.error().front().message, message);
  EXPECT_EQ(generated.error().front().file, "models/web-shop.toml");
  EXPECT_NE(generated.error().front().where.line, 0u);
}

TEST(GenerateNames, ShapeCalledLikeAKey) {
  ExpectClash("[shape.OrderKey]\na = \"int\"\n",
              "entity Order and shape OrderKey would both be called OrderKey in C++");
}

TEST(GenerateNames, MembersThatDifferInCaseOnly) {
  ExpectClash("[shape.X]\nisNew = \"bool\"\nis_new = \"bool\"\n",
              "member is_new of shape X and member isNew of shape X would both be called is_new in C++");
}

TEST(GenerateNames, PatternsThatDifferInCaseOnly) {
  ExpectClash("[pattern.Orders]\nquery = [\"Order\"]\npk = \"U#{userId}\"\n",
              "pattern Orders and pattern orders would both be called ReadOrders in C++");
}

}  // namespace
}  // namespace cairn::modelgen
