// Updates that need no read: what they set is everything their rules look at, so the rules are checked all
// the same.
#include "session_fixture.h"

namespace cairn::model {
namespace {

constexpr std::string_view kTasks = R"(
format = "cairn-model/1"
name   = "tasks"
[table.t]
name = "Tasks"
pk   = "PK"
sk   = "SK"
discriminate = "key"
tenant = { param = "userId", leading = "U#{userId}", claim = "sub" }
[entity.Task]
pk = "U#{userId}"
sk = "TASK#{taskId}"
require_if = [{ when = "recurring", attrs = ["rule"] }]
[entity.Task.attr]
userId    = { type = "id", required = true, stored = false }
taskId    = "id!"
title     = "string"
recurring = "bool"
rule      = { type = "string", nullable = true }
from      = "date"
to        = { type = "date", after = "from" }
)";

class BlindUpdateTest : public SessionTest {
 protected:
  void SetUp() override {
    Start(kTasks);
    ASSERT_TRUE(Create(As("u"), "Task", {{"taskId", "t"}, {"rule", "daily"}}));
  }
  Outcome<Committed> Change(Changes changes) {
    return Update(As("u"), "Task", {{"taskId", "t"}}, std::move(changes));
  }
  Item Stored() { return *Get(As("u"), "Task", {{"taskId", "t"}}); }
};

TEST_F(BlindUpdateTest, ARuleThatTheChangeBreaksByItselfIsRefused) {
  EXPECT_FAILS(Change({.set = {{"recurring", AttributeValue(true)}}, .remove = {"rule"}, .add = {}}),
               Code::kInvalidArgument, "is required when recurring");
  EXPECT_FAILS(
      Change({.set = {{"recurring", AttributeValue(true)}, {"rule", item::Null{}}}, .remove = {}, .add = {}}),
      Code::kInvalidArgument, "is required when recurring");
  EXPECT_EQ(Text(Stored(), "rule"), "daily");
  EXPECT_FAILS(Change({.set = {{"from", "2026-02-01"}, {"to", "2026-01-01"}}, .remove = {}, .add = {}}),
               Code::kInvalidArgument, "must be after from");
}

TEST_F(BlindUpdateTest, RulesAboutOtherAttributesAreLeftAlone) {
  ASSERT_TRUE(
      Change({.set = {{"recurring", AttributeValue(true)}, {"rule", "weekly"}}, .remove = {}, .add = {}}));
  ASSERT_TRUE(Change({.set = {{"title", "x"}}, .remove = {}, .add = {}}));
  EXPECT_EQ(Text(Stored(), "rule"), "weekly");
  EXPECT_EQ(Text(Stored(), "title"), "x");
}

}  // namespace
}  // namespace cairn::model
