#include "models/values.h"

#include "generated_fixture.h"

namespace cairn::models::values {
namespace {

using testing::ElementsAre;

class ValuesTest : public ModelTest<&LoadModel> {
 protected:
  // A tree of one driver with two actions, and the HEAD that points at it.
  std::string WriteTree(model::Session& session) {
    const ValuesRev rev = Value(CreateValuesRev(session, ValuesRev{.source = RevSource::kWeeklyReview}));
    const std::string rev_id = *rev.rev_id;
    std::vector<ValuesNode> nodes = {
        {.rev_id = rev_id, .node_id = "d", .node_type = NodeType::kDriver, .title = "Health"},
        {.rev_id = rev_id, .node_id = "a", .node_type = NodeType::kAction, .title = "Run", .driver_id = "d"},
        {.rev_id = rev_id,
         .node_id = "b",
         .node_type = NodeType::kAction,
         .title = "Sleep",
         .driver_id = "d"}};
    std::vector<ValuesEdge> edges = {Edge(rev_id, 10, "a"), Edge(rev_id, 2, "b")};
    EXPECT_EQ(Value(CreateManyValuesNode(session, nodes)), 3u);
    EXPECT_EQ(Value(CreateManyValuesEdge(session, edges)), 2u);
    Value(CreateValuesHead(session, ValuesHead{.head_rev_id = rev_id, .head_rev_ts = *rev.rev_ts}));
    Commit(session);
    return rev_id;
  }
  static ValuesEdge Edge(const std::string& rev_id, int64_t order, std::string child) {
    return {.rev_id = rev_id,
            .parent_node_id = "d",
            .order = order,
            .child_node_id = std::move(child),
            .child_node_type = NodeType::kAction};
  }
};

TEST_F(ValuesTest, AttributesOfTheKeyAloneComeBack) {
  auto session = SessionOf("ada");
  const std::string rev_id = WriteTree(session);
  const std::optional<ValuesNode> node = Value(GetValuesNode(session, {.rev_id = rev_id, .node_id = "a"}));
  ASSERT_TRUE(node);
  EXPECT_EQ(node->user_id, "ada");
  EXPECT_EQ(node->rev_id, rev_id);
  EXPECT_EQ(node->node_id, "a");
  EXPECT_EQ(node->title, "Run");
  EXPECT_EQ(node->archived, false);
  const auto raw = Raw({{"PK", "U#ada#VALUES#" + rev_id}, {"SK", "NODE#a"}});
  ASSERT_TRUE(raw);
  EXPECT_FALSE(raw->Contains("nodeId"));
  const std::optional<ValuesEdge> edge = Value(
      GetValuesEdge(session, {.rev_id = rev_id, .parent_node_id = "d", .order = 10, .child_node_id = "a"}));
  ASSERT_TRUE(edge);
  EXPECT_EQ(*edge, Value(GetValuesEdge(session, KeyOf(*edge))));
}

TEST_F(ValuesTest, ChildrenComeInTheirOrder) {
  auto session = SessionOf("ada");
  const std::string rev_id = WriteTree(session);
  std::vector<std::string> children;
  for (const ValuesEdge& edge :
       Value(ReadChildren(session, {.rev_id = rev_id, .parent_node_id = "d"})).items) {
    children.push_back(edge.child_node_id);
  }
  EXPECT_THAT(children, ElementsAre("b", "a"));
}

TEST_F(ValuesTest, StepsGiveTheHeadAndItsTree) {
  auto session = SessionOf("ada");
  CurrentValuesTreePage page = Value(ReadCurrentValuesTree(session));
  EXPECT_EQ(page.head, std::nullopt);
  EXPECT_TRUE(page.items.empty());
  const std::string rev_id = WriteTree(session);
  page = Value(ReadCurrentValuesTree(session));
  ASSERT_TRUE(page.head);
  EXPECT_EQ(page.head->head_rev_id, rev_id);
  size_t nodes = 0, edges = 0;
  for (const CurrentValuesTreeItem& item : page.items) {
    nodes += std::holds_alternative<ValuesNode>(item) ? 1 : 0;
    edges += std::holds_alternative<ValuesEdge>(item) ? 1 : 0;
  }
  EXPECT_EQ(nodes, 3u);
  EXPECT_EQ(edges, 2u);
  EXPECT_FALSE(page.truncated);
  EXPECT_EQ(page.next_cursor, "");
}

TEST_F(ValuesTest, HeadMovesOnlyFromTheRevisionSeen) {
  auto session = SessionOf("ada");
  const std::string rev_id = WriteTree(session);
  const std::string next = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  Staged(UpdateValuesHead(session, ValuesHeadChanges().SetHeadRevId(next), next));
  EXPECT_FALSE(SyncWait(session.Commit()));
  Staged(UpdateValuesHead(session, ValuesHeadChanges().SetHeadRevId(next), rev_id));
  Commit(session);
  EXPECT_EQ(Value(GetValuesHead(session))->head_rev_id, next);
}

TEST_F(ValuesTest, NewestRevisionUpToAMoment) {
  auto session = SessionOf("ada");
  const std::string rev_id = WriteTree(session);
  const auto page = Value(ReadValuesRevAt(session, {.at = "2027-01-15T08:00:00.000Z"}));
  ASSERT_EQ(page.items.size(), 1u);
  EXPECT_EQ(page.items.front().rev_id, rev_id);
  EXPECT_EQ(page.items.front().source, RevSource::kWeeklyReview);
  EXPECT_TRUE(Value(ReadValuesRevAt(session, {.at = "2027-01-15T07:59:59.999Z"})).items.empty());
}

TEST_F(ValuesTest, NamesWithDelimitersAreEscapedInTheKey) {
  auto session = SessionOf("ada");
  const ValuesTag tag{
      .name = "Q1 #1", .rev_id = "01ARZ3NDEKTSV4RRFFQ69G5FAV", .rev_ts = "2027-01-15T08:00:00.000Z"};
  Value(CreateValuesTag(session, tag));
  Commit(session);
  EXPECT_EQ(Value(ReadValuesTag(session, {.name = "Q1 #1"}))->name, "Q1 #1");
}

TEST_F(ValuesTest, SystemErasesInBatches) {
  auto session = SessionOf("ada");
  const std::string rev_id = WriteTree(session);
  std::vector<ValuesNodeKey> keys;
  for (const ValuesNode& node : Value(ReadValuesNodes(session, {.rev_id = rev_id})).items)
    keys.push_back(KeyOf(node));
  EXPECT_EQ(keys.size(), 3u);
  EXPECT_FALSE(SyncWait(DeleteManyValuesNode(session, keys))) << "users delete nothing here";
  model::Session eraser(*database_, model::Caller::SystemFor({{"sub", "ada"}}));
  EXPECT_EQ(Value(DeleteManyValuesNode(eraser, keys)), 3u);
  EXPECT_TRUE(Value(ReadValuesNodes(session, {.rev_id = rev_id})).items.empty());
}

}  // namespace
}  // namespace cairn::models::values
