#include "domains/values/live_events.h"

#include <gtest/gtest.h>

#include "model/load.h"
#include "models/values.h"

namespace cairn::values {
namespace {

constexpr std::string_view kRevId = "01JCM3Z4T8Q2V6X0Y7B9C1D3E5";

class LiveEvents : public testing::Test {
 protected:
  std::optional<HeadChanged> Find(std::string pk, std::string sk) const {
    return changes_.Find(item::PackedItem::Pack({{"PK", pk}, {"SK", sk}}));
  }
  static std::string TreeRevision() { return "REV#VALUES#2026-11-16T08:00:00.000Z#" + std::string(kRevId); }
  static std::string PlanRevision() { return "REV#2026-11-16T08:00:00.000Z#" + std::string(kRevId); }

  const model::ModelPtr model_ = models::values::LoadModel();
  const HeadChanges changes_{*model_};
};

rest::Identified User(std::string id) {
  rest::Identified identified;
  identified.user_id = std::move(id);
  return identified;
}

TEST_F(LiveEvents, RevisionOfATreeIsFound) {
  const auto change = Find("U#alice", TreeRevision());
  EXPECT_EQ(change, (HeadChanged{.user_id = "alice", .day = "", .rev_id = std::string(kRevId)}));
  EXPECT_EQ(RoomOf(*change), "values:alice");
  EXPECT_EQ(DataOf(*change), "{\"revId\":\"" + std::string(kRevId) + "\"}");
}

TEST_F(LiveEvents, RevisionOfAPlanIsFound) {
  const auto change = Find("U#alice#PLAN#2026-11-16", PlanRevision());
  EXPECT_EQ(change, (HeadChanged{.user_id = "alice", .day = "2026-11-16", .rev_id = std::string(kRevId)}));
  EXPECT_EQ(RoomOf(*change), "plan:alice:2026-11-16");
}

TEST_F(LiveEvents, UserIdsOfAllKindsAreFound) {
  for (const std::string id : {"PLAN", "a:b", "auth0|5f\\", "alice@cairn.example", "plan:x:2026-11-16"}) {
    SCOPED_TRACE(id);
    const auto of_tree = Find("U#" + id, TreeRevision());
    ASSERT_TRUE(of_tree);
    EXPECT_EQ(of_tree->user_id, id);
    EXPECT_TRUE(MayEnterTreeRoom(User(id), RoomOf(*of_tree)));
    const auto of_plan = Find("U#" + id + "#PLAN#2026-11-16", PlanRevision());
    ASSERT_TRUE(of_plan);
    EXPECT_EQ(of_plan->user_id, id);
    EXPECT_TRUE(MayEnterPlanRoom(User(id), RoomOf(*of_plan)));
  }
}

TEST_F(LiveEvents, OtherItemsTellNothing) {
  const std::string rev(kRevId);
  EXPECT_FALSE(Find("U#alice", "HEAD#VALUES"));
  EXPECT_FALSE(Find("U#alice", "TAG#VALUES#REV"));
  EXPECT_FALSE(Find("U#alice", "SETTINGS"));
  EXPECT_FALSE(Find("U#alice#VALUES#" + rev, "NODE#" + rev));
  EXPECT_FALSE(Find("U#alice#VALUES#" + rev, TreeRevision()));
  EXPECT_FALSE(Find("U#alice#PLAN#2026-11-16", "HEAD"));
  EXPECT_FALSE(Find("U#alice#PLAN#2026-11-16#" + rev, PlanRevision()));
  EXPECT_FALSE(Find("U#alice#PLAN#2026-11-16", TreeRevision()));
  EXPECT_FALSE(Find("U#alice", PlanRevision()));
  EXPECT_FALSE(Find("U#alice", "REV#VALUES#yesterday#" + rev));
  EXPECT_FALSE(Find("U#alice#PLAN#2026-11-31", PlanRevision()));
  EXPECT_FALSE(Find("alice", TreeRevision()));
}

TEST_F(LiveEvents, KeysOfAnotherFormTellNothing) {
  EXPECT_FALSE(changes_.Find(item::PackedItem()));
  EXPECT_FALSE(changes_.Find(item::PackedItem::Pack({{"PK", "U#alice"}, {"SK", *item::Number::Parse("7")}})));
}

TEST(LiveRooms, OwnRoomsOnly) {
  EXPECT_TRUE(MayEnterTreeRoom(User("alice"), "values:alice"));
  EXPECT_FALSE(MayEnterTreeRoom(User("alice"), "values:bob"));
  EXPECT_FALSE(MayEnterTreeRoom(User("alice"), "values:alice2"));
  EXPECT_FALSE(MayEnterTreeRoom(User("alice"), "values:"));
  EXPECT_FALSE(MayEnterTreeRoom(User("alice"), "values"));
  EXPECT_TRUE(MayEnterPlanRoom(User("alice"), "plan:alice:2026-11-16"));
  EXPECT_FALSE(MayEnterPlanRoom(User("alice"), "plan:bob:2026-11-16"));
  EXPECT_FALSE(MayEnterPlanRoom(User("alice"), "plan:alice:b:2026-11-16"));  // of the user "alice:b"
  EXPECT_FALSE(MayEnterPlanRoom(User("alice"), "plan:alice:2026-02-30"));
  EXPECT_FALSE(MayEnterPlanRoom(User("alice"), "plan:alice:"));
  EXPECT_FALSE(MayEnterPlanRoom(User("alice"), "plan:alice"));
}

}  // namespace
}  // namespace cairn::values
