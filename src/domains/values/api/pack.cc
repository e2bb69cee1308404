// The handlers of packing away: /api/values/pack, /api/values/packs.
#include "domains/values/api/api.h"
#include "domains/values/api/convert.h"
#include "domains/values/history/revision_id.h"
#include "domains/values/pack_tree.h"
#include "domains/values/tree/length.h"

namespace cairn::values {
namespace {

PackView ViewOf(const std::string& rev_id, const Pack& pack) {
  return {.pack_rev_id = rev_id, .packed_at = TimestampOf(rev_id), .node_count = pack.node_count};
}

}  // namespace

ValuesApi::Answer<PackAnswer> ValuesApi::PostPack(rest::Call& call, PackRequest request) {
  PackTree pack{
      .before = request.before, .completed = request.completed.value_or(true), .base_rev_id = BaseOf(call)};
  const auto answer_of = [](const TreePacked& packed) {
    return rest::Answered<PackAnswer>{.body = values::ViewOf(packed),
                                      .etag = TagOfRevision(packed.tree.revision.id)};
  };
  Witness<TreePacked> witness = [&](model::Session& platform, const TreePacked& packed) {
    return rest::StageAnswer(call, platform, answer_of(packed));
  };
  auto packed = co_await CommitPack(values_, call.caller(), std::move(pack), std::move(witness));
  if (!packed) co_return Refused(packed.error(), call);
  co_return answer_of(*packed);
}

ValuesApi::Answer<PackList> ValuesApi::GetPacks(rest::Call& call, Empty) {
  model::Session session(values_.database(), call.caller());
  auto current = co_await values_.trees().Current(session, {});
  if (!current) co_return Refused(current.error(), call);
  PackList list;
  if (current->head) list.rev_id = current->head->rev_id;
  for (const auto& [rev_id, pack] : current->content->packs)
    list.items.insert(list.items.begin(), ViewOf(rev_id, pack));
  co_return rest::Answer(std::move(list));
}

ValuesApi::Answer<PackDetail> ValuesApi::GetPack(rest::Call& call, OnePackRequest request) {
  model::Session session(values_.database(), call.caller());
  auto current = co_await values_.trees().Current(session, {});
  if (!current) co_return Refused(current.error(), call);
  const auto pack = current->content->packs.find(request.pack_rev_id);
  if (pack == current->content->packs.end())
    co_return Refused(Refusal(Code::kResourceNotFound, "not-found", "The tree has no such pack"), call);
  auto read = co_await ReadPack(values_, session, request.pack_rev_id);
  if (!read) co_return Refused(read.error(), call);
  auto view = [&] {
    PackDetail detail{.pack = ViewOf(pack->first, pack->second), .nodes = {}};
    const PackedNodes nodes{.before = *read->before, .packed = std::move(read->packed)};
    for (const std::string& id : StillPacked(nodes, *current->content))
      detail.nodes.push_back(values::ViewOf(read->before->nodes.at(id)));
    return detail;
  };
  co_return rest::Answer(co_await Aside(view, LengthOf(*read->before)));
}

ValuesApi::Answer<CommitAnswer> ValuesApi::PostUnpack(rest::Call& call, UnpackRequest request) {
  UnpackTree unpack{.pack_rev_id = request.pack_rev_id,
                    .node_ids = std::move(request.node_ids),
                    .base_rev_id = BaseOf(call)};
  co_return co_await Finish(
      CommitUnpack(values_, call.caller(), std::move(unpack), WitnessOf<TreeCommitted>(call, 200)), call,
      200);
}

}  // namespace cairn::values
