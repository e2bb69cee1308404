#include "dynamodb/leading_keys_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dynamodb/fake_store.h"
#include "dynamodb/item_verbs_for_test.h"
#include "item/random_item_for_test.h"

namespace cairn::dynamodb {
namespace {

using item::Item;
using testing::ElementsAre;
using testing::IsEmpty;

// Every verb of Store has a decision here: without one, LeadingKeysStore would be abstract.
static_assert(!std::is_abstract_v<LeadingKeysStore>);

// A store with the tables App (pk, sk), Log (owner, pk) and Hidden, and an access key that may use U#1 and
// what lies under it in the first two, and in one that does not exist.
class LeadingKeysStoreTest : public testing::Test {
 protected:
  LeadingKeysStoreTest() {
    for (const char* text : {"U#1", "U#1#*"}) {
      limits.patterns.push_back(LeadingKeyPattern::Parse(text).value());
    }
    limits.tables = {"App", "Gone", "Log"};
    AddTable("App", "pk", "sk");
    AddTable("Log", "owner", "pk");
    AddTable("Hidden", "pk", "sk");
    fake.on_describe_table = [this](std::string name) -> Result<store::TableDescription> {
      described.push_back(name);
      if (const auto found = tables.find(name); found != tables.end()) return found->second;
      return Fail(Code::kResourceNotFound, "Requested resource not found: Table: " + name + " not found");
    };
    RecordVerbs(fake, reached);
  }

  void AddTable(const std::string& name, const std::string& partition, const std::string& sort) {
    store::TableDescription table;
    table.definition.name = name;
    table.definition.key_schema = {{{partition}}, {{sort}}};
    table.definition.indexes = {{.name = "local", .key_schema = {{{partition}}, {{"at"}}}},
                                {.name = "global", .key_schema = {{{"status"}}, {{partition}}}},
                                {.name = "own", .key_schema = {{{partition}}, {{"status"}}}},
                                {.name = "both", .key_schema = {{{"status"}, {partition}}, {}}}};
    tables[name] = std::move(table);
  }

  // The code a verb fails with, or none.
  std::optional<Code> Run(const ItemVerb& verb, const std::string& table, std::vector<Item> keys) {
    LeadingKeysStore limited(fake, limits, "AKIA1");
    const Status done = verb.run(limited, table, std::move(keys));
    if (done) return std::nullopt;
    return done.error().code;
  }
  std::optional<Code> RunQuery(store::QueryRequest request) {
    LeadingKeysStore limited(fake, limits, "AKIA1");
    auto page = SyncWait(limited.Query(std::move(request)));
    if (page) return std::nullopt;
    return page.error().code;
  }

  static Item Key(std::string_view partition) { return {{"pk", partition}, {"sk", "x"}}; }

  FakeStore fake;
  LeadingKeys limits;
  std::map<std::string, store::TableDescription> tables;
  std::vector<std::string> described;
  std::vector<Item> reached;  // the keys and items of requests that came through
};

TEST_F(LeadingKeysStoreTest, OwnKeysPass) {
  for (const ItemVerb& verb : kItemVerbs) {
    for (const char* own : {"U#1", "U#1#", "U#1#lists"}) {
      reached.clear();
      EXPECT_EQ(Run(verb, "App", {Key(own)}), std::nullopt) << verb.name << " " << own;
      ASSERT_EQ(reached.size(), 1u) << verb.name;
      EXPECT_EQ(*reached[0].Find("pk"), item::AttributeValue(own)) << verb.name;
    }
  }
}

TEST_F(LeadingKeysStoreTest, OtherKeysAreRefusedBeforeTheStore) {
  for (const ItemVerb& verb : kItemVerbs) {
    for (const std::string_view other : {"U#12", "U#12#lists", "U#", "u#1", "xU#1", "1", " U#1"}) {
      EXPECT_EQ(Run(verb, "App", {Key(other)}), Code::kAccessDenied) << verb.name << " " << other;
    }
  }
  EXPECT_THAT(reached, IsEmpty());
}

TEST_F(LeadingKeysStoreTest, OneOtherKeyRefusesTheWholeRequest) {
  for (const ItemVerb& verb : kItemVerbs) {
    if (verb.keys == ItemVerb::Keys::kOne) continue;
    for (const size_t position : {0, 12, 24}) {
      std::vector<Item> keys;
      for (size_t i = 0; i < 25; ++i) keys.push_back(Key("U#1#" + std::to_string(i)));
      keys[position] = Key("U#12");
      EXPECT_EQ(Run(verb, "App", std::move(keys)), Code::kAccessDenied) << verb.name;
    }
  }
  EXPECT_THAT(reached, IsEmpty());
}

TEST_F(LeadingKeysStoreTest, NoKeysAtAllAreRefused) {
  for (const ItemVerb& verb : kItemVerbs) {
    if (verb.keys == ItemVerb::Keys::kOne) continue;
    EXPECT_EQ(Run(verb, "App", {}), Code::kAccessDenied) << verb.name;
  }
  EXPECT_THAT(reached, IsEmpty());
}

TEST_F(LeadingKeysStoreTest, KeysThatAreMissingOrNoTextAreRefused) {
  for (const ItemVerb& verb : kItemVerbs) {
    if (verb.name == "Query") continue;  // QueryNeedsEquality
    for (const Item& key : {Item{{"sk", "U#1"}}, Item{{"pk", item::Binary{"U#1"}}, {"sk", "x"}},
                            Item{{"pk", item::AttributeValue()}, {"sk", "x"}}, Item()}) {
      EXPECT_EQ(Run(verb, "App", {key}), Code::kAccessDenied) << verb.name;
    }
  }
  EXPECT_THAT(reached, IsEmpty());
}

TEST_F(LeadingKeysStoreTest, EachTableIsJudgedByItsOwnPartitionKey) {
  for (const ItemVerb& verb : kItemVerbs) {
    EXPECT_EQ(Run(verb, "Log", {Item{{"owner", "U#12"}, {"pk", "U#1"}}}), Code::kAccessDenied) << verb.name;
    EXPECT_EQ(Run(verb, "Log", {Item{{"owner", "U#1"}, {"pk", "U#12"}}}), std::nullopt) << verb.name;
  }
  LeadingKeysStore limited(fake, limits, "AKIA1");
  reached.clear();
  store::BatchGetItemRequest batch;
  batch.tables = {{.table = "App", .keys = {Key("U#1")}},
                  {.table = "Log", .keys = {Item{{"owner", "U#12"}, {"pk", "U#1"}}}}};
  EXPECT_EQ(SyncWait(limited.BatchGetItem(batch)).error().code, Code::kAccessDenied);
  EXPECT_THAT(reached, IsEmpty());
}

TEST_F(LeadingKeysStoreTest, ATableMadeAgainIsJudgedByItsNewKey) {
  const Item item = {{"pk", "U#1"}, {"owner", "U#12"}, {"sk", "x"}};
  for (const ItemVerb& verb : kItemVerbs) {
    AddTable("App", "pk", "sk");
    EXPECT_EQ(Run(verb, "App", {item}), std::nullopt) << verb.name;
    AddTable("App", "owner", "sk");
    EXPECT_EQ(Run(verb, "App", {item}), Code::kAccessDenied) << verb.name;
  }
}

TEST_F(LeadingKeysStoreTest, OtherTablesAreNotThere) {
  for (const ItemVerb& verb : kItemVerbs) {
    for (const char* table : {"Hidden", "Nowhere", "Gone"}) {
      LeadingKeysStore limited(fake, limits, "AKIA1");
      const Status done = verb.run(limited, table, {Key("U#1")});
      ASSERT_FALSE(done) << verb.name;
      EXPECT_EQ(done.error().code, Code::kResourceNotFound) << verb.name;
      EXPECT_EQ(done.error().message, "Requested resource not found") << verb.name;
    }
  }
  EXPECT_THAT(reached, IsEmpty());
  EXPECT_THAT(described, testing::Each("Gone")) << "about others the store is not even asked";
}

TEST_F(LeadingKeysStoreTest, ABatchAsksOncePerTable) {
  std::vector<Item> keys(25, Key("U#1"));
  for (const ItemVerb& verb : kItemVerbs) {
    if (verb.keys == ItemVerb::Keys::kOne) continue;
    described.clear();
    EXPECT_EQ(Run(verb, "App", keys), std::nullopt);
    EXPECT_THAT(described, ElementsAre("App")) << verb.name;
  }
}

TEST_F(LeadingKeysStoreTest, FailuresOfTheStoreGoThrough) {
  fake.on_describe_table = [](std::string) { return Fail(Code::kUnavailable, "later"); };
  for (const ItemVerb& verb : kItemVerbs) EXPECT_EQ(Run(verb, "App", {Key("U#1")}), Code::kUnavailable);
}

TEST_F(LeadingKeysStoreTest, ReadersMayNotWrite) {
  limits.access = Access::kRead;
  for (const ItemVerb& verb : kItemVerbs) {
    reached.clear();
    const bool reads = verb.effect == ItemVerb::Effect::kReads;
    EXPECT_EQ(Run(verb, "App", {Key("U#1")}), reads ? std::nullopt : std::optional(Code::kAccessDenied))
        << verb.name;
    EXPECT_EQ(reached.size(), reads ? 1u : 0u) << verb.name;
  }
}

TEST_F(LeadingKeysStoreTest, QueryMayUseIndexesOfItsOwnPartitionOnly) {
  store::QueryRequest query = QueryOf("App", "pk", "U#1");
  for (const char* index : {"local", "own"}) {
    query.index = index;
    EXPECT_EQ(RunQuery(query), std::nullopt) << index;
  }
  reached.clear();
  for (const char* index : {"global", "both", "nowhere"}) {
    query.index = index;
    EXPECT_EQ(RunQuery(query), Code::kAccessDenied) << index;
  }
  query = QueryOf("App", "status", "U#1");
  query.index = "global";
  EXPECT_EQ(RunQuery(query), Code::kAccessDenied) << "an own key in another attribute";
  EXPECT_THAT(reached, IsEmpty());
}

TEST_F(LeadingKeysStoreTest, AnIndexThatIsNamedIsQueriedByItsOwnPartitionKey) {
  limits.indexes = {"global", "both"};
  store::QueryRequest query = QueryOf("App", "status", "U#1#open");
  query.index = "global";
  EXPECT_EQ(RunQuery(query), std::nullopt);
  query.exclusive_start_key = Item{{"status", "U#1#open"}, {"pk", "U#12"}, {"sk", "x"}};
  EXPECT_EQ(RunQuery(query), std::nullopt) << "where an own partition of the index goes on is no secret";
  reached.clear();
  query.exclusive_start_key = Item{{"status", "U#12"}, {"pk", "U#1"}, {"sk", "x"}};
  EXPECT_EQ(RunQuery(query), Code::kAccessDenied);
  query = QueryOf("App", "status", "U#12");
  query.index = "global";
  EXPECT_EQ(RunQuery(query), Code::kAccessDenied);
  query = QueryOf("App", "pk", "U#1");
  query.index = "global";
  EXPECT_EQ(RunQuery(query), Code::kInvalidArgument) << "the sort key alone is no condition";
  query = QueryOf("App", "status", "open");
  query.key_condition.comparisons.push_back({.attribute = "pk", .value = "U#1"});
  query.index = "both";
  EXPECT_EQ(RunQuery(query), Code::kAccessDenied)
      << "the first attribute of a partition key is the leading one";
  query.index = "nowhere";
  EXPECT_EQ(RunQuery(query), Code::kAccessDenied);
  EXPECT_THAT(reached, IsEmpty());
}

TEST_F(LeadingKeysStoreTest, QueryNeedsEquality) {
  using expr::KeyOperator;
  for (const KeyOperator op :
       {KeyOperator::kLess, KeyOperator::kLessOrEqual, KeyOperator::kGreater, KeyOperator::kGreaterOrEqual,
        KeyOperator::kBetween, KeyOperator::kBeginsWith}) {
    store::QueryRequest query = QueryOf("App", "pk", "U#1");
    query.key_condition.comparisons[0].op = op;
    query.key_condition.comparisons[0].high = "U#1";
    EXPECT_EQ(RunQuery(query), Code::kInvalidArgument);
  }
  EXPECT_EQ(RunQuery(QueryOf("App", "sk", "U#1")), Code::kInvalidArgument);
  EXPECT_EQ(RunQuery(store::QueryRequest{{.table = "App"}}), Code::kInvalidArgument);
  store::QueryRequest twice = QueryOf("App", "pk", "U#1");
  twice.key_condition.comparisons.push_back({.attribute = "pk", .value = "U#12"});
  EXPECT_EQ(RunQuery(twice), Code::kInvalidArgument);
  std::ranges::reverse(twice.key_condition.comparisons);
  EXPECT_NE(RunQuery(twice), std::nullopt);
  EXPECT_THAT(reached, IsEmpty());
}

TEST_F(LeadingKeysStoreTest, QueryStartsAtOwnKeysOnly) {
  store::QueryRequest query = QueryOf("App", "pk", "U#1");
  query.exclusive_start_key = Key("U#1");
  EXPECT_EQ(RunQuery(query), std::nullopt);
  reached.clear();
  for (const Item& start : {Key("U#12"), Item{{"sk", "x"}}, Item()}) {
    query.exclusive_start_key = start;
    EXPECT_EQ(RunQuery(query), Code::kAccessDenied);
  }
  EXPECT_THAT(reached, IsEmpty());
}

TEST_F(LeadingKeysStoreTest, ScanAndWholeTablesAreRefused) {
  LeadingKeysStore s(fake, limits, "AKIA1");
  const auto refused = [](auto task) {
    const auto result = SyncWait(std::move(task));
    return !result && result.error().code == Code::kAccessDenied;
  };
  EXPECT_TRUE(refused(s.Scan({{.table = "App"}})));
  EXPECT_TRUE(refused(s.CreateTable({.name = "New"})));
  EXPECT_TRUE(refused(s.UpdateTable({.table = "App"})));
  EXPECT_TRUE(refused(s.DeleteTable("App")));
  EXPECT_TRUE(refused(s.UpdateTimeToLive({.table = "App"})));
  EXPECT_TRUE(refused(s.DescribeTimeToLive("App")));
  EXPECT_TRUE(refused(s.TagTable("App", {{"a", "b"}})));
  EXPECT_TRUE(refused(s.UntagTable("App", {"a"})));
  EXPECT_TRUE(refused(s.ListStreams({.table = "App"})));
  EXPECT_TRUE(refused(s.DescribeStream({"App", "label"})));
  EXPECT_TRUE(refused(s.GetShardPosition({.stream = {"App", "label"}})));
  EXPECT_TRUE(refused(s.GetRecords({.position = {{"App", "label"}, 0}})));
  EXPECT_TRUE(refused(s.CreateBackup({"App", "copy"})));
  EXPECT_TRUE(refused(s.DescribeBackup({"App", "1"})));
  EXPECT_TRUE(refused(s.DeleteBackup({"App", "1"})));
  EXPECT_TRUE(refused(s.ListBackups({.table = "App"})));
  EXPECT_TRUE(refused(s.RestoreTableFromBackup({.backup = {"App", "1"}, .target_table = "New"})));
  EXPECT_THAT(described, IsEmpty());
}

TEST_F(LeadingKeysStoreTest, DescribeTableTellsNothingOfOthers) {
  store::TableDescription& app = tables["App"];
  app.item_count = app.size_bytes = 1000;
  app.indexes = {{.definition = app.definition.indexes[0], .item_count = 500, .size_bytes = 500}};
  app.definition.tags = {{"customer", "someone"}};
  app.restored_from_backup = app.restored_from_table = "Hidden";
  app.restored_at = Time();
  LeadingKeysStore limited(fake, limits, "AKIA1");
  const auto table = SyncWait(limited.DescribeTable("App"));
  ASSERT_TRUE(table);
  EXPECT_EQ(table->definition.key_schema, app.definition.key_schema);
  EXPECT_EQ(table->item_count + table->size_bytes, 0);
  EXPECT_EQ(table->indexes.at(0).item_count + table->indexes.at(0).size_bytes, 0);
  EXPECT_THAT(table->definition.tags, IsEmpty());
  EXPECT_EQ(table->restored_from_backup + table->restored_from_table, "");
  EXPECT_FALSE(table->restored_at);
}

TEST_F(LeadingKeysStoreTest, DescribeTableOfAnotherReadsAsIfThereWereNone) {
  LeadingKeysStore limited(fake, limits, "AKIA1");
  const auto missing = SyncWait(limited.DescribeTable("Gone"));
  const auto hidden = SyncWait(limited.DescribeTable("Hidden"));
  ASSERT_FALSE(missing);
  ASSERT_FALSE(hidden);
  EXPECT_EQ(missing.error().code, Code::kResourceNotFound);
  EXPECT_EQ(hidden.error().code, Code::kResourceNotFound);
  EXPECT_EQ(missing.error().message, "Requested resource not found: Table: Gone not found");
  EXPECT_EQ(hidden.error().message, "Requested resource not found: Table: Hidden not found");
}

TEST_F(LeadingKeysStoreTest, ListTablesNamesThoseOfTheLimitsThatExist) {
  LeadingKeysStore limited(fake, limits, "AKIA1");
  store::ListTablesResponse page = SyncWait(limited.ListTables({})).value();
  EXPECT_THAT(page.names, ElementsAre("App", "Log"));
  EXPECT_EQ(page.last_evaluated_name, "");
  page = SyncWait(limited.ListTables({.limit = 1})).value();
  EXPECT_THAT(page.names, ElementsAre("App"));
  EXPECT_EQ(page.last_evaluated_name, "App");
  page = SyncWait(limited.ListTables({.exclusive_start_name = "App", .limit = 1})).value();
  EXPECT_THAT(page.names, ElementsAre("Log"));
  EXPECT_EQ(page.last_evaluated_name, "");
}

TEST_F(LeadingKeysStoreTest, ClientTokensOfAccessKeysAreKeptApart) {
  std::vector<std::string> tokens;
  fake.on_transact_write_items = [&](store::TransactWriteItemsRequest request) {
    tokens.push_back(request.client_token);
    return store::TransactWriteItemsResponse();
  };
  for (const char* access_key : {"AKIA1", "AKIA12"}) {
    LeadingKeysStore limited(fake, limits, access_key);
    for (const char* token : {"t", ""}) {
      store::TransactWriteItemsRequest request{.client_token = token};
      request.actions.push_back({store::TransactPut{"App", Key("U#1"), nullptr}});
      EXPECT_TRUE(SyncWait(limited.TransactWriteItems(request)));
    }
  }
  EXPECT_THAT(tokens, ElementsAre("AKIA1/t", "", "AKIA12/t", ""));
}

// Users whose names are prefixes of each other, hold separators, are empty or no text.
TEST_F(LeadingKeysStoreTest, RandomRequestsReachOwnKeysOnly) {
  const std::vector<std::string> users = {"",
                                          "a",
                                          "ab",
                                          "a%23b",
                                          "a%2",
                                          "1",
                                          "12",
                                          "\xc3\xa9",
                                          "e\xcc\x81",
                                          "A",
                                          "\xff",
                                          "\xff\xff",
                                          std::string("a\0", 2)};
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  item::RandomItems random(seed);
  const auto key_of = [&](const std::string& user) {
    const std::string rest = random.Below(2) == 0 ? "" : "#" + users[random.Below(users.size())];
    return Key("U#" + user + rest);
  };
  for (int round = 0; round < 3000; ++round) {
    const std::string& own = users[random.Below(users.size())];
    limits.patterns = {LeadingKeyPattern::Parse("U#" + own).value(),
                       LeadingKeyPattern::Parse("U#" + own + "#*").value()};
    const ItemVerb& verb = kItemVerbs[random.Below(std::size(kItemVerbs))];
    std::vector<Item> keys;
    bool all_own = true;
    const uint64_t count = verb.keys == ItemVerb::Keys::kOne ? 1 : 1 + random.Below(4);
    for (uint64_t i = 0; i < count; ++i) {
      const std::string& user = random.Below(3) == 0 ? users[random.Below(users.size())] : own;
      all_own = all_own && user == own;
      keys.push_back(key_of(user));
    }
    reached.clear();
    const auto code = Run(verb, "App", keys);
    ASSERT_EQ(code, all_own ? std::nullopt : std::optional(Code::kAccessDenied))
        << verb.name << " as " << own;
    ASSERT_EQ(reached.size(), all_own ? count : 0) << verb.name << " as " << own;
  }
}

}  // namespace
}  // namespace cairn::dynamodb
