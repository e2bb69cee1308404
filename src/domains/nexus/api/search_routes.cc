#include "domains/nexus/api/search_routes.h"

#include <algorithm>

#include "domains/nexus/api/convert.h"
#include "domains/nexus/search.h"

namespace cairn::nexus {
namespace {

constexpr int64_t kFoundDefault = 50;

struct SearchQuery {
  std::string q;
  std::optional<std::string> types;
  std::optional<int64_t> limit;
};
template <class Fields>
void Describe(Fields& fields, SearchQuery& query) {
  fields.Query("q", query.q, {.min = 1, .max = 200, .doc = "Beginnings of words; all must be there."});
  fields.Query("types", query.types, {.max = 100, .doc = "Some of NOTE,TASK,EVENT,MASTER; all by default."});
  fields.Query("limit", query.limit, {.min = 1, .max = 100, .doc = "50 unless said."});
}

struct FoundView {
  std::string type, id, title, snippet, updated_at;
  std::optional<std::string> start_utc;
};
template <class Fields>
void Describe(Fields& fields, FoundView& found) {
  fields.Name("SearchHit");
  fields.Body("type", found.type, {.doc = "NOTE, TASK, EVENT, or MASTER: a series of events."});
  fields.Body("id", found.id, kId);
  fields.Body("title", found.title, {.max = 500});
  fields.Body("snippet", found.snippet, {.max = 200, .doc = "Where it was found."});
  fields.Body("updatedAt", found.updated_at, kInstant);
  fields.Body(
      "startUtc", found.start_utc,
      {.kind = Kind::kInstant, .doc = "Of an event or a series: when it begins. Of a task: when it is due."});
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
              {.doc = "More was found than is here, or there is more than could be looked at."});
}

constexpr std::string_view kTypeTexts[] = {"NOTE", "TASK", "EVENT", "MASTER"};

Decision<std::set<Found::Type>> TypesOf(std::string_view texts) {
  std::set<Found::Type> types;
  while (!texts.empty()) {
    const size_t comma = std::min(texts.find(','), texts.size());
    const auto found = std::ranges::find(kTypeTexts, texts.substr(0, comma));
    if (found == std::end(kTypeTexts))
      return RefuseField("types", "must be some of NOTE, TASK, EVENT, MASTER, with commas");
    types.insert(static_cast<Found::Type>(found - kTypeTexts));
    texts.remove_prefix(std::min(comma + 1, texts.size()));
  }
  return types;
}

Task<rest::Reply<SearchView>> GetSearch(Nexus& nexus, rest::Call& call, SearchQuery query) {
  Work work(nexus, call.caller());
  auto types = TypesOf(query.types.value_or(""));
  if (!types) co_return Refused(types.error(), call);
  SearchRequest request{.query = std::move(query.q),
                        .types = *std::move(types),
                        .limit = static_cast<size_t>(query.limit.value_or(kFoundDefault))};
  auto result = co_await SearchAll(work, std::move(request));
  if (!result) co_return Refused(result.error(), call);
  SearchView view{.items = {}, .is_cut = result->is_cut};
  for (Found& found : result->found) {
    view.items.push_back({.type = std::string(kTypeTexts[static_cast<size_t>(found.type)]),
                          .id = std::move(found.id),
                          .title = std::move(found.title),
                          .snippet = std::move(found.snippet),
                          .updated_at = std::move(found.updated_at),
                          .start_utc = std::move(found.start_utc)});
  }
  co_return rest::Answer(std::move(view));
}

}  // namespace

std::vector<rest::Endpoint> SearchEndpoints(Nexus& nexus) {
  rest::EndpointInfo search =
      Reading("/api/nexus/search", "searchNexus", "Notes, tasks, events and series that have these words");
  search.cost = 5;  // goes over everything
  return {Route(nexus, search, &GetSearch)};
}

}  // namespace cairn::nexus
