// Defaults hold wherever an attribute has no value: on create, PUT, PATCH null, and in items that are older
// than the attribute. Index keys follow them.
#include "session_fixture.h"

namespace cairn::model {
namespace {

constexpr std::string_view kHead = R"toml(
format = "cairn-model/1"
name = "defaults"
[enum]
Status = ["OPEN", "DONE"]
[table.main]
name = "Defaults"
pk = "PK"
sk = "SK"
type_attr = "kind"
tenant = { param = "userId", leading = "USER#{userId}", claim = "sub" }
index.GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }
index.GSI2 = { pk = "GSI2PK", sk = "GSI2SK", project = ["note"] }
[table.main.common]
userId = "id!"
[entity.Task]
type = "TASK"
pk = "USER#{userId}"
sk = "TASK#{taskId}"
)toml";

constexpr std::string_view kPatterns = R"toml(
[pattern.byStatus]
on = "GSI1"
query = ["Task"]
pk = "USER#{userId}#STATUS#{status}"
[pattern.notes]
on = "GSI2"
query = ["Task"]
pk = "USER#{userId}#NOTES"
[pattern.projected]
query = ["Task"]
pk = "USER#{userId}"
sk.begins = "TASK#"
project = ["note"]
)toml";

std::string ModelText(std::string_view lock) {
  return std::string(kHead) + std::string(lock) + R"toml(
index.GSI1 = { pk = "USER#{userId}#STATUS#{status}", sk = "{priority:02d}" }
index.GSI2 = { pk = "USER#{userId}#NOTES", sk = "{taskId}" }
transitions = { attr = "stage", order = ["a", "b", "c"] }
[entity.Task.attr]
taskId   = "id!"
note     = { type = "string", max_length = 100 }
status   = { type = "enum:Status", required = true, default = "OPEN" }
priority = { type = "int", min = 0, max = 99, default = 3 }
stage    = { type = "string", in = ["a", "b", "c"], default = "b" }
runs     = { type = "int", counter = true, default = 10 }
version  = "int"
)toml" + std::string(kPatterns);
}

class Defaults : public SessionTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override { Start(ModelText(GetParam())); }

  // As the store kept it before these attributes were in the model.
  void PutOld(const std::string& id) {
    RawPut({{"PK", "USER#u"}, {"SK", "TASK#" + id}, {"kind", "TASK"}, {"userId", "u"}, {"taskId", id}});
  }
  Item Key(const std::string& id) const { return {{"taskId", id}}; }
  std::vector<std::string> Open() { return Ids("OPEN"); }
  std::vector<std::string> Ids(const std::string& status) {
    std::vector<std::string> ids;
    auto page = Read(As("u"), "byStatus", {.parameters = {{"status", status}}, .limit = {}, .cursor = ""});
    EXPECT_TRUE(page);
    if (!page) return ids;
    for (const Record& record : page->items) ids.push_back(record.Find("taskId")->string());
    return ids;
  }
};

TEST_P(Defaults, OldItemsAreReadWithThem) {
  PutOld("1");
  const auto task = Get(As("u"), "Task", Key("1"));
  ASSERT_TRUE(task);
  EXPECT_EQ(Text(*task, "status"), "OPEN");
  EXPECT_EQ(*task->Find("priority"), AttributeValue(Number(3)));
}

TEST_P(Defaults, RequiredOneDoesNotMakeOldItemsUnchangeable) {
  PutOld("1");
  const auto changed = Update(As("u"), "Task", Key("1"), {.set = {{"note", "n"}}, .remove = {}, .add = {}});
  ASSERT_TRUE(changed) << changed.error().error.message;
  const auto read =
      Update(As("u"), "Task", Key("1"), {.set = {{"priority", Number(4)}}, .remove = {}, .add = {}});
  ASSERT_TRUE(read) << read.error().error.message;
  EXPECT_EQ(Open(), std::vector<std::string>({"1"}));
  EXPECT_EQ(Text(*Raw({{"PK", "USER#u"}, {"SK", "TASK#1"}}), "status"), "OPEN");
}

TEST_P(Defaults, RemovedMeansDefaultAgain) {
  ASSERT_TRUE(Create(As("u"), "Task", {{"taskId", "1"}, {"status", "DONE"}}));
  EXPECT_EQ(Ids("DONE"), std::vector<std::string>({"1"}));
  const auto removed = Update(As("u"), "Task", Key("1"), {.set = {}, .remove = {"status"}, .add = {}});
  ASSERT_TRUE(removed) << removed.error().error.message;
  EXPECT_EQ(Ids("DONE"), std::vector<std::string>());
  EXPECT_EQ(Open(), std::vector<std::string>({"1"}));
}

TEST_P(Defaults, ReplaceWithoutMeansDefault) {
  ASSERT_TRUE(Create(As("u"), "Task", {{"taskId", "1"}, {"status", "DONE"}, {"priority", Number(9)}}));
  Session session(*database_, As("u"));
  ASSERT_TRUE(session.Replace(E("Task"), {{"taskId", "1"}, {"note", "n"}}));
  const auto committed = SyncWait(session.Commit());
  ASSERT_TRUE(committed) << committed.error().error.message;
  EXPECT_EQ(Text(*committed->values[0], "status"), "OPEN");
  EXPECT_EQ(Open(), std::vector<std::string>({"1"}));
  EXPECT_EQ(*Get(As("u"), "Task", Key("1"))->Find("priority"), AttributeValue(Number(3)));
}

TEST_P(Defaults, TransitionsStartFromThem) {
  PutOld("1");
  EXPECT_FALSE(Update(As("u"), "Task", Key("1"), {.set = {{"stage", "a"}}, .remove = {}, .add = {}}));
  EXPECT_TRUE(Update(As("u"), "Task", Key("1"), {.set = {{"stage", "c"}}, .remove = {}, .add = {}}));
}

TEST_P(Defaults, CountersStartFromThem) {
  PutOld("1");
  const auto counted =
      Update(As("u"), "Task", Key("1"), {.set = {}, .remove = {}, .add = {{"runs", Number(1)}}});
  ASSERT_TRUE(counted) << counted.error().error.message;
  EXPECT_EQ(*Get(As("u"), "Task", Key("1"))->Find("runs"), AttributeValue(Number(11)));
}

TEST_P(Defaults, WhatWasNotReadHasNone) {
  ASSERT_TRUE(Create(As("u"), "Task", {{"taskId", "1"}, {"status", "DONE"}, {"note", "n"}}));
  for (const char* pattern : {"projected", "notes"}) {
    const auto page = Read(As("u"), pattern);
    ASSERT_TRUE(page) << page.error().error.message;
    ASSERT_EQ(page->items.size(), 1u) << pattern;
    EXPECT_EQ(page->items[0].Values().Find("status"), nullptr) << pattern;
    EXPECT_EQ(Text(page->items[0].Values(), "note"), "n") << pattern;
  }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutLock, Defaults,
                         testing::Values("", "lock = { version = \"version\" }"),
                         [](const auto& one) { return one.index == 0 ? "plain" : "locked"; });

}  // namespace
}  // namespace cairn::model
