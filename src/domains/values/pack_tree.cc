#include "domains/values/pack_tree.h"

#include <ranges>

#include "domains/values/history/publication.h"
#include "domains/values/tree/length.h"
#include "domains/values/tree/rules.h"
#include "domains/values/tree/texts.h"

namespace cairn::values {
namespace {

std::string NodesText(size_t count) { return std::to_string(count) + (count == 1 ? " node" : " nodes"); }

// What is current, if that is the base.
Task<Decision<TreeRepository::State>> CurrentAt(Values& values, model::Session& session,
                                                std::optional<std::string> base_rev_id) {
  auto current = co_await values.trees().Current(session, {});
  if (!current) co_return std::unexpected(std::move(current).error());
  if (!current->head) co_return RefuseUnknown("Nothing was committed yet");
  if (base_rev_id && *base_rev_id != current->head->rev_id)
    co_return std::unexpected(StaleBase(*base_rev_id, current->head));
  co_return *std::move(current);
}

Task<Decision<TreeCommitted>> Unchanged(Values& values, model::Session& session, const Head& head) {
  auto revision = co_await values.trees().Find(session, {}, head.rev_id);
  if (!revision) co_return std::unexpected(std::move(revision).error());
  co_return TreeCommitted{.revision = *std::move(revision)};
}

Task<Decision<TreePacked>> PackOnce(Values& values, const model::Caller& caller, const PackTree& request,
                                    const Witness<TreePacked>& witness) {
  Publication publication(values, caller);
  model::Session& session = publication.session();
  auto current = co_await CurrentAt(values, session, request.base_rev_id);
  if (!current) co_return std::unexpected(std::move(current).error());
  const auto before = StoredMoment(request.before.value_or(values.NowText()));
  if (!before) co_return Refuse("bad-time", "Give a moment such as 2026-11-15T19:42:30Z");
  const Tree& tree = *current->content;
  // The pack is named after the revision that makes it.
  const std::string rev_id = values.NewRevisionId(current->head->rev_id);
  std::set<std::string> ids;
  Tree left;
  auto decide = [&]() -> Decision<void> {
    ids = Packable(tree, {.before = *before, .completed = request.completed});
    if (ids.empty()) return {};
    left = PackAway(tree, ids, rev_id);
    return CheckTree(left);
  };
  auto decided = co_await Aside(decide, LengthOf(tree));
  if (!decided) co_return std::unexpected(std::move(decided).error());
  TreePacked answer{.tree = {}, .packed = static_cast<int64_t>(ids.size()), .left = 0};
  answer.left = static_cast<int64_t>(tree.nodes.size() - ids.size());
  if (ids.empty()) {
    auto unchanged = co_await Unchanged(values, session, *current->head);
    if (!unchanged) co_return std::unexpected(std::move(unchanged).error());
    answer.tree = *std::move(unchanged);
    co_return answer;
  }
  TreeRepository::Draft draft{.content = std::move(left),
                              .label = RevSource::kDailyUpdate,
                              .message = "Pack away " + NodesText(ids.size()),
                              .touched = {},
                              .rev_id = rev_id};
  auto find_touched = [&] { return TouchedNodes(tree, draft.content); };
  draft.touched = co_await Aside(find_touched, LengthOf(tree));
  const Witness<TreeCommitted> stage = [&](model::Session& platform, const TreeCommitted& done) {
    answer.tree = done;
    return witness(platform, answer);
  };
  std::vector<DayPlan> plans;
  TreeCommitted committed;
  auto published = co_await PublishTree(publication, *current, std::move(draft), std::move(plans),
                                        std::move(committed), stage);
  if (!published) co_return std::unexpected(std::move(published).error());
  answer.tree = *std::move(published);
  co_return answer;
}

Task<Decision<TreeCommitted>> UnpackOnce(Values& values, const model::Caller& caller,
                                         const UnpackTree& request, const Witness<TreeCommitted>& witness) {
  Publication publication(values, caller);
  model::Session& session = publication.session();
  auto current = co_await CurrentAt(values, session, request.base_rev_id);
  if (!current) co_return std::unexpected(std::move(current).error());
  const Tree& tree = *current->content;
  if (!tree.packs.contains(request.pack_rev_id)) co_return RefuseUnknown("The tree has no such pack");
  auto pack = co_await ReadPack(values, session, request.pack_rev_id);
  if (!pack) co_return std::unexpected(std::move(pack).error());
  const PackedNodes nodes{.before = *pack->before, .packed = pack->packed};
  auto decide = [&] { return Unpack(tree, nodes, request.pack_rev_id, request.node_ids); };
  auto unpacked = co_await Aside(decide, LengthOf(*pack->before));
  if (!unpacked) co_return std::unexpected(std::move(unpacked).error());
  if (*unpacked == tree) co_return co_await Unchanged(values, session, *current->head);
  const size_t count = unpacked->nodes.size() - tree.nodes.size();
  TreeRepository::Draft draft{.content = *std::move(unpacked),
                              .label = RevSource::kDailyUpdate,
                              .message = "Bring back " + NodesText(count),
                              .touched = {}};
  auto find_touched = [&] { return TouchedNodes(tree, draft.content); };
  draft.touched = co_await Aside(find_touched, LengthOf(draft.content));
  std::vector<DayPlan> plans;
  TreeCommitted committed;
  co_return co_await PublishTree(publication, *current, std::move(draft), std::move(plans),
                                 std::move(committed), witness);
}

}  // namespace

Task<Decision<TreePacked>> CommitPack(Values& values, model::Caller caller, PackTree request,
                                      Witness<TreePacked> witness) {
  for (int attempt = 1;; ++attempt) {
    auto packed = co_await PackOnce(values, caller, request, witness);
    if (packed || !IsHeadMoved(packed.error()) || attempt == kAttemptsMax) co_return packed;
  }
}

Task<Decision<TreeCommitted>> CommitUnpack(Values& values, model::Caller caller, UnpackTree request,
                                           Witness<TreeCommitted> witness) {
  for (int attempt = 1;; ++attempt) {
    auto unpacked = co_await UnpackOnce(values, caller, request, witness);
    if (unpacked || !IsHeadMoved(unpacked.error()) || attempt == kAttemptsMax) co_return unpacked;
  }
}

Task<Decision<PackRead>> ReadPack(Values& values, model::Session& session, std::string pack_rev_id) {
  auto revision = co_await values.trees().Find(session, {}, pack_rev_id);
  if (!revision) co_return std::unexpected(std::move(revision).error());
  if (!revision->parent_id) co_return RefuseUnknown("This revision has packed nothing away");
  auto before = co_await values.trees().At(session, {}, *revision->parent_id);
  if (!before) co_return std::unexpected(std::move(before).error());
  auto after = co_await values.trees().ContentOf(session, {}, *revision);
  if (!after) co_return std::unexpected(std::move(after).error());
  PackRead pack{.before = *std::move(before), .packed = {}};
  auto find = [&] {
    std::set<std::string> packed;
    for (const auto& [id, node] : pack.before->nodes) {
      if (!(*after)->nodes.contains(id)) packed.insert(packed.end(), id);
    }
    return packed;
  };
  pack.packed = co_await Aside(find, LengthOf(*pack.before));
  co_return pack;
}

Task<Decision<std::map<std::string, Node>>> FindPacked(Values& values, model::Session& session,
                                                       std::shared_ptr<const Tree> tree,
                                                       std::set<std::string> ids) {
  std::map<std::string, Node> found;
  for (const auto& [rev_id, pack] : std::views::reverse(tree->packs)) {  // the last state counts
    if (ids.empty()) break;
    auto read = co_await ReadPack(values, session, rev_id);
    if (!read) co_return std::unexpected(std::move(read).error());
    std::erase_if(ids, [&](const std::string& id) {
      if (!read->packed.contains(id)) return false;
      found.emplace(id, read->before->nodes.at(id));
      return true;
    });
  }
  co_return found;
}

}  // namespace cairn::values
