// Merging lives: a living node needs a living parent. One side may have hung it where the other side archived
// or deleted, and a decision to keep or to delete a node concerns what is above and below it.
#include <algorithm>
#include <utility>

#include "domains/values/tree/index.h"
#include "domains/values/tree/merge_steps.h"

namespace cairn::values {
namespace {

bool LivesIn(const Version& version, const std::string& id) {
  const Node* const node = version.Find(id);
  return node && node->living();
}

class Lives {
 public:
  explicit Lives(Merging& merging) : merging_(merging) {}

  void Run() {
    for (const auto& [id, side] : merging_.life_of) KeepWithOthers(id, side);
    std::vector<std::string> parents_first;
    {
      const TreeIndex index(merging_.merged);
      for (const TreeIndex::Position i : index.ParentsFirst()) parents_first.push_back(index.node(i).id);
    }
    for (const std::string& id : parents_first) {
      if (NeedsParent(id)) House(id);
    }
  }

 private:
  Node& At(const std::string& id) { return merging_.merged.nodes.at(id); }
  const std::vector<std::string>& ParentsOf(const std::string& id) const {
    static const std::vector<std::string> kNone;
    const auto found = merging_.parents.find(id);
    return found == merging_.parents.end() ? kNone : found->second;
  }
  bool IsSettled(const std::string& id) const {
    return merging_.life_of.contains(id) || merging_.life_open.contains(id);
  }

  bool NeedsParent(const std::string& id) {
    const Node& node = At(id);
    if (!node.living() || node.type == NodeType::kDriver) return false;
    return std::ranges::none_of(ParentsOf(id),
                                [this](const std::string& parent) { return At(parent).living(); });
  }

  // After a decision for the side where `id` lives: with it lives what the other side sent away together with
  // it, and the parents that it needs.
  void KeepWithOthers(const std::string& id, Side side) {
    if (!At(id).living()) return;
    KeepBelow(id, merging_.Of(side), merging_.Of(Other(side)));
    KeepAbove(id, merging_.Of(side));
  }

  void KeepBelow(const std::string& id, const Version& living, const Version& away) {
    const Node* const sent_away = away.Find(id);
    if (sent_away == nullptr || sent_away->living()) return;
    std::vector<std::string> open = {id};
    while (!open.empty()) {
      const std::string next = std::move(open.back());
      open.pop_back();
      for (const std::string& child : away.ChildrenOf(next)) {
        const auto merged = merging_.merged.nodes.find(child);
        if (merged == merging_.merged.nodes.end() || merged->second.living() || IsSettled(child)) continue;
        if (!SameLife(*away.Find(child), *sent_away) || !LivesIn(living, child)) continue;
        TakeLife(*living.Find(child), merged->second);
        open.push_back(child);
      }
    }
  }

  void KeepAbove(const std::string& id, const Version& living) {
    std::vector<std::string> open = {id};
    while (!open.empty()) {
      const std::string next = std::move(open.back());
      open.pop_back();
      if (!NeedsParent(next)) continue;
      for (const std::string& parent : ParentsOf(next)) {
        if (IsSettled(parent) || !LivesIn(living, parent)) continue;
        TakeLife(*living.Find(parent), At(parent));
        open.push_back(parent);
      }
    }
  }

  // A living node under nothing that lives: whether its parents are to live is the question, unless it has
  // been answered.
  void House(const std::string& id) {
    if (IsSettled(id)) return;  // the question is open, or the answers contradict each other: CheckTree tells
    const Node* decided = nullptr;
    bool asked = false;
    for (const std::string& parent : ParentsOf(id)) {
      if (!merging_.life_of.contains(parent) && !Ask(parent)) continue;
      asked = asked || merging_.life_open.contains(parent);
      if (merging_.life_of.contains(parent)) decided = &At(parent);
      if (decided && decided->living()) return;
    }
    if (asked) return;
    if (decided) {
      TakeLife(*decided, At(id));
      merging_.life_of.emplace(id, merging_.life_of.at(decided->id));
      return;
    }
    Ask(id);
  }

  // Takes the answer of a resolution, or opens the conflict and lets the node live until then. False where
  // the sides agree, so that there is nothing to ask.
  bool Ask(const std::string& id) {
    const Node* const theirs = merging_.theirs.Find(id);
    const Node* const mine = merging_.mine.Find(id);
    if (!theirs || !mine || theirs->living() == mine->living()) return false;
    if (const std::optional<Side> choice = LifeChoice(merging_, id)) {
      merging_.life_of.emplace(id, *choice);
      TakeLife(*merging_.Of(*choice).Find(id), At(id));
      KeepWithOthers(id, *choice);
      return true;
    }
    if (merging_.life_open.insert(id).second) merging_.conflicts.push_back(LifeConflict(merging_, id));
    TakeLife(theirs->living() ? *theirs : *mine, At(id));
    return true;
  }

  Merging& merging_;
};

}  // namespace

void MergeLives(Merging& merging) { Lives(merging).Run(); }

}  // namespace cairn::values
