// What a model forbids is refused at run time, whether anybody ran the linter or not; and the promises around
// a commit: checks, best effort, configured retention, batches that a busy store takes piece by piece.
#include "dynamodb/fake_store.h"
#include "session_fixture.h"

namespace cairn::model {
namespace {

constexpr std::string_view kGuardedModel = R"toml(
format = "cairn-model/1"
name = "guarded"
[table.Main]
name = "guarded"
pk = "PK"
sk = "SK"
discriminate = "key"
ttl = "ttl"
tenant = { param = "userId", leading = "USER#{userId}", claim = "sub" }
[table.Trail]
name = "guarded-trail"
pk = "PK"
sk = "SK"
discriminate = "key"
best_effort = true
tenant = { param = "userId", leading = "USER#{userId}", claim = "sub" }

[entity.Note]
table = "Main"
pk = "USER#{userId}"
sk = "NOTE#{noteId}"
write = "upsert"
[entity.Note.attr]
userId = "id!"
noteId = "id!"
title = "string"
body = "string"
[entity.Message]
table = "Main"
pk = "USER#{userId}"
sk = "MSG#{messageId}"
ttl = { from = "sentAt", after = "$retention:P30D" }
[entity.Message.attr]
userId = "id!"
messageId = "id!"
sentAt = "instant!"
[entity.Child]
table = "Main"
pk = "NODE#{nodeId}"
sk = "CHILD#{childId}"
[entity.Child.attr]
userId = "id!"
nodeId = "id!"
childId = "id!"
[entity.Event]
table = "Trail"
pk = "USER#{userId}"
sk = "EVENT#{eventId}"
write = "append"
[entity.Event.attr]
userId = "id!"
eventId = "id!"

[pattern.notes]
query = ["Note"]
pk = "USER#{userId}"
sk.begins = "NOTE#"
project = ["noteId", "title"]
limit = { default = 50, max = 100 }
[pattern.note]
get = "Note"
pk = "USER#{userId}"
sk = "NOTE#{noteId}"
project = ["noteId", "title"]
[pattern.wholeNotes]
query = ["Note"]
pk = "USER#{userId}"
sk.begins = "NOTE#"
[pattern.allNotes]
query = ["Note"]
pk = "USER#{userId}"
sk.begins = "NOTE#"
project = ["noteId"]
all_pages = true
[pattern.children]
query = ["Child"]
pk = "NODE#{nodeId}"
sk.begins = "CHILD#"
project = ["childId"]
verify_owner = true

[guard]
page_over = 2
project = "required"
unbounded_pages = "forbid"
)toml";

class Guards : public SessionTest {
 protected:
  void SetUp() override { Start(kGuardedModel); }
  void MakeNotes(int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(Create(As("ann"), "Note",
                         Item{{"noteId", "n" + std::to_string(i)}, {"title", "t"}, {"body", "long text"}}));
    }
  }
};

TEST_F(Guards, PagesNeverExceedTheGuard) {
  MakeNotes(3);
  const auto page = Read(As("ann"), "notes");
  ASSERT_TRUE(page) << page.error().error.message;
  EXPECT_EQ(page->items.size(), 2u) << "the pattern's own default is 50";
  EXPECT_NE(page->next_cursor, "");
  EXPECT_FAILS(Read(As("ann"), "notes", {.parameters = {}, .limit = 3}), Code::kInvalidArgument,
               "limit must be between 1 and 2");
}

TEST_F(Guards, WholeItemsAreRefusedWhereAProjectionIsRequired) {
  EXPECT_FAILS(Read(As("ann"), "wholeNotes"), Code::kLimitExceeded, "requires a projection");
  EXPECT_FAILS(Read(Caller::SystemFor({{"sub", "ann"}}), "wholeNotes"), Code::kLimitExceeded, "projection");
}

TEST_F(Guards, AllPagesWithoutABoundAreRefused) {
  EXPECT_FAILS(Read(As("ann"), "allNotes"), Code::kLimitExceeded, "without max_items");
}

TEST_F(Guards, AProjectedReadReturnsWhatItNames) {
  MakeNotes(1);
  for (const char* pattern : {"notes", "note"}) {
    PageRequest request;
    if (pattern == std::string_view("note")) request.parameters.Set("noteId", "n0");
    const auto page = Read(As("ann"), pattern, request);
    ASSERT_TRUE(page) << page.error().error.message;
    ASSERT_EQ(page->items.size(), 1u) << pattern;
    const Item values = page->items[0].Values();
    EXPECT_EQ(Text(values, "title"), "t") << pattern;
    EXPECT_FALSE(values.Contains("body")) << pattern;
  }
}

// An owner called "" would make every check of owners pass.
TEST_F(Guards, AnEmptyClaimIsNoClaim) {
  ASSERT_TRUE(Create(As("ann"), "Child", Item{{"nodeId", "n"}, {"childId", "c"}}));
  const PageRequest request{.parameters = Item{{"nodeId", "n"}}, .limit = {}, .cursor = ""};
  EXPECT_EQ(Read(As("ann"), "children", request)->items.size(), 1u);
  EXPECT_FAILS(Read(As(""), "children", request), Code::kAccessDenied, "claim sub");
  EXPECT_FAILS(Create(As(""), "Note", Item{{"noteId", "x"}}), Code::kAccessDenied, "claim sub");
}

TEST_F(Guards, ABestEffortWriteNeverFailsWhatItAccompanies) {
  ASSERT_TRUE(Create(As("ann"), "Event", Item{{"eventId", "e1"}}));
  Session session(*database_, As("ann"));
  ASSERT_TRUE(session.Create(E("Event"), Item{{"eventId", "e1"}}));  // is there already
  ASSERT_TRUE(session.Create(E("Note"), Item{{"noteId", "n"}}));
  ASSERT_TRUE(session.Create(E("Event"), Item{{"eventId", "e2"}}));
  const auto committed = SyncWait(session.Commit());
  ASSERT_TRUE(committed) << committed.error().error.message;
  EXPECT_TRUE(Get(As("ann"), "Note", Item{{"noteId", "n"}}));
  EXPECT_TRUE(Get(As("ann"), "Event", Item{{"eventId", "e2"}}));
}

TEST_F(Guards, ABestEffortWriteIsNotMadeForACommitThatFailed) {
  Session session(*database_, As("ann"));
  ASSERT_TRUE(session.Check(E("Note"), Item{{"noteId", "missing"}}));
  ASSERT_TRUE(session.Create(E("Event"), Item{{"eventId", "e1"}}));
  EXPECT_FAILS(SyncWait(session.Commit()), Code::kResourceNotFound, "no such Note");
  EXPECT_FALSE(Get(As("ann"), "Event", Item{{"eventId", "e1"}}));
}

TEST_F(Guards, ACheckThatFailsKeepsEverythingFromBeingWritten) {
  Session session(*database_, As("ann"));
  ASSERT_TRUE(session.Create(E("Note"), Item{{"noteId", "n"}}));
  ASSERT_TRUE(session.Check(E("Note"), Item{{"noteId", "missing"}}));
  EXPECT_FAILS(SyncWait(session.Commit()), Code::kResourceNotFound, "no such Note");
  EXPECT_EQ(RawCount(), 0u);
}

TEST_F(Guards, RetentionIsConfigured) {
  const auto expiry = [&](Database& database) {
    Session session(database, As("ann"));
    const std::string id = "m" + std::to_string(RawCount());
    EXPECT_TRUE(session.Create(E("Message"), Item{{"messageId", id}, {"sentAt", "2027-01-15T08:00:00Z"}}));
    EXPECT_TRUE(SyncWait(session.Commit()));
    return *Raw(Item{{"PK", "USER#ann"}, {"SK", "MSG#" + id}})->Find("ttl");
  };
  EXPECT_EQ(expiry(*database_), AttributeValue(Number(1'800'000'000 + 30 * 86'400)));
  DatabaseOptions options;
  options.retention = {{"retention", std::chrono::hours(24)}};
  ModelPtr model(std::shared_ptr<const void>(), &database_->model());
  Database configured(model, *engine_, clock_, random_, options);
  EXPECT_EQ(expiry(configured), AttributeValue(Number(1'800'000'000 + 86'400)));
}

// A store that is busy takes only some of a batch.
TEST_F(Guards, WhatABusyStoreLeavesOverIsSentAgain) {
  dynamodb::FakeStore busy;
  std::map<std::string, int> taken;
  size_t largest = 0;
  busy.on_batch_write_item = [&](store::BatchWriteItemRequest request) {
    const auto& actions = request.tables.front().actions;
    largest = std::max(largest, actions.size());
    store::BatchWriteItemResponse response;
    response.unprocessed.resize(1);
    for (size_t i = 0; i < actions.size(); ++i) {
      if (i % 3 == 2)
        response.unprocessed.front().push_back(i);
      else
        ++taken[Text(std::get<store::BatchPut>(actions[i]).item, "SK")];
    }
    return response;
  };
  ModelPtr model(std::shared_ptr<const void>(), &database_->model());
  Database database(model, busy, clock_, random_);
  std::vector<Item> notes;
  for (int i = 0; i < 60; ++i) notes.push_back(Item{{"noteId", "n" + std::to_string(i)}});
  Session session(database, As("ann"));
  const auto written = SyncWait(session.CreateMany(database.model().entities.front(), notes));
  ASSERT_TRUE(written) << written.error().error.message;
  EXPECT_EQ(taken.size(), 60u);
  for (const auto& [key, count] : taken) EXPECT_EQ(count, 1) << key;
  EXPECT_LE(largest, 25u);

  busy.on_batch_write_item = [](store::BatchWriteItemRequest request) {
    store::BatchWriteItemResponse response;
    response.unprocessed.resize(1);
    for (size_t i = 0; i < request.tables.front().actions.size(); ++i)
      response.unprocessed.front().push_back(i);
    return response;
  };
  EXPECT_FAILS(SyncWait(session.CreateMany(database.model().entities.front(), notes)), Code::kOverloaded,
               "took only 0 of 60");
}

}  // namespace
// An index that names no owner, of items whose keys alone tell whose they are.
constexpr const char* kSeriesModel = R"toml(
format = "cairn-model/1"
name = "series"
[table.Main]
name = "series"
pk = "PK"
sk = "SK"
discriminate = "key"
tenant = { param = "userId", leading = "USER#{userId}", claim = "sub" }
index.GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }
[entity.Part]
pk = "USER#{userId}"
sk = "PART#{partId}"
index.GSI1 = { pk = "SERIES#{seriesId}", sk = "PART#{partId}", crosses_tenants = true }
[entity.Part.attr]
userId = { type = "id", required = true, stored = false }
partId = "id!"
seriesId = "id!"
[pattern.parts]
on = "GSI1"
query = ["Part"]
pk = "SERIES#{seriesId}"
verify_owner = true
)toml";

class OwnersInKeys : public SessionTest {
 protected:
  void SetUp() override { Start(kSeriesModel); }
};

TEST_F(OwnersInKeys, EveryoneFindsTheirOwnInAPartitionThatNamesNobody) {
  for (const char* user : {"ann", "anna", "bob"}) {
    ASSERT_TRUE(Create(As(user), "Part", Item{{"partId", std::string("of-") + user}, {"seriesId", "s"}}));
  }
  for (const char* user : {"ann", "anna", "bob"}) {
    PageRequest request;
    request.parameters.Set("seriesId", "s");
    const auto page = Read(As(user), "parts", request);
    ASSERT_TRUE(page) << page.error().error.message;
    ASSERT_EQ(page->items.size(), 1u) << user;
    EXPECT_EQ(page->items[0].Values().Find("partId")->string(), std::string("of-") + user);
  }
}

}  // namespace cairn::model
