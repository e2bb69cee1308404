#include "domains/values/tree/editor.h"

#include <gtest/gtest.h>

#include <variant>

#include "domains/values/tree/operation_steps.h"
#include "domains/values/tree/random_tree_for_test.h"
#include "domains/values/tree/rules.h"
#include "item/random_item_for_test.h"

namespace cairn::values {
namespace {

TEST(TreeEditor, KnowsParentsAndEdgesAfterEveryOperation) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomTrees random(seed);
  for (int round = 0; round < 20; ++round) {
    Tree tree = random.RandomTree(5 + random.Below(25));
    for (int i = 0; i < 40; ++i) {
      TreeEditor editor(tree);
      const Change change = random.NextChange();
      const bool done =
          std::visit([&](const auto& operation) { return Do(editor, operation, change).has_value(); },
                     random.RandomOperation(tree));
      if (!done) continue;
      const ParentsByChild parents = Parents(editor.tree());
      for (const auto& [id, node] : editor.tree().nodes) {
        const auto expected = parents.find(id);
        ASSERT_EQ(editor.ParentsOf(id),
                  expected == parents.end() ? std::vector<std::string>() : expected->second)
            << id;
      }
      ASSERT_EQ(editor.edge_count(), EdgeCount(editor.tree()));
      tree = editor.TakeTree();
    }
  }
}

}  // namespace
}  // namespace cairn::values
