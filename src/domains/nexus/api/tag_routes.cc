// The routes of /api/nexus/tags. A tag may have any letters, so it stands in the query and not in the path.
#include "domains/nexus/api/convert.h"
#include "domains/nexus/api/endpoints.h"
#include "domains/nexus/tag_use.h"
#include "domains/nexus/tags.h"

namespace cairn::nexus {
namespace {

constexpr int kCostOfAll = 20;

struct TagUseView {
  std::string tag;
  int64_t items = 0;
};
template <class Fields>
void Describe(Fields& fields, TagUseView& use) {
  fields.Name("NexusTag");
  fields.Body("tag", use.tag, {.min = 1, .max = kTagBytesMax});
  fields.Body("items", use.items, {.doc = "Events, series, tasks and notes that have it."});
}
struct TagListView {
  std::vector<TagUseView> items;
  bool is_cut = false;
};
template <class Fields>
void Describe(Fields& fields, TagListView& list) {
  fields.Name("NexusTagList");
  fields.Body("items", list.items, {.doc = "In byte order."});
  fields.Body("isCut", list.is_cut, {.doc = "There is more than one request looks at."});
}

struct RemoveTagQuery {
  std::string tag;
  std::optional<std::string> cursor;
};
template <class Fields>
void Describe(Fields& fields, RemoveTagQuery& query) {
  fields.Query("tag", query.tag, {.min = 1, .max = kTagBytesMax});
  fields.Query("cursor", query.cursor, {.min = 1, .max = 4'000, .doc = "nextCursor of the answer before."});
}
struct TagRemovalView {
  int64_t changed = 0;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, TagRemovalView& view) {
  fields.Name("NexusTagRemoval");
  fields.Body("changed", view.changed, {.doc = "Items that had it. A series counts as one."});
  fields.Body("nextCursor", view.next_cursor,
              {.max = 4'000, .doc = "The time was up: send the same again with this cursor."});
}

Task<rest::Reply<TagListView>> GetTags(Nexus& nexus, rest::Call& call, NoFields) {
  Work work(nexus, call.caller());
  auto list = co_await ListTags(work);
  if (!list) co_return Refused(list.error(), call);
  TagListView view{.items = {}, .is_cut = list->is_cut};
  for (TagUse& use : list->tags) view.items.push_back({.tag = std::move(use.tag), .items = use.items});
  co_return rest::Answer(std::move(view));
}

Task<rest::Reply<TagRemovalView>> DeleteTag(Nexus& nexus, rest::Call& call, RemoveTagQuery query) {
  auto removed =
      co_await RemoveTag(nexus, call.caller(), std::move(query.tag), std::move(query.cursor).value_or(""));
  if (!removed) co_return Refused(removed.error(), call);
  co_return rest::Answer(
      TagRemovalView{.changed = removed->changed, .next_cursor = IfAny(std::move(removed->next_cursor))});
}

}  // namespace

// clang-format off
std::vector<rest::Endpoint> TagEndpoints(Nexus& nexus) {
  rest::EndpointInfo list = Reading("/api/nexus/tags", "listNexusTags", "The tags in use, and on how many items");
  list.cost = kCostOfAll;  // goes over everything
  rest::EndpointInfo remove = Reading("/api/nexus/tags", "removeNexusTag", "Takes a tag away from everything that has it");
  remove.method = "DELETE";
  remove.cost = kCostOfAll;
  remove.keeps_receipt = false;  // the same again takes away what is left
  return {Route(nexus, list, &GetTags), Route(nexus, remove, &DeleteTag)};
}
// clang-format on

}  // namespace cairn::nexus
