// The routes of /api/nexus/settings.
#include "domains/nexus/api/convert.h"
#include "domains/nexus/api/endpoints.h"
#include "domains/nexus/settings.h"

namespace cairn::nexus {
namespace {

struct ColumnView {
  data::TaskStatus status{};
  std::string title;
  std::optional<int64_t> limit;
};
template <class Fields>
void Describe(Fields& fields, ColumnView& column) {
  fields.Name("BoardColumn");
  fields.Body("status", column.status);
  fields.Body("title", column.title, {.min = 1, .max = 60});
  fields.Body("limit", column.limit,
              {.min = 1, .max = 1'000, .doc = "Cards it should not exceed. The board warns only."});
}

struct SettingsView {
  std::string timezone;
  std::vector<ColumnView> columns;
  bool notify_email = false, has_feed = false;
  std::optional<std::string> feed_created_at;
  int64_t version = 0;
};
template <class Fields>
void Describe(Fields& fields, SettingsView& settings) {
  fields.Name("NexusSettings");
  fields.Body("timezone", settings.timezone, {.kind = Kind::kTimeZone, .doc = "Where floating times are."});
  fields.Body("columns", settings.columns, {.doc = "Of the board, from left to right."});
  fields.Body("notifyEmail", settings.notify_email, {.doc = "Reminders also go out by e-mail."});
  fields.Body("hasFeed", settings.has_feed, {.doc = "There is a secret address of the calendar."});
  fields.Body("feedCreatedAt", settings.feed_created_at, kInstant);
  fields.Body("version", settings.version, {.doc = "0: nothing was ever set."});
}

SettingsView ViewOf(const Settings& settings) {
  SettingsView view{.timezone = settings.timezone.value_or("UTC"),
                    .columns = {},
                    .notify_email = settings.notify_email.value_or(false),
                    .has_feed = settings.feed_hash.has_value(),
                    .feed_created_at = settings.feed_created_at,
                    .version = settings.version.value_or(0)};
  for (const data::Column& column : *settings.columns)
    view.columns.push_back({.status = column.status, .title = column.title, .limit = column.limit});
  return view;
}

struct SettingsRequest {
  std::optional<std::string> timezone;
  std::optional<std::vector<ColumnView>> columns;
  std::optional<bool> notify_email;
};
template <class Fields>
void Describe(Fields& fields, SettingsRequest& request) {
  fields.Body("timezone", request.timezone, {.kind = Kind::kTimeZone});
  fields.Body("columns", request.columns, {.min = 1, .max = 20});
  fields.Body("notifyEmail", request.notify_email);
}

Task<rest::Reply<SettingsView>> GetSettings(Nexus& nexus, rest::Call& call, NoFields) {
  Work work(nexus, call.caller());
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return Refused(settings.error(), call);
  co_return rest::Answered<SettingsView>{.body = ViewOf(*settings),
                                         .etag = TagOf(settings->version.value_or(0))};
}

Task<rest::Reply<SettingsView>> PatchSettings(Nexus& nexus, rest::Call& call, SettingsRequest request) {
  ChangeSettings changes{.timezone = request.timezone, .columns = {}, .notify_email = request.notify_email};
  if (request.columns) {
    changes.columns.emplace();
    for (ColumnView& column : *request.columns)
      changes.columns->push_back(
          {.status = column.status, .title = std::move(column.title), .limit = column.limit});
  }
  co_return co_await Finish(
      ApplySettings(nexus, call.caller(), std::move(changes), SeenOf(call), WitnessOf(call, &ViewOf)), call,
      &ViewOf);
}

}  // namespace

// clang-format off
std::vector<rest::Endpoint> SettingsEndpoints(Nexus& nexus) {
  rest::EndpointInfo changing = Changing("PATCH", "/api/nexus/settings", "changeNexusSettings", "Zone, columns of the board");
  changing.needs_if_match = false;  // nobody must read them first to set a zone
  return {
    Route(nexus, ReadingOne("/api/nexus/settings", "readNexusSettings", "Zone, columns of the board"), &GetSettings),
    Route(nexus, changing, &PatchSettings),
  };
}
// clang-format on

}  // namespace cairn::nexus
