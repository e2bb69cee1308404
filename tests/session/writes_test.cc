// What a session writes: items as any DynamoDB client sees them, locks, guards, counters, time to live.
#include "board_model_for_test.h"
#include "session_fixture.h"

namespace cairn::model {
namespace {

class Writes : public SessionTest {
 protected:
  void SetUp() override { Start(kBoardModel); }
  Item Key(const Item& task) { return Item{{"taskId", *task.Find("taskId")}}; }
  std::optional<Item> RawTask(const std::string& user, const Item& task) {
    return Raw(Item{{"PK", "USER#" + user}, {"SK", "TASK#" + Text(task, "taskId")}});
  }
};

TEST_F(Writes, CreateStoresKeysIndexKeysTypeAndTimes) {
  const auto task = Create(As("ann"), "Task", Item{{"title", "Write"}, {"due", "2027-02-01T10:00:00+02:00"}});
  ASSERT_TRUE(task) << task.error().error.message;
  const auto raw = RawTask("ann", *task);
  ASSERT_TRUE(raw);
  EXPECT_EQ(Text(*raw, "kind"), "TASK");
  EXPECT_EQ(Text(*raw, "userId"), "ann");
  EXPECT_EQ(Text(*raw, "status"), "OPEN");
  EXPECT_EQ(Text(*raw, "due"), "2027-02-01T08:00:00Z");
  EXPECT_EQ(Text(*raw, "createdAt"), "2027-01-15T08:00:00.000Z");
  EXPECT_EQ(Text(*raw, "GSI1PK"), "USER#ann#2027");
  EXPECT_EQ(Text(*raw, "GSI1SK"), "2027-02-01T08:00:00Z");
  EXPECT_EQ(Text(*raw, "GSI2PK"), "STATUS#OPEN");
  EXPECT_EQ(Text(*raw, "GSI2SK"), "2027-01-15T08:00:00.000Z#000");
}

TEST_F(Writes, WrongValuesAreAllNamedAndNothingIsWritten) {
  const auto wrong =
      Create(As("ann"), "Task", Item{{"status", "LATER"}, {"rank", Number(1000)}, {"colour", "red"}});
  ASSERT_FALSE(wrong);
  std::vector<std::string> fields;
  for (const FieldError& field : wrong.error().fields) fields.push_back(field.attribute);
  EXPECT_EQ(fields, (std::vector<std::string>{"colour", "rank", "status", "title"}));
  EXPECT_EQ(RawCount(), 0u);
}

TEST_F(Writes, AnIdWithTheDelimiterIsRefused) {
  EXPECT_FAILS(Create(As("ann"), "Goal", Item{{"goalId", "x#1#y"}, {"name", "n"}}), Code::kInvalidArgument,
               "goalId");
  EXPECT_FAILS(Create(As("a#b"), "Goal", Item{{"name", "n"}}), Code::kInvalidArgument, "userId");
}

TEST_F(Writes, ClearingTheDateLeavesTheSparseIndexInTheSameWrite) {
  const auto task = Create(As("ann"), "Task", Item{{"title", "Write"}, {"due", "2027-02-01T10:00:00Z"}});
  ASSERT_TRUE(Update(As("ann"), "Task", Key(*task), {.set = {}, .remove = {"due"}, .add = {}}));
  const auto raw = RawTask("ann", *task);
  EXPECT_FALSE(raw->Contains("GSI1PK"));
  EXPECT_FALSE(raw->Contains("GSI1SK"));
  EXPECT_EQ(Text(*raw, "GSI2PK"), "STATUS#OPEN");
}

TEST_F(Writes, AnUpdateOfTheRuleAttributeAloneMovesTheItem) {
  const auto task = Create(As("ann"), "Task", Item{{"title", "Write"}, {"due", "2027-02-01T10:00:00Z"}});
  ASSERT_TRUE(Update(As("ann"), "Task", Key(*task), {.set = Item{{"status", "BACKLOG"}}}));
  EXPECT_FALSE(RawTask("ann", *task)->Contains("GSI1PK"));
  EXPECT_EQ(Text(*RawTask("ann", *task), "GSI2PK"), "STATUS#BACKLOG");
  EXPECT_EQ(Text(*RawTask("ann", *task), "GSI2SK"), "2027-01-15T08:00:00.000Z#000");
  ASSERT_TRUE(Update(As("ann"), "Task", Key(*task), {.set = Item{{"status", "DONE"}}}));
  EXPECT_EQ(Text(*RawTask("ann", *task), "GSI1PK"), "USER#ann#2027");
}

TEST_F(Writes, UpdateOfNothingIsNotFound) {
  EXPECT_FAILS(Update(As("ann"), "Task", Item{{"taskId", "01ARZ3NDEKTSV4RRFFQ69G5FAV"}},
                      {.set = Item{{"title", "x"}}}),
               Code::kResourceNotFound, "no such Task");
  EXPECT_EQ(RawCount(), 0u);
}

TEST_F(Writes, UpdateChecksRelatedAttributes) {
  const auto task = Create(As("ann"), "Task", Item{{"title", "w"}, {"due", "2027-02-01T10:00:00Z"}});
  EXPECT_FAILS(Update(As("ann"), "Task", Key(*task), {.set = Item{{"end", "2027-02-01T09:00:00Z"}}}),
               Code::kInvalidArgument, "end must be after due");
  EXPECT_FAILS(
      Update(As("ann"), "Task", Key(*task), {.set = Item{{"createdAt", "2027-02-01T09:00:00.000Z"}}}),
      Code::kInvalidArgument, "createdAt cannot be changed");
  EXPECT_FAILS(Update(As("ann"), "Task", Key(*task), {.set = {}, .remove = {"title"}}),
               Code::kInvalidArgument, "title is required");
}

TEST_F(Writes, AWriteThatChangesNothingWritesNothing) {
  const auto doc = Create(As("ann"), "Doc", Item{{"body", "b"}});
  const Item key{{"docId", *doc->Find("docId")}};
  const auto committed = Update(As("ann"), "Doc", key, {.set = Item{{"body", "b"}}});
  ASSERT_TRUE(committed);
  EXPECT_TRUE(committed->unchanged[0]);
  EXPECT_EQ(*Get(As("ann"), "Doc", key)->Find("version"), AttributeValue(Number(1)));
}

TEST_F(Writes, VersionCountsAndAStaleOneIsRefused) {
  const auto doc = Create(As("ann"), "Doc", Item{{"body", "1"}});
  const Item key{{"docId", *doc->Find("docId")}};
  ASSERT_TRUE(Update(As("ann"), "Doc", key, {.set = Item{{"body", "2"}}}, AttributeValue(Number(1))));
  const auto stale = Update(As("ann"), "Doc", key, {.set = Item{{"body", "3"}}}, AttributeValue(Number(1)));
  EXPECT_FAILS(stale, Code::kConditionFailed, "changed by someone else");
  EXPECT_EQ(stale.error().conflicts[0].kind, ConflictKind::kVersion);
  EXPECT_FAILS(Delete(As("ann"), "Doc", key, AttributeValue(Number(1))), Code::kConditionFailed, "changed");
  EXPECT_EQ(Text(*Get(As("ann"), "Doc", key), "body"), "2");
  ASSERT_TRUE(Delete(As("ann"), "Doc", key, AttributeValue(Number(2))));
  EXPECT_FALSE(Get(As("ann"), "Doc", key));
}

TEST_F(Writes, TheVersionACallerReadIsTheOneItsCommitExpects) {
  const auto doc = Create(As("ann"), "Doc", Item{{"body", "1"}});
  const Item key{{"docId", *doc->Find("docId")}};
  Session session(*database_, As("ann"));
  ASSERT_TRUE(SyncWait(session.Get(E("Doc"), key)));
  ASSERT_TRUE(Update(As("ann"), "Doc", key, {.set = Item{{"body", "other"}}}));
  ASSERT_TRUE(session.Update(E("Doc"), key, {.set = Item{{"body", "mine"}}}));
  EXPECT_FAILS(SyncWait(session.Commit()), Code::kConditionFailed, "changed by someone else");
  EXPECT_EQ(Text(*Get(As("ann"), "Doc", key), "body"), "other");
}

TEST_F(Writes, CompareAndSetOnThePointer) {
  const std::string first = "01ARZ3NDEKTSV4RRFFQ69G5FA1", second = "01ARZ3NDEKTSV4RRFFQ69G5FA2";
  ASSERT_TRUE(Create(As("ann"), "Head", Item{{"rev", first}}));
  EXPECT_FAILS(Create(As("ann"), "Head", Item{{"rev", second}}), Code::kConditionFailed, "exists already");
  EXPECT_FAILS(Update(As("ann"), "Head", {}, {.set = Item{{"rev", second}}}, AttributeValue(second)),
               Code::kConditionFailed, "changed");
  ASSERT_TRUE(Update(As("ann"), "Head", {}, {.set = Item{{"rev", second}}}, AttributeValue(first)));
  EXPECT_EQ(Text(*Get(As("ann"), "Head", {}), "rev"), second);
}

TEST_F(Writes, UniqueValuesAreGuardedPerOwnerAndFreedByChangeAndDelete) {
  const auto a = Create(As("ann"), "Doc", Item{{"slug", "intro"}});
  ASSERT_TRUE(a) << a.error().error.message;
  const auto b = Create(As("ann"), "Doc", Item{{"slug", "intro"}});
  EXPECT_FAILS(b, Code::kConditionFailed, "another Doc has the same userId, slug");
  ASSERT_TRUE(Create(As("bob"), "Doc", Item{{"slug", "intro"}}));
  const Item key{{"docId", *a->Find("docId")}};
  ASSERT_TRUE(Update(As("ann"), "Doc", key, {.set = Item{{"body", "same slug"}}}));
  ASSERT_TRUE(Update(As("ann"), "Doc", key, {.set = Item{{"slug", "start"}}}));
  const auto c = Create(As("ann"), "Doc", Item{{"slug", "intro"}});
  ASSERT_TRUE(c) << c.error().error.message;
  EXPECT_FAILS(Update(As("ann"), "Doc", key, {.set = Item{{"slug", "intro"}}}), Code::kConditionFailed,
               "another Doc");
  EXPECT_EQ(Text(*Get(As("ann"), "Doc", key), "slug"), "start");
  ASSERT_TRUE(Delete(As("ann"), "Doc", Item{{"docId", *c->Find("docId")}}));
  ASSERT_TRUE(Update(As("ann"), "Doc", key, {.set = Item{{"slug", "intro"}}}));
  ASSERT_TRUE(Update(As("ann"), "Doc", key, {.set = {}, .remove = {"slug"}}));
  EXPECT_EQ(RawCount(), 3u);  // two documents and bob's guard
}

TEST_F(Writes, UniqueValueOfAnExpiredItemIsFree) {
  Start(R"(
format = "cairn-model/1"
name = "invitations"
[table.Invitations]
name = "Invitations"
pk = "PK"
sk = "SK"
discriminate = "key"
ttl = "expiresAt"
tenant = { param = "userId", leading = "USER#{userId}", claim = "sub" }
[entity.Invitation]
pk = "USER#{userId}"
sk = "INVITATION#{invitationId}"
unique = [["userId", "code"]]
ttl = { from = "madeAt", after = "PT1H" }
[entity.Invitation.attr]
userId = { type = "id", required = true, stored = false }
invitationId = { type = "ulid", generate = true }
code = { type = "string", required = true, min_length = 1 }
madeAt = { type = "instant", generate = "now" }
)");
  const auto first = Create(As("ann"), "Invitation", Item{{"code", "x"}});
  ASSERT_TRUE(first) << first.error().error.message;
  EXPECT_FAILS(Create(As("ann"), "Invitation", Item{{"code", "x"}}), Code::kConditionFailed, "another");
  clock_.Advance(std::chrono::hours(2));  // expired, and still stored
  const auto second = Create(As("ann"), "Invitation", Item{{"code", "x"}});
  ASSERT_TRUE(second) << second.error().error.message;
  EXPECT_FAILS(Create(As("ann"), "Invitation", Item{{"code", "x"}}), Code::kConditionFailed, "another");
  const Item key{{"invitationId", *second->Find("invitationId")}};
  ASSERT_TRUE(Delete(As("ann"), "Invitation", key));
  ASSERT_TRUE(Create(As("ann"), "Invitation", Item{{"code", "x"}})) << "the guard was the second's";
}

TEST_F(Writes, RequireIfAndTransitionsSeeTheStoredState) {
  const auto doc = Create(As("ann"), "Doc", Item{{"body", "x"}});
  const Item key{{"docId", *doc->Find("docId")}};
  EXPECT_FAILS(Update(As("ann"), "Doc", key, {.set = Item{{"state", "PUBLISHED"}}}), Code::kInvalidArgument,
               "slug is required when");
  ASSERT_TRUE(Update(As("ann"), "Doc", key, {.set = Item{{"state", "PUBLISHED"}, {"slug", "x"}}}));
  EXPECT_FAILS(Update(As("ann"), "Doc", key, {.set = Item{{"state", "DRAFT"}}}), Code::kInvalidArgument,
               "state cannot go from PUBLISHED to DRAFT");
  EXPECT_FAILS(Update(As("ann"), "Doc", key, {.set = {}, .remove = {"slug"}}), Code::kInvalidArgument,
               "slug");
}

TEST_F(Writes, ReplaceRemovesWhatIsNotGiven) {
  const auto task =
      Create(As("ann"), "Task", Item{{"title", "w"}, {"due", "2027-02-01T10:00:00Z"}, {"reason", "because"}});
  Session session(*database_, As("ann"));
  ASSERT_TRUE(session.Replace(E("Task"), Item{{"taskId", *task->Find("taskId")}, {"title", "new"}}));
  const auto committed = SyncWait(session.Commit());
  ASSERT_TRUE(committed) << committed.error().error.message;
  const auto raw = RawTask("ann", *task);
  EXPECT_EQ(Text(*raw, "title"), "new");
  EXPECT_FALSE(raw->Contains("reason"));
  EXPECT_FALSE(raw->Contains("due"));
  EXPECT_FALSE(raw->Contains("GSI1PK"));
  EXPECT_EQ(Text(*raw, "createdAt"), "2027-01-15T08:00:00.000Z");
}

TEST_F(Writes, UpsertKeepsTheFirstCreation) {
  ASSERT_TRUE(Create(As("ann"), "Day", Item{{"date", "2027-01-15"}, {"mood", "low"}}));
  clock_.Advance(std::chrono::hours(1));
  ASSERT_TRUE(Create(As("ann"), "Day", Item{{"date", "2027-01-15"}, {"mood", "high"}}));
  const auto day = Get(As("ann"), "Day", Item{{"date", "2027-01-15"}});
  EXPECT_EQ(Text(*day, "mood"), "high");
  EXPECT_EQ(Text(*day, "createdAt"), "2027-01-15T08:00:00.000Z");
  EXPECT_EQ(Text(*day, "updatedAt"), "2027-01-15T09:00:00.000Z");
  EXPECT_EQ(RawCount(), 1u);
}

TEST_F(Writes, IdempotentCreateOfWhatExistsChangesNothing) {
  ASSERT_TRUE(Create(As("ann"), "Event", Item{{"eventId", "e1"}, {"payload", item::Map{{"n", Number(1)}}}}));
  Session session(*database_, As("ann"));
  ASSERT_TRUE(session.Create(E("Event"), Item{{"eventId", "e1"}, {"payload", item::Map{{"n", Number(2)}}}}));
  ASSERT_TRUE(session.Create(E("Goal"), Item{{"goalId", "g1"}, {"name", "with it"}}));
  const auto committed = SyncWait(session.Commit());
  ASSERT_TRUE(committed) << committed.error().error.message;
  EXPECT_TRUE(committed->unchanged[0]);
  EXPECT_EQ(*Get(As("ann"), "Event", Item{{"eventId", "e1"}})->Find("payload"),
            AttributeValue(item::Map{{"n", Number(1)}}));
  EXPECT_TRUE(Get(As("ann"), "Goal", Item{{"goalId", "g1"}}));
}

TEST_F(Writes, OnceAndAppendAreNeverChanged) {
  ASSERT_TRUE(Create(As("ann"), "Goal", Item{{"goalId", "g1"}, {"name", "n"}}));
  ASSERT_TRUE(Create(As("ann"), "Log", Item{{"goalId", "g1"}, {"value", Number(3)}}));
  const Item key{{"goalId", "g1"}, {"at", "2027-01-15T08:00:00.000Z"}};
  EXPECT_FAILS(Update(As("ann"), "Log", key, {.set = Item{{"value", Number(4)}}}), Code::kInvalidArgument,
               "once");
  EXPECT_FAILS(Delete(As("ann"), "Log", key), Code::kInvalidArgument, "never deleted");
}

TEST_F(Writes, TwoLogsOfOneInstantBothFindAPlace) {
  ASSERT_TRUE(Create(As("ann"), "Goal", Item{{"goalId", "g1"}, {"name", "n"}}));
  for (int i = 0; i < 5; ++i) {
    const auto log = Create(As("ann"), "Log", Item{{"goalId", "g1"}, {"value", Number(i)}});
    ASSERT_TRUE(log) << log.error().error.message;
    EXPECT_EQ(Text(*log, "at"), "2027-01-15T08:00:00.00" + std::to_string(i) + "Z");
  }
  EXPECT_EQ(RawCount(), 6u);
}

TEST_F(Writes, CountersAddAndNeverLeaveTheirBounds) {
  ASSERT_TRUE(Create(As("ann"), "Wallet", Item{{"balance", Number(10)}}));
  ASSERT_TRUE(Update(As("ann"), "Wallet", {}, {.set = {}, .remove = {}, .add = {{"balance", Number(-4)}}}));
  EXPECT_FAILS(Update(As("ann"), "Wallet", {}, {.set = {}, .remove = {}, .add = {{"balance", Number(-7)}}}),
               Code::kInvalidArgument, "balance");
  EXPECT_EQ(*Get(As("ann"), "Wallet", {})->Find("balance"), AttributeValue(Number(6)));
}

TEST_F(Writes, MirrorsFollowTheListInTheSameTransaction) {
  for (const char* id : {"g1", "g2", "g3"}) {
    ASSERT_TRUE(Create(As("ann"), "Goal", Item{{"goalId", id}, {"name", "n"}}));
  }
  const auto task =
      Create(As("ann"), "Task",
             Item{{"title", "w"}, {"goalIds", item::List{AttributeValue("g1"), AttributeValue("g2")}}});
  ASSERT_TRUE(task) << task.error().error.message;
  const auto links = [&](const std::string& goal) {
    const auto page = Read(As("ann"), "goalTasks", {.parameters = Item{{"goalId", goal}}});
    EXPECT_TRUE(page);
    return page ? page->items.size() : 99;
  };
  EXPECT_EQ(links("g1"), 1u);
  EXPECT_EQ(links("g2"), 1u);
  ASSERT_TRUE(Update(As("ann"), "Task", Key(*task),
                     {.set = Item{{"goalIds", item::List{AttributeValue("g2"), AttributeValue("g3")}}}}));
  EXPECT_EQ(links("g1"), 0u);
  EXPECT_EQ(links("g2"), 1u);
  EXPECT_EQ(links("g3"), 1u);
  EXPECT_FAILS(Create(As("ann"), "GoalTask", Item{{"goalId", "g1"}, {"taskId", *task->Find("taskId")}}),
               Code::kInvalidArgument, "kept by Task.goalIds");
  ASSERT_TRUE(Delete(As("ann"), "Task", Key(*task)));
  EXPECT_EQ(links("g2") + links("g3"), 0u);
  EXPECT_EQ(RawCount(), 3u);
}

TEST_F(Writes, ALinkToAnothersParentIsRefused) {
  ASSERT_TRUE(Create(As("bob"), "Goal", Item{{"goalId", "bobs"}, {"name", "n"}}));
  EXPECT_FAILS(
      Create(As("ann"), "Task", Item{{"title", "w"}, {"goalIds", item::List{AttributeValue("bobs")}}}),
      Code::kResourceNotFound, "no such Goal");
  EXPECT_FAILS(Create(As("ann"), "Log", Item{{"goalId", "bobs"}, {"value", Number(1)}}),
               Code::kResourceNotFound, "no such Goal");
  EXPECT_EQ(RawCount(), 1u);
}

TEST_F(Writes, AParentOfTheSameCommitNeedsNoCheck) {
  Session session(*database_, As("ann"));
  ASSERT_TRUE(session.Create(E("Goal"), Item{{"goalId", "g1"}, {"name", "n"}}));
  ASSERT_TRUE(session.Create(E("Log"), Item{{"goalId", "g1"}, {"value", Number(1)}}));
  const auto committed = SyncWait(session.Commit());
  ASSERT_TRUE(committed) << committed.error().error.message;
}

TEST_F(Writes, ATransactionIsAllOrNothingAndNamesWhatFailed) {
  ASSERT_TRUE(Create(As("ann"), "Goal", Item{{"goalId", "g1"}, {"name", "n"}}));
  Session session(*database_, As("ann"));
  ASSERT_TRUE(session.Create(E("Goal"), Item{{"goalId", "g2"}, {"name", "n"}}));
  ASSERT_TRUE(session.Create(E("Goal"), Item{{"goalId", "g1"}, {"name", "n"}}));
  const auto committed = SyncWait(session.Commit());
  EXPECT_FAILS(committed, Code::kConditionFailed, "Goal exists already");
  EXPECT_EQ(Text(committed.error().conflicts[0].key, "SK"), "GOAL#g1");
  EXPECT_EQ(RawCount(), 1u);
}

TEST_F(Writes, MoreThanAHundredItemsAreRefusedBeforeAnyIsWritten) {
  Session session(*database_, As("ann"));
  for (int i = 0; i < 101; ++i) ASSERT_TRUE(session.Create(E("Goal"), Item{{"name", "n"}}));
  EXPECT_FAILS(SyncWait(session.Commit()), Code::kLimitExceeded, "101 items");
  EXPECT_EQ(RawCount(), 0u);
}

TEST_F(Writes, TimeToLiveIsSetMovedAndHidesOnRead) {
  ASSERT_TRUE(Create(As("ann"), "Visit", Item{{"visitId", "v"}, {"seenAt", "2027-01-15T08:00:00Z"}}));
  const auto raw = Raw(Item{{"PK", "USER#ann"}, {"SK", "VISIT#v"}});
  EXPECT_EQ(*raw->Find("ttl"), AttributeValue(Number(1'800'000'000 + 45 * 60)));
  clock_.Advance(std::chrono::minutes(30));
  ASSERT_TRUE(
      Update(As("ann"), "Visit", Item{{"visitId", "v"}}, {.set = Item{{"seenAt", "2027-01-15T08:30:00Z"}}}));
  clock_.Advance(std::chrono::minutes(40));
  EXPECT_TRUE(Get(As("ann"), "Visit", Item{{"visitId", "v"}}));
  clock_.Advance(std::chrono::minutes(5));
  EXPECT_FALSE(Get(As("ann"), "Visit", Item{{"visitId", "v"}}));
  EXPECT_TRUE(Read(As("ann"), "visits")->items.empty());
  EXPECT_FAILS(
      Update(As("ann"), "Visit", Item{{"visitId", "v"}}, {.set = Item{{"seenAt", "2027-01-15T09:30:00Z"}}}),
      Code::kResourceNotFound, "no such Visit");
  EXPECT_TRUE(Create(As("ann"), "Visit", Item{{"visitId", "v"}, {"seenAt", "2027-01-15T09:15:00Z"}}))
      << "an expired item is no obstacle, although the sweep has not come yet";
}

TEST_F(Writes, BatchesWriteSnapshotsAndKeyOnlyAttributesComeBack) {
  std::vector<Item> nodes;
  const std::string rev = "01ARZ3NDEKTSV4RRFFQ69G5FA1";
  for (int i = 0; i < 60; ++i) {
    nodes.push_back(
        Item{{"rev", rev}, {"order", Number(i)}, {"nodeId", "n" + std::to_string(i)}, {"title", "t"}});
  }
  Session session(*database_, As("ann"));
  const auto written = SyncWait(session.CreateMany(E("Node"), nodes));
  ASSERT_TRUE(written) << written.error().error.message;
  EXPECT_EQ(*written, 60u);
  const auto raw = Raw(Item{{"PK", "USER#ann#TREE#" + rev}, {"SK", "NODE#0007#n7"}});
  ASSERT_TRUE(raw);
  EXPECT_FALSE(raw->Contains("nodeId"));
  const auto node = Get(As("ann"), "Node", Item{{"rev", rev}, {"order", Number(7)}, {"nodeId", "n7"}});
  ASSERT_TRUE(node);
  EXPECT_EQ(Text(*node, "nodeId"), "n7");
  EXPECT_EQ(*node->Find("order"), AttributeValue(Number(7)));
  EXPECT_FALSE(SyncWait(session.CreateMany(E("Doc"), {Item{{"body", "b"}}})));
  ASSERT_TRUE(Create(As("ann"), "Head", Item{{"rev", rev}}));
  const auto tree = Read(As("ann"), "tree");
  ASSERT_TRUE(tree) << tree.error().error.message;
  EXPECT_EQ(tree->items.size(), 60u);
  EXPECT_EQ(tree->steps.size(), 1u);
}

TEST_F(Writes, APartitionRepeatsWhatAnotherHas) {
  const auto node = [](const std::string& rev, int number, const std::string& title) {
    return Item{
        {"rev", rev}, {"order", Number(number)}, {"nodeId", "n" + std::to_string(number)}, {"title", title}};
  };
  const std::string first = "01ARZ3NDEKTSV4RRFFQ69G5FA1", second = "01ARZ3NDEKTSV4RRFFQ69G5FA2";
  std::vector<item::PackedItem> before, after;
  Session session(*database_, As("ann"));
  const auto all = SyncWait(
      session.CreateMany(E("Node"),
                         {.partition = Item{{"rev", first}},
                          .known = std::vector<const item::PackedItem*>(40),
                          .written = before},
                         [&](size_t position) { return node(first, static_cast<int>(position), "first"); }));
  ASSERT_TRUE(all) << all.error().error.message;

  std::vector<const item::PackedItem*> known;
  for (const item::PackedItem& item : before) known.push_back(&item);
  known[7] = nullptr;
  const auto repeated = SyncWait(session.CreateMany(
      E("Node"), {.partition = Item{{"rev", second}}, .known = known, .written = after},
      [&](size_t position) { return node(second, static_cast<int>(position), "second"); }));
  ASSERT_TRUE(repeated) << repeated.error().error.message;
  EXPECT_EQ(*repeated, 40u);
  for (int i = 0; i < 40; ++i) {
    const std::string sort_key = "NODE#000" + std::to_string(i) + "#n" + std::to_string(i);
    if (i < 10) {
      const auto raw = Raw(Item{{"PK", "USER#ann#TREE#" + second}, {"SK", sort_key}});
      ASSERT_TRUE(raw);
      EXPECT_EQ(item::PackedItem::Pack(*raw), after[static_cast<size_t>(i)]);
    }
    const auto stored = Get(As("ann"), "Node",
                            Item{{"rev", second}, {"order", Number(i)}, {"nodeId", "n" + std::to_string(i)}});
    ASSERT_TRUE(stored) << i;
    EXPECT_EQ(Text(*stored, "title"), i == 7 ? "second" : "first");
  }
  EXPECT_FAILS(SyncWait(session.CreateMany(E("Visit"), {.partition = {}, .known = {}, .written = after},
                                           [](size_t) { return Item(); })),
               Code::kInvalidArgument, "cannot be");
}

TEST_F(Writes, ATokenMakesARepetitionHarmless) {
  for (int i = 0; i < 3; ++i) {
    Session session(*database_, As("ann"));
    ASSERT_TRUE(session.Create(E("Goal"), Item{{"goalId", "g1"}, {"name", "n"}}));
    EXPECT_TRUE(SyncWait(session.Commit("the-same-token")));
  }
}

}  // namespace
}  // namespace cairn::model
