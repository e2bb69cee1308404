// A revision repeats the items of the one before that it leaves as they are. What is stored must be what a
// process reads that knows nothing of it.
#include "domains/values/tree/random_tree_for_test.h"
#include "item/random_item_for_test.h"
#include "values_fixture.h"

namespace cairn::values {
namespace {

class RepeatedItems : public ValuesTest {};

TEST_F(RepeatedItems, EveryRevisionOfARandomHistoryIsStoredWhole) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomTrees random(seed);
  Plant();
  std::map<std::string, values::Tree> expected;
  for (int i = 0; i < 200; ++i) {
    const values::Tree current = *Tree().content;
    CommitTree request;
    request.operations = random.RandomOperations(current, 1 + random.Below(3));
    auto made = RunHere(Commit(*values_, As(kAda), std::move(request), NoWitness<TreeCommitted>()));
    if (i % 20 == 19) {
      EXPECT_TRUE(TryRestore(Restore::kUndo));
    }
    const TreeRepository::State now = Tree();
    expected[now.head->rev_id] = *now.content;
    if (i % 25 == 24) StartProcess();  // then nothing is known of the revision before
  }
  ASSERT_GT(expected.size(), 20u);
  StartProcess();
  model::Session session(*data_, As(kAda));
  for (const auto& [rev_id, tree] : expected) {
    const auto stored = RunHere(TreeKind::ReadSnapshot(session, {}, rev_id));
    ASSERT_TRUE(stored) << rev_id;
    EXPECT_EQ(*stored, tree) << rev_id;
  }
  EXPECT_THAT(Unpublished(), IsEmpty());
}

}  // namespace
}  // namespace cairn::values
