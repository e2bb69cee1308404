#include "domains/nexus/api/search_routes.h"

#include "domains/nexus/api/convert.h"
#include "domains/nexus/search.h"

namespace cairn::nexus {
namespace {

constexpr int64_t kFoundDefault = 50;

struct SearchQuery {
  std::string q;
  std::optional<int64_t> limit;
};
template <class Fields>
void Describe(Fields& fields, SearchQuery& query) {
  fields.Query("q", query.q, {.min = 1, .max = 200, .doc = "Beginnings of words; all must be there."});
  fields.Query("limit", query.limit, {.min = 1, .max = 100, .doc = "50 unless said."});
}

struct FoundView {
  std::string type, id, title, snippet, updated_at;
};
template <class Fields>
void Describe(Fields& fields, FoundView& found) {
  fields.Name("SearchHit");
  fields.Body("type", found.type, {.doc = "NOTE or TASK."});
  fields.Body("id", found.id, kId);
  fields.Body("title", found.title, {.max = 500});
  fields.Body("snippet", found.snippet, {.max = 200, .doc = "Where it was found."});
  fields.Body("updatedAt", found.updated_at, kInstant);
}
struct SearchView {
  std::vector<FoundView> items;
  bool is_cut = false;
};
template <class Fields>
void Describe(Fields& fields, SearchView& view) {
  fields.Name("SearchResult");
  fields.Body("items", view.items, {.doc = "The best first, of equals the newest."});
  fields.Body("isCut", view.is_cut,
              {.doc = "More was found than is here, or only 1,000 notes and tasks could be looked at."});
}

Task<rest::Reply<SearchView>> GetSearch(Nexus& nexus, rest::Call& call, SearchQuery query) {
  Work work(nexus, call.caller());
  const auto limit = static_cast<size_t>(query.limit.value_or(kFoundDefault));
  auto result = co_await SearchAll(work, std::move(query.q), limit);
  if (!result) co_return Refused(result.error(), call);
  SearchView view{.items = {}, .is_cut = result->is_cut};
  for (Found& found : result->found) {
    view.items.push_back({.type = found.type == Found::Type::kNote ? "NOTE" : "TASK",
                          .id = std::move(found.id),
                          .title = std::move(found.title),
                          .snippet = std::move(found.snippet),
                          .updated_at = std::move(found.updated_at)});
  }
  co_return rest::Answer(std::move(view));
}

}  // namespace

std::vector<rest::Endpoint> SearchEndpoints(Nexus& nexus) {
  rest::EndpointInfo search =
      Reading("/api/nexus/search", "searchNexus", "Notes and tasks that have these words");
  search.cost = 5;  // goes over all notes and tasks
  return {Route(nexus, search, &GetSearch)};
}

}  // namespace cairn::nexus
