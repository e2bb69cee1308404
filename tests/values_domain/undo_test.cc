// Undo and redo against the two stacks that every editor has.
#include "values_fixture.h"

namespace cairn::values {
namespace {

class Undo : public ValuesTest {
 protected:
  void SetUp() override {
    ValuesTest::SetUp();
    Plant();
  }
  // The title after the step; "" when it was refused.
  std::string Step(Restore by) {
    const auto stepped = TryRestore(by);
    if (!stepped) {
      EXPECT_EQ(stepped.error().reason, by == Restore::kUndo ? "nothing-to-undo" : "nothing-to-redo");
      return "";
    }
    EXPECT_TRUE(stepped->changed);
    return TitleOf("m");
  }
  std::string Back() { return Step(Restore::kUndo); }
  std::string Forth() { return Step(Restore::kRedo); }
};

TEST_F(Undo, ChainGoesBackAndForth) {
  for (const auto title : {"A", "B", "C", "D"}) Do(kAda, Title("m", title));
  EXPECT_EQ(Back(), "C");
  EXPECT_EQ(Back(), "B");
  EXPECT_EQ(Back(), "A");
  EXPECT_EQ(Forth(), "B");
  EXPECT_EQ(Forth(), "C");
  EXPECT_EQ(Back(), "B");
  Do(kAda, Title("m", "E"));
  EXPECT_EQ(Forth(), "");
  EXPECT_EQ(Back(), "B") << "the edit is undone";
  EXPECT_EQ(Back(), "A") << "and then what it was made on, not the steps before it";
  EXPECT_EQ(Back(), "m");
  EXPECT_EQ(Back(), "");
  for (const auto title : {"A", "B", "E", ""}) EXPECT_EQ(Forth(), title);
}

TEST_F(Undo, RandomChainsAreThoseOfAnEditor) {
  const uint64_t seed = SystemRandom().Next() % 1'000'000;
  SCOPED_TRACE("seed " + std::to_string(seed));
  SeededRandom chance(seed);
  std::vector<std::string> undo, redo;
  std::string now = "m";
  for (int i = 0; i < 150; ++i) {
    const uint64_t what = chance.Next() % 5;
    if (what == 0) {
      undo.push_back(now);
      redo.clear();
      now = "title " + std::to_string(i);
      Do(kAda, Title("m", now));
      continue;
    }
    std::vector<std::string>& from = what < 3 ? undo : redo;
    std::vector<std::string>& to = what < 3 ? redo : undo;
    const std::string expected = from.empty() ? "" : from.back();
    ASSERT_EQ(Step(what < 3 ? Restore::kUndo : Restore::kRedo), expected) << "step " << i;
    if (from.empty()) continue;
    from.pop_back();
    to.push_back(now);
    now = expected;
  }
  const auto log = Log();
  EXPECT_THAT(log, SizeIs(testing::Gt(1)));
}

TEST_F(Undo, EditsThatComeBackToAnOldStateCount) {
  Do(kAda, Title("m", "A"));
  Do(kAda, Title("m", "m"));
  Do(kAda, Title("m", "A"));
  EXPECT_EQ(Back(), "m");
  EXPECT_EQ(Back(), "A");
  EXPECT_EQ(Back(), "m");
  EXPECT_EQ(Back(), "");
  for (const auto title : {"A", "m", "A", ""}) EXPECT_EQ(Forth(), title);
}

TEST_F(Undo, PlanGoesPastCompletions) {
  constexpr auto kDay = "2027-01-15";
  AddTodos(kDay, {"a", "b"});
  for (const auto node : {"a", "b"}) {
    CompleteAction request{.node_id = node, .completed = true, .day = kDay};
    Value(RunHere(Complete(*values_, As(kAda), std::move(request), NoWitness<ActionCompleted>())));
  }
  AddTodos(kDay, {"c"});
  const auto step = [&](Restore by) {
    RestorePlan request{.day = kDay, .by = by};
    const auto stepped =
        RunHere(RestoreRevision(*values_, As(kAda), std::move(request), NoWitness<PlanCommitted>()));
    return stepped && stepped->changed;
  };
  EXPECT_TRUE(step(Restore::kUndo));
  EXPECT_THAT(TodosOf(kDay), ElementsAre("a", "b"));
  EXPECT_TRUE(step(Restore::kUndo));
  EXPECT_THAT(TodosOf(kDay), ElementsAre("a"));
  EXPECT_FALSE(step(Restore::kUndo));
  EXPECT_TRUE(step(Restore::kRedo));
  EXPECT_THAT(TodosOf(kDay), ElementsAre("a", "b"));
  EXPECT_TRUE(step(Restore::kRedo));
  EXPECT_THAT(TodosOf(kDay), ElementsAre("a", "b", "c"));
  EXPECT_FALSE(step(Restore::kRedo));
}

}  // namespace
}  // namespace cairn::values
