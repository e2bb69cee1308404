#include "jobs/waiting_jobs.h"

#include <gmock/gmock.h>

namespace cairn::jobs {
namespace {

using testing::ElementsAre;

Job JobOf(std::string user, int due, std::string id = "x") {
  return {.kind = "kind",
          .id = std::move(id),
          .due = Time(std::chrono::seconds(due)),
          .user_id = std::move(user),
          .argument = {}};
}

const auto kAnyone = [](const std::string&) { return true; };

TEST(WaitingJobs, UsersTakeTurnsWhateverTheyHave) {
  WaitingJobs waiting;
  for (int i = 0; i < 100; ++i) waiting.Add(JobOf("mallory", i));
  waiting.Add(JobOf("ada", 1000));
  waiting.Add(JobOf("bob", 2000));
  std::vector<std::string> served;
  for (int i = 0; i < 5; ++i) {
    served.push_back(*waiting.NextUser(kAnyone));
    ASSERT_TRUE(waiting.Take(served.back()));
  }
  EXPECT_THAT(served, ElementsAre("mallory", "ada", "bob", "mallory", "mallory"));
  EXPECT_EQ(waiting.size(), 97u);
}

TEST(WaitingJobs, WhoeverMayNotRunIsPassedOver) {
  WaitingJobs waiting;
  waiting.Add(JobOf("mallory", 1));
  waiting.Add(JobOf("ada", 2));
  const auto not_mallory = [](const std::string& user) { return user != "mallory"; };
  EXPECT_EQ(waiting.NextUser(not_mallory), "ada");
  ASSERT_TRUE(waiting.Take("ada"));
  EXPECT_EQ(waiting.NextUser(not_mallory), std::nullopt);
  EXPECT_FALSE(waiting.empty());
  EXPECT_EQ(waiting.NextUser(kAnyone), "mallory");
}

TEST(WaitingJobs, LongestWaitingOfAUserComesFirstWhicheverShardItIsIn) {
  WaitingJobs waiting;
  for (const int due : {5, 9, 1, 7, 3}) waiting.Add(JobOf("ada", due));
  std::vector<int64_t> moments;
  while (const auto job = waiting.Take("ada")) moments.push_back(EpochSeconds(job->job.due));
  EXPECT_THAT(moments, ElementsAre(1, 3, 5, 7, 9));
}

TEST(WaitingJobs, OneThatWaitsIsNotAddedAgain) {
  WaitingJobs waiting;
  waiting.Add(JobOf("ada", 1, "x"));
  waiting.Add(JobOf("ada", 1, "y"), ReadBeside::kWork);
  waiting.Add(JobOf("ada", 1, "x"), ReadBeside::kWork);
  waiting.Add(JobOf("ada", 2, "x"));
  EXPECT_EQ(waiting.size(), 3u);
  std::vector<std::pair<std::string, bool>> taken;
  while (const auto next = waiting.Take("ada")) taken.emplace_back(next->job.id, next->may_be_done);
  EXPECT_THAT(taken, ElementsAre(std::pair("x", false), std::pair("y", true), std::pair("x", false)));
}

TEST(WaitingJobs, OfAUserOnlyTheFirstAreKept) {
  WaitingJobs waiting;
  const int many = static_cast<int>(kWaitingOfUserMax) + 100;
  for (int i = many; i > 0; --i) waiting.Add(JobOf("mallory", i));
  EXPECT_EQ(waiting.size(), kWaitingOfUserMax);
  EXPECT_EQ(EpochSeconds(waiting.Take("mallory")->job.due), 1);
}

TEST(WaitingJobs, WhoseTurnItIsOutlivesReadingAgain) {
  WaitingJobs waiting;
  for (const char* user : {"ada", "bob", "cy"}) waiting.Add(JobOf(user, 1));
  EXPECT_EQ(waiting.NextUser(kAnyone), "ada");
  waiting.ForgetExcept({"cy"});
  EXPECT_EQ(waiting.size(), 1u);
  for (const char* user : {"ada", "bob"}) waiting.Add(JobOf(user, 1));
  EXPECT_EQ(waiting.NextUser(kAnyone), "bob");
  EXPECT_EQ(waiting.NextUser(kAnyone), "cy");
  EXPECT_EQ(waiting.NextUser(kAnyone), "ada");
}

}  // namespace
}  // namespace cairn::jobs
