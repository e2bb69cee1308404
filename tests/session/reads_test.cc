// What a session reads: patterns, pages, cursors, fan-out, and that nobody sees what is not theirs.
#include "board_model_for_test.h"
#include "session_fixture.h"

namespace cairn::model {
namespace {

class Reads : public SessionTest {
 protected:
  void SetUp() override { Start(kBoardModel); }
  void MakeTask(const std::string& user, const std::string& title, Item more = {}) {
    more.Set("title", title);
    const auto task = Create(As(user), "Task", std::move(more));
    ASSERT_TRUE(task) << task.error().error.message;
    clock_.Advance(std::chrono::milliseconds(1));
  }
  std::vector<std::string> Titles(const Outcome<Page>& page) {
    std::vector<std::string> titles;
    EXPECT_TRUE(page) << (page ? "" : page.error().error.message);
    if (!page) return titles;
    for (const Record& record : page->items) titles.push_back(Text(record.Values(), "title"));
    return titles;
  }
  using Names = std::vector<std::string>;
};

TEST_F(Reads, PagesFollowOneAnotherAndEnd) {
  for (int i = 0; i < 7; ++i) MakeTask("ann", "t" + std::to_string(i));
  const auto first = Read(As("ann"), "tasks");
  EXPECT_EQ(Titles(first), (Names{"t0", "t1", "t2"}));
  const auto second = Read(As("ann"), "tasks", {.parameters = {}, .limit = 3, .cursor = first->next_cursor});
  EXPECT_EQ(Titles(second), (Names{"t3", "t4", "t5"}));
  const auto third = Read(As("ann"), "tasks", {.parameters = {}, .limit = 3, .cursor = second->next_cursor});
  EXPECT_EQ(Titles(third), (Names{"t6"}));
  EXPECT_EQ(third->next_cursor, "");
  EXPECT_EQ(Titles(Read(As("ann"), "tasks", {.parameters = {}, .limit = 7})).size(), 7u);
  EXPECT_EQ(Read(As("ann"), "tasks", {.parameters = {}, .limit = 7})->next_cursor, "")
      << "a full last page ends";
  EXPECT_FAILS(Read(As("ann"), "tasks", {.parameters = {}, .limit = 11}), Code::kInvalidArgument, "limit");
}

TEST_F(Reads, APageEndsByBytesAsWellAsByNumber) {
  Names all;
  for (int i = 0; i < 9; ++i) {
    all.push_back("t" + std::to_string(i));
    MakeTask("ann", all.back(), Item{{"reason", std::string(300'000, 'x')}});
  }
  for (const size_t bytes_max : {size_t{1}, size_t{400'000}, kPageBytesMax}) {
    Names seen;
    size_t pages = 0;
    std::string cursor;
    do {
      const auto page =
          Read(As("ann"), "tasks", {.parameters = {}, .limit = 9, .cursor = cursor, .bytes_max = bytes_max});
      ASSERT_TRUE(page);
      ASSERT_FALSE(page->items.empty());
      EXPECT_LT(page->bytes, bytes_max + 310'000) << "the item that reaches it is the last";
      EXPECT_GE(page->bytes, page->items.size() * 300'000);
      for (const std::string& title : Titles(page)) seen.push_back(title);
      cursor = page->next_cursor;
      ++pages;
    } while (!cursor.empty());
    EXPECT_EQ(seen, all);
    EXPECT_GE(pages, 9 * 300'000 / (bytes_max + 310'000));
    EXPECT_GT(pages, 1u);
  }
  const auto whole =
      Read(As("ann"), "tasks", {.parameters = {}, .limit = 9, .cursor = {}, .bytes_max = SIZE_MAX});
  EXPECT_EQ(Titles(whole), all);
  EXPECT_EQ(whole->next_cursor, "");
}

TEST_F(Reads, ACursorBelongsToItsListParametersAndCaller) {
  for (int i = 0; i < 5; ++i) MakeTask("ann", "t" + std::to_string(i));
  for (int i = 0; i < 5; ++i) MakeTask("bob", "b" + std::to_string(i));
  const std::string cursor = Read(As("ann"), "tasks")->next_cursor;
  ASSERT_NE(cursor, "");
  EXPECT_FAILS(Read(As("bob"), "tasks", {.parameters = {}, .limit = 3, .cursor = cursor}),
               Code::kInvalidArgument, "cursor");
  EXPECT_FAILS(Read(As("ann"), "visits", {.parameters = {}, .limit = 3, .cursor = cursor}),
               Code::kInvalidArgument, "cursor");
  for (size_t i = 0; i < cursor.size(); i += 7) {
    std::string forged = cursor;
    forged[i] = forged[i] == 'A' ? 'B' : 'A';
    if (forged == cursor) continue;
    EXPECT_FALSE(Read(As("ann"), "tasks", {.parameters = {}, .limit = 3, .cursor = forged}));
  }
  EXPECT_EQ(cursor.find("USER"), std::string::npos);
  const std::string by_status =
      Read(As("ann"), "byStatus", {.parameters = Item{{"status", "OPEN"}}, .limit = 2})->next_cursor;
  EXPECT_FAILS(
      Read(As("ann"), "byStatus", {.parameters = Item{{"status", "DONE"}}, .limit = 2, .cursor = by_status}),
      Code::kInvalidArgument, "cursor");
}

TEST_F(Reads, UsersWhoseIdsArePrefixesOfOneAnotherNeverMeet) {
  MakeTask("ab", "of ab", Item{{"due", "2027-02-01T10:00:00Z"}});
  MakeTask("abc", "of abc", Item{{"due", "2027-02-01T10:00:00Z"}});
  EXPECT_EQ(Titles(Read(As("ab"), "tasks")), (Names{"of ab"}));
  EXPECT_EQ(Titles(Read(As("abc"), "tasks")), (Names{"of abc"}));
  const Item range{{"from", "2027-01-01"}, {"to", "2027-12-31"}};
  EXPECT_EQ(Titles(Read(As("ab"), "agenda", {.parameters = range})), (Names{"of ab"}));
  EXPECT_EQ(Titles(Read(As("ab"), "byStatus", {.parameters = Item{{"status", "OPEN"}}})), (Names{"of ab"}));
}

TEST_F(Reads, AnothersItemDoesNotExist) {
  MakeTask("ann", "hers");
  const auto page = Read(As("ann"), "tasks");
  const AttributeValue id = *page->items[0].Values().Find("taskId");
  EXPECT_FALSE(Get(As("bob"), "Task", Item{{"taskId", id}}));
  EXPECT_FALSE(Get(As("bob"), "Task", Item{{"taskId", id}, {"userId", "ann"}}));
  EXPECT_FAILS(
      Update(As("bob"), "Task", Item{{"taskId", id}, {"userId", "ann"}}, {.set = Item{{"title", "x"}}}),
      Code::kResourceNotFound, "no such Task");
  EXPECT_FAILS(Create(As("bob"), "Task", Item{{"userId", "ann"}, {"title", "forged"}}),
               Code::kResourceNotFound, "");
}

TEST_F(Reads, AChildPartitionWithoutOwnerShowsOnlyTheCallersItems) {
  ASSERT_TRUE(Create(As("ann"), "Goal", Item{{"goalId", "g1"}, {"name", "n"}}));
  ASSERT_TRUE(Create(As("ann"), "Log", Item{{"goalId", "g1"}, {"value", Number(1)}}));
  const Item range{{"goalId", "g1"}, {"from", "2027-01-01"}, {"to", "2027-01-15"}};
  EXPECT_EQ(Read(As("ann"), "logs", {.parameters = range})->items.size(), 1u) << "the last day is inside";
  EXPECT_EQ(Read(As("bob"), "logs", {.parameters = range})->items.size(), 0u);
  EXPECT_FALSE(Get(As("bob"), "Log", Item{{"goalId", "g1"}, {"at", "2027-01-15T08:00:00.000Z"}}));
}

TEST_F(Reads, AMixedIndexRefusesToInspectTooMuch) {
  for (int i = 0; i < 20; ++i) {
    std::vector<Item> items;
    for (int j = 0; j < 60; ++j) {
      const std::string id = "01ARZ3NDEKTSV4RRFF0000" + std::to_string(1000 + i * 60 + j);
      RawPut(Item{{"PK", "USER#other"},
                  {"SK", "TASK#" + id},
                  {"kind", "TASK"},
                  {"userId", "other"},
                  {"GSI2PK", "STATUS#DONE"},
                  {"GSI2SK", id}});
    }
  }
  EXPECT_FAILS(Read(As("ann"), "byStatus", {.parameters = Item{{"status", "DONE"}}}), Code::kLimitExceeded,
               "more than 1000 items");
  const auto all = Read(Caller::System(), "byStatus", {.parameters = Item{{"status", "DONE"}}, .limit = 10});
  ASSERT_TRUE(all) << all.error().error.message;
  EXPECT_EQ(all->items.size(), 10u);
}

TEST_F(Reads, AgendaFansOutOverYearsInOrderAndLooksBack) {
  MakeTask("ann", "long", Item{{"due", "2026-12-30T10:00:00Z"}, {"end", "2027-01-02T10:00:00Z"}});
  MakeTask("ann", "over", Item{{"due", "2026-12-30T11:00:00Z"}, {"end", "2026-12-31T10:00:00Z"}});
  MakeTask("ann", "instant", Item{{"due", "2026-12-31T23:00:00Z"}});
  MakeTask("ann", "new year", Item{{"due", "2027-01-01T00:00:00Z"}});
  MakeTask("ann", "late", Item{{"due", "2027-01-03T23:59:59Z"}});
  MakeTask("ann", "outside", Item{{"due", "2027-01-04T00:00:00Z"}});
  MakeTask("ann", "backlog", Item{{"due", "2027-01-02T00:00:00Z"}, {"status", "BACKLOG"}});
  const Item week{{"from", "2027-01-01T00:00:00Z"}, {"to", "2027-01-03"}};
  EXPECT_EQ(Titles(Read(As("ann"), "agenda", {.parameters = week})), (Names{"long", "new year", "late"}));
  const Item across{{"from", "2026-12-30"}, {"to", "2027-01-03"}};
  EXPECT_EQ(Titles(Read(As("ann"), "agenda", {.parameters = across})),
            (Names{"long", "over", "instant", "new year", "late"}));
  Names paged;
  std::string cursor;
  for (int i = 0; i < 10; ++i) {
    const auto page = Read(As("ann"), "agenda", {.parameters = across, .limit = 1, .cursor = cursor});
    for (const std::string& title : Titles(page)) paged.push_back(title);
    cursor = page ? page->next_cursor : "";
    if (cursor.empty()) break;
  }
  EXPECT_EQ(paged, (Names{"long", "over", "instant", "new year", "late"}));
  const Item reversed{{"from", "2027-01-03"}, {"to", "2027-01-01"}};
  EXPECT_FALSE(Read(As("ann"), "agenda", {.parameters = reversed})->items.size());
}

TEST_F(Reads, MaxItemsCutsAndSaysSo) {
  ASSERT_TRUE(Create(As("ann"), "Goal", Item{{"goalId", "g1"}, {"name", "n"}}));
  for (int i = 0; i < 8; ++i)
    ASSERT_TRUE(Create(As("ann"), "Log", Item{{"goalId", "g1"}, {"value", Number(i)}}));
  const Item range{{"goalId", "g1"}, {"from", "2027-01-01"}, {"to", "2027-01-31"}};
  const auto page = Read(As("ann"), "logs", {.parameters = range});
  ASSERT_TRUE(page) << page.error().error.message;
  EXPECT_EQ(page->items.size(), 5u);
  EXPECT_TRUE(page->truncated);
  EXPECT_EQ(page->next_cursor, "");
}

TEST_F(Reads, SecretsStayOutOfLists) {
  MakeTask("ann", "t", Item{{"note", "hidden"}});
  const auto page = Read(As("ann"), "tasks");
  EXPECT_FALSE(page->items[0].Values().Contains("note"));
  EXPECT_EQ(Text(*Get(As("ann"), "Task", Item{{"taskId", *page->items[0].Find("taskId")}}), "note"),
            "hidden");
}

TEST_F(Reads, ParametersAreCheckedByName) {
  const auto wrong = Read(As("ann"), "byStatus", {.parameters = Item{{"state", "OPEN"}}});
  EXPECT_FAILS(wrong, Code::kInvalidArgument, "state is not a parameter of byStatus; status is required");
  EXPECT_FAILS(Read(As("ann"), "byStatus", {.parameters = Item{{"status", "NOPE"}}}), Code::kInvalidArgument,
               "must be one of");
  EXPECT_FAILS(Read(As("ann"), "doc", {.parameters = Item{{"docId", "a#b"}}}), Code::kInvalidArgument,
               "docId");
}

TEST_F(Reads, GlobalItemsAreReadByAllAndWrittenByTheSystem) {
  EXPECT_FAILS(Create(As("ann"), "Plan", Item{{"planId", "p"}, {"name", "n"}}), Code::kAccessDenied,
               "system");
  ASSERT_TRUE(Create(Caller::System(), "Plan", Item{{"planId", "p"}, {"name", "n"}}));
  EXPECT_TRUE(Get(As("ann"), "Plan", Item{{"planId", "p"}}));
  EXPECT_EQ(Read(As("ann"), "plan", {.parameters = Item{{"planId", "p"}}})->items.size(), 1u);
}

TEST_F(Reads, ACallerWithoutTheClaimIsRefused) {
  const Caller nobody = Caller::User({{"email", "x@example.com"}});
  EXPECT_FAILS(Read(nobody, "tasks"), Code::kAccessDenied, "claim sub");
  EXPECT_FAILS(Create(nobody, "Goal", Item{{"name", "n"}}), Code::kAccessDenied, "claim sub");
}

TEST_F(Reads, ATableThatDoesNotFitTheModelIsRefused) {
  store::TableDefinition definition;
  definition.name = "board-other";
  definition.key_schema = {{{"id", item::Type::kString}}, {}};
  definition.attribute_definitions = {{"id", item::Type::kString}};
  ASSERT_TRUE(SyncWait(engine_->CreateTable(definition)));
  Database other(LoadOrDie(kBoardModel), *engine_, clock_, random_,
                 {.variables = {{"stage", "other"}}, .retention = {}, .cursor_secret = ""});
  const Status refused = RunHere(other.CreateTables());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("does not fit the model: its primary key is another"),
            std::string::npos);
}

}  // namespace
}  // namespace cairn::model
