#include "models/commitcollect.h"

#include "generated_fixture.h"

namespace cairn::models::commitcollect {
namespace {

using testing::ElementsAre;

class CommitCollectTest : public ModelTest<&LoadModel> {
 protected:
  Milestone NewMilestone(model::Session& session) {
    Milestone milestone{
        .model_id = "tower",
        .goal = {.metric = GoalMetric::kDistance, .target = item::Number(100), .start_date = "2027-01-01"},
        .part_count = 12};
    milestone = Value(CreateMilestone(session, milestone));
    Commit(session);
    return milestone;
  }
};

TEST_F(CommitCollectTest, AwardsAreMintedOnce) {
  auto session = SessionOf("ada");
  const Milestone milestone = NewMilestone(session);
  const Award award{.milestone_id = *milestone.milestone_id, .part_index = 10, .model_id = "tower"};
  const Award minted = Value(CreateAward(session, award));
  EXPECT_EQ(minted.awarded_at_utc, 1'800'000'000);
  Commit(session);
  EXPECT_EQ(Value(GetAward(session, KeyOf(award))), minted);
  Value(CreateAward(session, award));
  const auto again = SyncWait(session.Commit());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().conflicts.front().kind, model::ConflictKind::kAlreadyExists);
  Value(
      CreateAward(session, {.milestone_id = *milestone.milestone_id, .part_index = 9, .model_id = "tower"}));
  Commit(session);
  std::vector<int64_t> parts;
  for (const Award& one : Value(ReadAwards(session, {.milestone_id = *milestone.milestone_id})).items) {
    parts.push_back(one.part_index);
  }
  EXPECT_THAT(parts, ElementsAre(9, 10));
}

TEST_F(CommitCollectTest, ShelfHasMilestonesAndAwards) {
  auto session = SessionOf("ada");
  const Milestone milestone = NewMilestone(session);
  Value(
      CreateAward(session, {.milestone_id = *milestone.milestone_id, .part_index = 0, .model_id = "tower"}));
  Commit(session);
  const auto shelf = Value(ReadShelf(session));
  ASSERT_EQ(shelf.items.size(), 2u);
  ASSERT_TRUE(std::holds_alternative<Milestone>(shelf.items[0]));
  EXPECT_EQ(std::get<Milestone>(shelf.items[0]).goal, milestone.goal);
  EXPECT_TRUE(std::holds_alternative<Award>(shelf.items[1]));
}

TEST_F(CommitCollectTest, ProjectionLeavesMembersEmpty) {
  auto system = SystemSession();
  Value(CreateModel(system, Model{.model_id = "tower", .name = "Tower", .part_count = 12}));
  Value(CreateModelCatalogEntry(system, {.model_id = "tower", .name = "Tower"}));
  Value(CreateModelPart(system, {.model_id = "tower", .index = 0, .name = "Base"}));
  Commit(system);
  auto session = SessionOf("ada");
  EXPECT_EQ(Value(ReadModels(session)).items.front().name, "Tower");
  EXPECT_EQ(Value(ReadModel(session, {.model_id = "tower"})).items.size(), 2u);
  EXPECT_EQ(Value(GetModel(session, {.model_id = "tower"}))->part_count, 12);
  // Required attributes that are not asked for are no damage.
  Value(CreateWorkout(session, {.activity_id = "w1", .name = "Run", .timezone = "UTC"}));
  Commit(session);
  const auto workouts = Value(ReadWorkouts(session));
  EXPECT_EQ(workouts.items.front().name, "Run");
  EXPECT_EQ(workouts.items.front().timezone, std::nullopt);
}

TEST_F(CommitCollectTest, SecretsStayOutOfPatterns) {
  auto session = SessionOf("ada");
  Value(CreateStravaConnection(session, {.athlete_id = "7", .access_token = "s3cret"}));
  Commit(session);
  EXPECT_EQ(Value(GetStravaConnection(session))->access_token, "s3cret");
  EXPECT_EQ(Value(ReadStravaConnection(session))->access_token, std::nullopt);
}

TEST_F(CommitCollectTest, KeysOfSeveralTypedParts) {
  auto system = SystemSession();
  const WebhookEvent event{.subscription_id = "s",
                           .object_type = WebhookObject::kActivity,
                           .object_id = "42",
                           .aspect_type = WebhookAspect::kDelete,
                           .event_time = 1'800'000'000};
  const WebhookEvent created = Value(CreateWebhookEvent(system, event));
  Commit(system);
  const std::optional<WebhookEvent> found = Value(GetWebhookEvent(system, KeyOf(event)));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->aspect_type, WebhookAspect::kDelete);
  EXPECT_EQ(found->event_time, 1'800'000'000);
  EXPECT_EQ(found->state, created.state);
}

TEST_F(CommitCollectTest, EntityCalledSessionIsNotTheSession) {
  auto system = SystemSession();
  const Session login{.session_id = "hash", .user_id = "ada", .expires_at_utc = 1'900'000'000};
  Value(CreateSession(system, login));
  Commit(system);
  EXPECT_EQ(Value(ReadSession(system, {.session_id = "hash"}))->user_id, "ada");
}

}  // namespace
}  // namespace cairn::models::commitcollect
