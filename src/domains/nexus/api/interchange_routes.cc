// The routes of exchange with other programs: export, import, the feed, and what has changed.
#include "domains/nexus/api/convert.h"
#include "domains/nexus/api/endpoints.h"
#include "domains/nexus/changes.h"
#include "domains/nexus/export_calendar.h"
#include "domains/nexus/feed.h"
#include "domains/nexus/import_calendar.h"

namespace cairn::nexus {
namespace {

constexpr const char* kCalendarType = "text/calendar";
constexpr size_t kImportBytesMax = 5 << 20;
constexpr int64_t kChangesDefault = 100;
constexpr int kCostOfAll = 20;  // of requests that go over all a user has

// ---- export

rest::Answered<rest::Document> AnswerOfCalendar(CalendarExport exported) {
  rest::Answered<rest::Document> answer;
  answer.etag = "\"" + exported.tag + "\"";
  answer.headers.emplace_back("Content-Disposition", "attachment; filename=\"calendar.ics\"");
  answer.body.text = std::move(exported.text);
  answer.source = std::move(exported.source);
  return answer;
}

Task<rest::Reply<rest::Document>> GetCalendar(Nexus& nexus, rest::Call& call, NoFields) {
  auto exported = co_await ExportCalendar(nexus, call.caller());
  if (!exported) co_return Refused(exported.error(), call);
  co_return AnswerOfCalendar(*std::move(exported));
}

// ---- import

struct ImportRequest {
  rest::Document calendar;
};
template <class Fields>
void Describe(Fields& fields, ImportRequest& request) {
  fields.Text(request.calendar, kCalendarType);
}

struct NoteView {
  int64_t line = 0;
  std::string component, property, reason;
};
template <class Fields>
void Describe(Fields& fields, NoteView& note) {
  fields.Name("ImportNote");
  fields.Body("line", note.line, {.doc = "Of the file, from 1."});
  fields.Body("component", note.component, {.doc = "VEVENT; empty where there is none."});
  fields.Body("property", note.property, {.doc = "RRULE; empty when it is about the whole component."});
  fields.Body("reason", note.reason);
}

struct ImportAnswer {
  int64_t created = 0, updated = 0, unchanged = 0, skipped = 0, remaining = 0, not_understood_total = 0;
  std::vector<NoteView> not_understood;
};
template <class Fields>
void Describe(Fields& fields, ImportAnswer& answer) {
  fields.Name("CalendarImport");
  fields.Body("created", answer.created);
  fields.Body("updated", answer.updated);
  fields.Body("unchanged", answer.unchanged, {.doc = "Imported before, and the same."});
  fields.Body("skipped", answer.skipped, {.doc = "Components that were left out."});
  fields.Body("remaining", answer.remaining,
              {.doc = "Not imported, or not to the end, for lack of time: send the same file again."});
  fields.Body("notUnderstood", answer.not_understood,
              {.doc = "What was left out, and why; the first 1,000."});
  fields.Body("notUnderstoodTotal", answer.not_understood_total);
}

Task<rest::Reply<ImportAnswer>> PostImport(Nexus& nexus, rest::Call& call, ImportRequest request) {
  auto imported = co_await ImportCalendar(nexus, call.caller(), std::move(request.calendar.text));
  if (!imported) co_return Refused(imported.error(), call);
  ImportAnswer answer{.created = imported->created,
                      .updated = imported->updated,
                      .unchanged = imported->unchanged,
                      .skipped = imported->skipped,
                      .remaining = imported->remaining,
                      .not_understood_total = imported->notes.total,
                      .not_understood = {}};
  for (ics::Note& note : imported->notes.first) {
    answer.not_understood.push_back({.line = note.line,
                                     .component = std::move(note.component),
                                     .property = std::move(note.property),
                                     .reason = std::move(note.reason)});
  }
  co_return rest::Answer(std::move(answer));
}

// ---- the feed

struct FeedAnswer {
  std::string url, created_at;
};
template <class Fields>
void Describe(Fields& fields, FeedAnswer& answer) {
  fields.Name("CalendarFeed");
  fields.Body("url", answer.url,
              {.doc = "On this server; told this once. Whoever has it reads the calendar."});
  fields.Body("createdAt", answer.created_at, kInstant);
}

Task<rest::Reply<FeedAnswer>> PostFeed(Nexus& nexus, rest::Call& call, NoFields) {
  auto feed = co_await RenewFeed(nexus, call.caller());
  if (!feed) co_return Refused(feed.error(), call);
  co_return rest::Answer(
      FeedAnswer{.url = "/api/nexus/feed/" + feed->token + "/calendar.ics", .created_at = feed->created_at});
}

Task<rest::Reply<rest::Nothing>> DeleteFeed(Nexus& nexus, rest::Call& call, NoFields) {
  co_return co_await Finish(RevokeFeed(nexus, call.caller()), call);
}

struct FeedRequest {
  std::string token;
};
template <class Fields>
void Describe(Fields& fields, FeedRequest& request) {
  fields.Path("token", request.token, {.max = 10'000, .doc = "The secret of the address."});
}

Task<rest::Reply<rest::Document>> GetFeed(Nexus& nexus, rest::Call& call, FeedRequest request) {
  auto caller = co_await OpenFeed(nexus, std::move(request.token));
  if (!caller) co_return Refused(caller.error(), call);
  const http::Account owner = http::Account::OfUser(*caller->Claim("sub"));
  auto exported = co_await ExportCalendar(nexus, *std::move(caller));
  if (!exported) co_return Refused(exported.error(), call);
  rest::Answered<rest::Document> answer = AnswerOfCalendar(*std::move(exported));
  answer.account = owner;
  co_return answer;
}

// Whatever is wrong with a token, nobody can tell from the answer.
rest::Endpoint WithOneRefusal(rest::Endpoint endpoint) {
  endpoint.handle = [handle = std::move(endpoint.handle)](
                        rest::Call& call,
                        const rest::RequestParts& parts) -> Task<Result<http::Response, http::Problem>> {
    auto handled = co_await handle(call, parts);
    if (!handled && handled.error().status == 404)
      co_return std::unexpected(
          http::ProblemOf({Code::kResourceNotFound, "There is no calendar at this address"}));
    co_return handled;
  };
  return endpoint;
}

// ---- changes

struct ChangesRequest {
  std::optional<std::string> since;
  std::optional<int64_t> limit;
};
template <class Fields>
void Describe(Fields& fields, ChangesRequest& request) {
  fields.Query("since", request.since,
               {.min = 1, .max = 4'000, .doc = "nextToken of the answer before; without: a token of now."});
  fields.Query("limit", request.limit, {.min = 1, .max = 100, .doc = "Items of a page; 100 unless said."});
}

struct ChangeView {
  std::string entity_type, id;
  bool deleted = false;
  std::optional<int64_t> version;
  std::optional<rest::Json> item;
};
template <class Fields>
void Describe(Fields& fields, ChangeView& change) {
  fields.Name("NexusChange");
  fields.Body("entityType", change.entity_type,
              {.doc = "EVENT, MASTER, INSTANCE, TASK, REMINDER, NOTE or SETTINGS."});
  fields.Body("id", change.id, kId);
  fields.Body("deleted", change.deleted);
  fields.Body("version", change.version);
  fields.Body("item", change.item, {.doc = "As it is now; absent when it was deleted."});
}
struct ChangesAnswer {
  std::vector<ChangeView> items;
  std::string next_token;
  bool has_more = false;
};
template <class Fields>
void Describe(Fields& fields, ChangesAnswer& answer) {
  fields.Name("NexusChanges");
  fields.Body("items", answer.items, {.doc = "Each once, in the order of their last change."});
  fields.Body("nextToken", answer.next_token, {.max = 4'000, .doc = "For `since` of the next request."});
  fields.Body("hasMore", answer.has_more, {.doc = "Ask again at once."});
}

Task<rest::Reply<ChangesAnswer>> GetChanges(Nexus& nexus, rest::Call& call, ChangesRequest request) {
  const auto limit = static_cast<size_t>(request.limit.value_or(kChangesDefault));
  auto changes = co_await ReadChanges(nexus, call.caller(), std::move(request.since), limit);
  if (!changes) co_return Refused(changes.error(), call);
  ChangesAnswer answer{
      .items = {}, .next_token = std::move(changes->next_token), .has_more = changes->has_more};
  for (Change& change : changes->items) {
    ChangeView view{.entity_type = std::move(change.entity_type),
                    .id = std::move(change.id),
                    .deleted = !change.json,
                    .version = change.version,
                    .item = {}};
    if (change.json) view.item = rest::Json{*std::move(change.json)};
    answer.items.push_back(std::move(view));
  }
  co_return rest::Answer(std::move(answer));
}

}  // namespace

// clang-format off
std::vector<rest::Endpoint> InterchangeEndpoints(Nexus& nexus) {
  rest::EndpointInfo calendar = ReadingOne("/api/nexus/calendar.ics", "exportCalendar", "Events, series and tasks for other programs");
  calendar.media_type = kCalendarType;
  calendar.cost = kCostOfAll;
  rest::EndpointInfo import = Reading("/api/nexus/import", "importCalendar", "Events, series and tasks of other programs");
  import.method = "POST";
  import.body_bytes_max = kImportBytesMax;
  import.cost = kCostOfAll;
  rest::EndpointInfo renew = Creating("/api/nexus/feed", "renewFeed", "A secret address of the calendar; the one before ends");
  renew.has_etag = false;
  renew.keeps_receipt = false;  // the answer holds a secret, which is kept nowhere
  rest::EndpointInfo revoke = Reading("/api/nexus/feed", "revokeFeed", "The secret address ends");
  revoke.method = "DELETE";
  revoke.status = 204;
  rest::EndpointInfo feed = ReadingOne("/api/nexus/feed/{token}/calendar.ics", "readFeed", "The calendar, for whoever has the secret address");
  feed.permission = rest::Permission::kAnyone;
  feed.media_type = kCalendarType;
  feed.cost = kCostOfAll;
  return {
    Route(nexus, calendar, &GetCalendar),
    Route(nexus, import, &PostImport),
    Route(nexus, renew, &PostFeed),
    Route(nexus, revoke, &DeleteFeed),
    WithOneRefusal(Route(nexus, feed, &GetFeed)),
    Route(nexus, Reading("/api/nexus/changes", "readChanges", "What has changed since a token"), &GetChanges),
  };
}
// clang-format on

}  // namespace cairn::nexus
