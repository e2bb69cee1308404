#include "domains/values/change_plan.h"

#include "domains/values/plan/rules.h"
#include "domains/values/settings.h"

namespace cairn::values {
namespace {

std::vector<Block> BlocksInOrder(const Plan& plan) {
  std::vector<Block> blocks;
  for (const Block* block : BlocksByStart(plan)) blocks.push_back(*block);
  return blocks;
}

Task<Decision<PlanCommitted>> ChangeOnce(Values& values, const model::Caller& caller,
                                         const PlanChange& change, const Witness<PlanCommitted>& witness) {
  Publication publication(values, caller);
  model::Session& session = publication.session();
  const PlanKind::Where where{.day = change.day};
  auto scene = co_await SceneOf(values, session, change.day);
  if (!scene) co_return std::unexpected(std::move(scene).error());
  auto current = co_await values.plans().Current(session, where);
  if (!current) co_return std::unexpected(std::move(current).error());
  const auto& base = change.base_rev_id;
  if (base && (!current->head || current->head->rev_id != *base))
    co_return std::unexpected(StaleBase(*base, current->head));
  auto decision = co_await change.decide(session, *current, *scene);
  if (!decision) co_return std::unexpected(std::move(decision).error());
  PlanCommitted answer = std::move(decision->answer);
  answer.day = change.day;
  if (change.preview) answer.preview = BlocksInOrder(decision->draft.content);
  if (change.preview || decision->draft.content == *current->content) {
    if (!current->head) co_return answer;
    auto revision = co_await values.plans().Find(session, where, current->head->rev_id);
    if (!revision) co_return std::unexpected(std::move(revision).error());
    answer.revision = *std::move(revision);
    co_return answer;
  }
  decision->draft.values_rev_id = scene->values_rev_id;
  auto revision = co_await publication.Add(change.day, *current, std::move(decision->draft));
  if (!revision) co_return std::unexpected(std::move(revision).error());
  answer.revision = *std::move(revision);
  answer.changed = true;
  if (auto staged = witness(publication.platform(), answer); !staged) {
    co_await publication.Abandon();
    co_return std::unexpected(RefusalOf(std::move(staged).error()));
  }
  auto committed = co_await publication.Commit();
  if (!committed) co_return std::unexpected(std::move(committed).error());
  co_return answer;
}

}  // namespace

Task<Decision<PlanCommitted>> ChangePlan(Values& values, model::Caller caller, PlanChange change,
                                         Witness<PlanCommitted> witness) {
  for (int attempt = 1;; ++attempt) {
    auto changed = co_await ChangeOnce(values, caller, change, witness);
    if (changed || !IsHeadMoved(changed.error())) co_return changed;
    if (!change.starts_over || attempt == kAttemptsMax) co_return changed;
  }
}

Task<Decision<PlanScene>> SceneOf(Values& values, model::Session& session, std::string day) {
  auto settings = co_await ReadSettings(session);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  PlanScene scene{.day = day,
                  .rules = RulesOf(*settings),
                  .bounds = {},
                  .now = values.Now(),
                  .tree = {},
                  .values_rev_id = {}};
  auto bounds = BoundsOf(day, scene.rules);
  if (!bounds) co_return std::unexpected(Refusal(std::move(bounds).error()));
  scene.bounds = *bounds;
  auto tree = co_await values.trees().Current(session, {});
  if (!tree) co_return std::unexpected(std::move(tree).error());
  scene.tree = tree->content;
  if (tree->head) scene.values_rev_id = tree->head->rev_id;
  co_return scene;
}

bool IsLivingAction(const Tree& tree, const std::string& action_id) {
  const auto node = tree.nodes.find(action_id);
  return node != tree.nodes.end() && node->second.type == NodeType::kAction && node->second.living() &&
         !node->second.completed_at;
}

}  // namespace cairn::values
