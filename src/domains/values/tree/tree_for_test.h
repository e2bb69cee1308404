// A small tree, and short ways to change and to ask, for tests of what works on trees.
//
//   d1 Health                          d2 Work
//    +- a1 Walk                         +- m3 Launch
//    +- m1 Marathon                         +- a4 Write
//        +- a2 Shoes
//        +- m2 Base
//        |   +- a3 Run
//        |   +- s1 Sleep
//        +- s1 Sleep            s1 hangs under m2 (its primary parent) and under m1
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "domains/values/tree/operations.h"
#include "domains/values/tree/rules.h"

namespace cairn::values {

using Operations = std::vector<Operation>;

inline constexpr const char* kMade = "2026-03-01T08:00:00.000Z";
inline constexpr const char* kLater = "2026-03-08T08:00:00.000Z";

inline Change ChangeAt(std::string now) {
  return {.now = std::move(now), .new_id = [] { return std::string("new-id"); }};
}

// The tree after the operations; a refusal fails the test and leaves the tree.
inline Tree After(const Tree& tree, const Operations& operations, const std::string& now = kLater) {
  auto applied = Apply(tree, operations, ChangeAt(now));
  if (applied) return std::move(applied->tree);
  ADD_FAILURE() << applied.error().reason << ": " << applied.error().message;
  return tree;
}

// Why the operations are refused: "reason at field"; "applied" when they are not.
inline std::string WhyNot(const Tree& tree, const Operations& operations) {
  const auto applied = Apply(tree, operations, ChangeAt(kLater));
  if (applied) return "applied";
  const Refusal& refusal = applied.error();
  EXPECT_FALSE(refusal.message.empty());
  return refusal.reason + " at " + (refusal.fields.empty() ? "nothing" : refusal.fields[0].field);
}

// Why a tree breaks the rules, likewise; "fine" when it does not.
inline std::string WhyBroken(const Tree& tree) {
  const auto checked = CheckTree(tree);
  if (checked) return "fine";
  const Refusal& refusal = checked.error();
  return refusal.reason + " at " + (refusal.fields.empty() ? "nothing" : refusal.fields[0].field);
}

inline Operation Driver(std::string id, std::string title) {
  return AddNode{.node_id = std::move(id), .type = NodeType::kDriver, .title = std::move(title)};
}
inline Operation Milestone(std::string id, std::string title, std::string parent) {
  return AddNode{.node_id = std::move(id),
                 .type = NodeType::kMilestone,
                 .title = std::move(title),
                 .parent_id = std::move(parent)};
}
inline Operation Action(std::string id, std::string title, std::string parent) {
  return AddNode{.node_id = std::move(id),
                 .type = NodeType::kAction,
                 .title = std::move(title),
                 .parent_id = std::move(parent)};
}

inline Tree SmallTree() {
  const Operations operations = {
      Driver("d1", "Health"),
      Action("a1", "Walk", "d1"),
      Milestone("m1", "Marathon", "d1"),
      Action("a2", "Shoes", "m1"),
      Milestone("m2", "Base", "m1"),
      Action("a3", "Run", "m2"),
      Action("s1", "Sleep", "m2"),
      LinkNode{.parent_id = "m1", .child_id = "s1"},
      Driver("d2", "Work"),
      Milestone("m3", "Launch", "d2"),
      Action("a4", "Write", "m3"),
  };
  return After({}, operations, kMade);
}

}  // namespace cairn::values
