#include "domains/nexus/instance_plan.h"

#include <gmock/gmock.h>

#include <random>

namespace cairn::nexus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

data::Master Daily(const char* rule) {
  data::Master master;
  master.master_id = "mst_00000000-0000-4000-8000-000000000001";
  master.title = "daily";
  master.rrule = rule;
  GivenTimes given;
  given.start_local = "2026-11-16T09:00:00";
  given.end_local = "2026-11-16T10:00:00";
  given.tzid = std::optional<std::string>("Europe/Berlin");
  SetTimes(master, *MakeTimes(given));
  master.materialized_from = "2026-11-15T00:00:00Z";
  master.materialized_until = "2026-12-31T00:00:00Z";
  return master;
}

InstancePlan Plan(const data::Master& master, const std::vector<data::Instance>& existing) {
  auto plan = PlanInstances(master, existing, Time());
  EXPECT_TRUE(plan) << (plan ? "" : plan.error().message);
  return plan ? *std::move(plan) : InstancePlan();
}

// As if the plan had been carried out.
std::vector<data::Instance> After(std::vector<data::Instance> existing, const InstancePlan& plan) {
  for (const data::Instance& gone : plan.remove)
    std::erase_if(existing, [&](const data::Instance& one) { return one.instance_id == gone.instance_id; });
  for (const data::Instance& changed : plan.change) {
    for (data::Instance& one : existing) {
      if (one.instance_id == changed.instance_id) one = changed;
    }
  }
  existing.insert(existing.end(), plan.create.begin(), plan.create.end());
  return existing;
}

std::vector<std::string> Originals(const std::vector<data::Instance>& instances) {
  std::vector<std::string> originals;
  for (const data::Instance& instance : instances) originals.push_back(*instance.original_local);
  std::ranges::sort(originals);
  return originals;
}

// As if the law of the zone had been another one when they were made.
TEST(InstancePlan, WhatHasBegunKeepsItsInstants) {
  const data::Master master = Daily("FREQ=DAILY;COUNT=3");
  std::vector<data::Instance> existing = Plan(master, {}).create;
  for (data::Instance& one : existing) {
    one.start_utc[12] = '7';  // an hour earlier than 08:00
    one.end_utc[12] = '8';
    one.version = 1;
  }
  const auto plan = PlanInstances(master, existing, TimeOf("2026-11-17T07:00:00Z"));
  ASSERT_TRUE(plan);
  EXPECT_THAT(Originals(plan->change), ElementsAre("2026-11-18T09:00:00"));
  // Other changes reach them, and leave their instants.
  data::Master other = master;
  other.title = "renamed";
  const auto renamed = PlanInstances(other, existing, TimeOf("2026-11-17T07:00:00Z"));
  ASSERT_TRUE(renamed);
  ASSERT_THAT(renamed->change, SizeIs(3));
  for (const data::Instance& one : renamed->change) {
    EXPECT_EQ(one.title, "renamed");
    const bool has_begun = one.date < "2026-11-18";
    EXPECT_EQ(one.start_utc.substr(11), has_begun ? "07:00:00Z" : "08:00:00Z");
  }
}

TEST(InstancePlan, MakesWhatTheRuleAsksForAndThenNothing) {
  const data::Master master = Daily("FREQ=DAILY;COUNT=3");
  const InstancePlan plan = Plan(master, {});
  EXPECT_THAT(Originals(plan.create),
              ElementsAre("2026-11-16T09:00:00", "2026-11-17T09:00:00", "2026-11-18T09:00:00"));
  EXPECT_TRUE(Plan(master, plan.create).empty());
}

TEST(InstancePlan, ASecondOccurrenceOfADayTellsItsTime) {
  const InstancePlan plan = Plan(Daily("FREQ=DAILY;BYHOUR=9,14;COUNT=3"), {});
  std::vector<std::string> dates;
  for (const data::Instance& instance : plan.create) dates.push_back(instance.date);
  EXPECT_THAT(dates, ElementsAre("2026-11-16", "2026-11-16T140000", "2026-11-17"));
}

TEST(InstancePlan, ChangesReachWhatWasNotEditedOnItsOwn) {
  data::Master master = Daily("FREQ=DAILY;COUNT=3");
  std::vector<data::Instance> existing = Plan(master, {}).create;
  existing[1].title = "mine";
  existing[1].is_exception = true;
  master.title = "renamed";
  const InstancePlan plan = Plan(master, existing);
  EXPECT_THAT(plan.change, SizeIs(2));
  EXPECT_THAT(plan.orphans, IsEmpty());
  EXPECT_THAT(plan.create, IsEmpty());
}

TEST(InstancePlan, ExceptionsWithoutAnOccurrenceAreOrphansAndStay) {
  data::Master master = Daily("FREQ=DAILY;COUNT=4");
  std::vector<data::Instance> existing = Plan(master, {}).create;
  existing[1].is_exception = true;
  master.rrule = "FREQ=DAILY;INTERVAL=2;COUNT=2";
  const InstancePlan plan = Plan(master, existing);
  ASSERT_THAT(plan.orphans, SizeIs(1));
  EXPECT_EQ(plan.orphans[0].instance_id, existing[1].instance_id);
  EXPECT_THAT(Originals(plan.remove), ElementsAre("2026-11-19T09:00:00"));
}

TEST(InstancePlan, CancelledOnesStayAsRecordsUntilTheirDateIsBack) {
  data::Master master = Daily("FREQ=DAILY;COUNT=2");
  std::vector<data::Instance> existing = Plan(master, {}).create;
  existing[0].is_cancelled = true;
  master.exdates = {{"2026-11-16T09:00:00"}};
  EXPECT_TRUE(Plan(master, existing).empty());
  master.exdates.reset();
  const InstancePlan plan = Plan(master, existing);
  ASSERT_THAT(plan.change, SizeIs(1));
  EXPECT_FALSE(*plan.change[0].is_cancelled);
  EXPECT_EQ(plan.change[0].instance_id, existing[0].instance_id);
}

// Whatever edits come one after another: once a plan is carried out there is nothing left to do, no two items
// stand for one occurrence, and no two have the same id.
TEST(InstancePlan, ConvergesUnderRandomEdits) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const char* const rules[] = {"FREQ=DAILY",
                               "FREQ=DAILY;INTERVAL=3",
                               "FREQ=WEEKLY;BYDAY=MO,WE,FR",
                               "FREQ=DAILY;BYHOUR=9,14",
                               "FREQ=MONTHLY;BYMONTHDAY=-1",
                               "FREQ=DAILY;COUNT=9"};
  data::Master master = Daily("FREQ=DAILY");
  std::vector<data::Instance> existing;
  for (int round = 0; round < 200; ++round) {
    switch (random() % 4) {
      case 0:
        master.rrule = rules[random() % std::size(rules)];
        break;
      case 1:
        if (!existing.empty()) existing[random() % existing.size()].is_exception = true;
        break;
      case 2:
        if (!existing.empty()) {
          data::Instance& one = existing[random() % existing.size()];
          one.is_cancelled = true;
          one.is_exception = false;
          if (!master.exdates) master.exdates.emplace();
          master.exdates->push_back(*one.original_local);
        }
        break;
      default:
        master.title = "title " + std::to_string(round);
    }
    const InstancePlan plan = Plan(master, existing);
    existing = After(std::move(existing), plan);
    EXPECT_TRUE(Plan(master, existing).empty()) << "round " << round;
    std::set<std::string> ids, standing;
    for (const data::Instance& one : existing) {
      EXPECT_TRUE(ids.insert(*one.instance_id).second) << "round " << round;
      EXPECT_TRUE(standing.insert(*one.original_local).second) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace cairn::nexus
