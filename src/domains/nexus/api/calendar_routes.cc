// The routes of events, series and their occurrences, and of the agenda.
#include <algorithm>

#include "calendar/day.h"
#include "domains/nexus/api/calendar_types.h"
#include "domains/nexus/api/endpoints.h"
#include "domains/nexus/repeating.h"
#include "domains/nexus/series_window.h"
#include "domains/nexus/settings.h"

namespace cairn::nexus {
namespace {

using std::chrono::days;

// A series answers with its master's tag, what has become an event with the event's.
rest::Answered<CalendarItemView> AnswerOf(const SeriesChanged& changed) {
  const auto& version = changed.single ? changed.single->version : changed.master.version;
  return {.body = ViewOfChange(changed), .etag = TagOf(version)};
}
Witness<SeriesChanged> SeriesWitness(rest::Call& call) {
  return [&call](model::Session& platform, const SeriesChanged& changed) {
    return rest::StageAnswer(call, platform, AnswerOf(changed));
  };
}
Task<rest::Reply<CalendarItemView>> Finish(Task<Decision<SeriesChanged>> work, rest::Call& call) {
  auto done = co_await work;
  if (!done) co_return Refused(done.error(), call);
  co_return AnswerOf(*done);
}

// ---- events

Task<rest::Reply<CalendarItemView>> PostEvent(Nexus& nexus, rest::Call& call, CreateEventRequest request) {
  request.patch.title = std::move(request.title);
  if (request.patch.rrule.value_or(std::nullopt)) {
    co_return co_await Finish(
        CreateSeries(nexus, call.caller(), std::move(request.patch), SeriesWitness(call)), call);
  }
  const SeriesPatch& patch = request.patch;
  if (patch.exdates || patch.rdates)
    co_return Refused(RefuseField("rrule", "is required with exdates and rdates").error(), call);
  EventPatch content = std::move(request.patch);
  co_return co_await Finish(
      CreateEvent(nexus, call.caller(), std::move(content), WitnessOf(call, &ViewOfEvent)), call,
      &ViewOfEvent);
}

Task<rest::Reply<CalendarItemView>> GetEvent(Nexus& nexus, rest::Call& call, EventRequest request) {
  Work work(nexus, call.caller());
  const data::EventKey key{.event_id = request.id};
  co_return co_await nexus::Finish(work.Load<Event>(key), call, &ViewOfEvent);
}

Task<rest::Reply<CalendarItemView>> PatchOneEvent(Nexus& nexus, rest::Call& call, PatchEventRequest request) {
  SeriesPatch& patch = request.patch;
  if (patch.rrule.value_or(std::nullopt)) {
    co_return co_await Finish(
        BeginRepeating(nexus, call.caller(), request.id, std::move(patch), SeenOf(call), SeriesWitness(call)),
        call);
  }
  if (patch.exdates || patch.rdates)
    co_return Refused(RefuseField("rrule", "is required with exdates and rdates").error(), call);
  EventPatch content = std::move(patch);
  co_return co_await Finish(PatchEvent(nexus, call.caller(), request.id, std::move(content), SeenOf(call),
                                       WitnessOf(call, &ViewOfEvent)),
                            call, &ViewOfEvent);
}

Task<rest::Reply<rest::Nothing>> DeleteOneEvent(Nexus& nexus, rest::Call& call, EventRequest request) {
  co_return co_await Finish(
      DeleteEvent(nexus, call.caller(), request.id, SeenOf(call), SilentWitnessOf<Gone>(call)), call);
}

// ---- series

Task<rest::Reply<CalendarItemView>> GetMaster(Nexus& nexus, rest::Call& call, MasterRequest request) {
  Work work(nexus, call.caller());
  const data::MasterKey key{.master_id = request.id};
  co_return co_await nexus::Finish(work.Load<Master>(key), call, &ViewOfMaster);
}

Task<rest::Reply<CalendarItemView>> PatchMaster(Nexus& nexus, rest::Call& call, PatchMasterRequest request) {
  const bool ends = request.patch.rrule && !*request.patch.rrule;
  co_return co_await Finish(
      (ends ? EndRepeating : PatchSeries)(nexus, call.caller(), request.id, std::move(request.patch),
                                          SeenOf(call), SeriesWitness(call)),
      call);
}

Task<rest::Reply<rest::Nothing>> DeleteMaster(Nexus& nexus, rest::Call& call, MasterRequest request) {
  co_return co_await Finish(
      DeleteSeries(nexus, call.caller(), request.id, SeenOf(call), SilentWitnessOf<Gone>(call)), call);
}

Task<rest::Reply<CalendarItemList>> GetInstances(Nexus& nexus, rest::Call& call, InstancesRequest request) {
  constexpr int64_t kLimitDefault = 50;
  SeriesWindow window{.master_id = request.id,
                      .from = request.from,
                      .to = request.to,
                      .limit = request.page.limit.value_or(kLimitDefault),
                      .cursor = request.page.cursor.value_or("")};
  auto page = co_await ReadSeriesWindow(nexus, call.caller(), std::move(window));
  if (!page) co_return Refused(page.error(), call);
  CalendarItemList list{.items = {}, .next_cursor = IfAny(page->next_cursor)};
  for (const ListedInstance& listed : page->items) {
    list.items.push_back(ViewOfInstance(listed.instance));
    list.items.back().is_virtual = listed.is_virtual;
  }
  co_return rest::Answer(std::move(list));
}

Task<rest::Reply<CalendarItemView>> PostExdate(Nexus& nexus, rest::Call& call, ExdateRequest request) {
  co_return co_await Finish(
      AddExdate(nexus, call.caller(), request.id, request.local, SeenOf(call), SeriesWitness(call)), call);
}

Task<rest::Reply<CalendarItemView>> DeleteExdate(Nexus& nexus, rest::Call& call,
                                                 RemoveExdateRequest request) {
  co_return co_await Finish(
      RemoveExdate(nexus, call.caller(), request.id, request.local, SeenOf(call), SeriesWitness(call)), call);
}

// ---- occurrences

Decision<Scope> ScopeOf(const ScopedRequest& request) {
  const std::string text = request.scope.value_or("this");
  const auto found = std::ranges::find(kScopeTexts, text);
  if (found == std::end(kScopeTexts))
    return std::unexpected(
        Refusal(Code::kMalformed, "unknown-scope", "scope must be this, following or all"));
  return static_cast<Scope>(found - std::begin(kScopeTexts));
}

Task<rest::Reply<CalendarItemView>> GetInstance(Nexus& nexus, rest::Call& call, InstanceRequest request) {
  Work work(nexus, call.caller());
  const data::InstanceKey key{.instance_id = request.id};
  auto instance = co_await work.Load<Instance>(key);
  if (!instance) co_return Refused(instance.error(), call);
  // What it has from its series.
  const data::MasterKey master_key{.master_id = instance->master_id};
  auto master = co_await work.Find<Master>(master_key);
  if (!master) co_return Refused(master.error(), call);
  if (*master && !instance->description) instance->description = (*master)->description;
  if (*master && !instance->reminder_minutes) instance->reminder_minutes = (*master)->reminder_minutes;
  co_return nexus::AnswerOf(*instance, &ViewOfInstance);
}

Task<rest::Reply<CalendarItemView>> PatchOneInstance(Nexus& nexus, rest::Call& call,
                                                     PatchInstanceRequest request) {
  const auto scope = ScopeOf(request);
  if (!scope) co_return Refused(scope.error(), call);
  SeriesPatch& patch = request.patch;
  if (*scope == Scope::kThis) {
    if (patch.rrule || patch.exdates || patch.rdates)
      co_return Refused(RefuseField("rrule", "is the series': use scope following or all").error(), call);
    EventPatch content = std::move(patch);
    co_return co_await Finish(PatchInstance(nexus, call.caller(), request.id, std::move(content),
                                            SeenOf(call), WitnessOf(call, &ViewOfInstance)),
                              call, &ViewOfInstance);
  }
  const bool ends = patch.rrule && !*patch.rrule;
  co_return co_await Finish(
      (ends ? EndRepeatingAt : PatchFrom)(nexus, call.caller(), request.id, *scope, std::move(patch),
                                          SeenOf(call), SeriesWitness(call)),
      call);
}

Task<rest::Reply<rest::Nothing>> DeleteOneInstance(Nexus& nexus, rest::Call& call, ScopedRequest request) {
  const auto scope = ScopeOf(request);
  if (!scope) co_return Refused(scope.error(), call);
  co_return co_await Finish(
      DeleteInstance(nexus, call.caller(), request.id, *scope, SeenOf(call), SilentWitnessOf<Gone>(call)),
      call);
}

// ---- rules without a series

Task<rest::Reply<PreviewAnswer>> PostPreview(Nexus&, rest::Call& call, PreviewRequest request) {
  constexpr int64_t kLimitDefault = 50;
  Master master;
  master.rrule = request.rrule;
  master.start_tzid = request.tzid;
  master.start_local = request.dtstart;
  master.exdates = request.exdates;
  master.rdates = request.rdates;
  if (request.tzid && !calendar::IsKnownZone(*request.tzid))
    co_return Refused(RefuseField("tzid", "must be a zone such as Europe/Berlin, or null").error(), call);
  const auto start = calendar::ParseLocal(request.dtstart);
  if (!start)
    co_return Refused(RefuseField("dtstart", "must be a wall time such as 2026-11-16T09:00:00").error(),
                      call);
  auto series = SeriesOf(master);
  if (!series) co_return Refused(series.error(), call);
  LocalTime after = calendar::kLocalMin;
  if (request.from) {
    const auto from = calendar::ParseLocal(*request.from);
    if (!from)
      co_return Refused(RefuseField("from", "must be a wall time such as 2026-11-16T09:00:00").error(), call);
    after = *from - std::chrono::seconds(1);
  }
  PreviewAnswer answer{.rrule = series->rule.text(), .occurrences = {}};
  const auto limit = static_cast<size_t>(request.limit.value_or(kLimitDefault));
  while (answer.occurrences.size() <= limit) {
    const auto next = calendar::NextOccurrence(*series, after);
    if (!next) co_return Refused(RefuseField("rrule", next.error().message).error(), call);
    if (!*next) break;
    if (answer.occurrences.size() == limit) {
      answer.more = true;
      break;
    }
    after = **next;
    const auto instant = calendar::ToInstant(after, request.tzid.value_or("UTC"));
    if (!instant) break;
    answer.occurrences.push_back({.local = calendar::FormatLocal(after), .utc = TextOf(*instant)});
  }
  co_return rest::Answer(std::move(answer));
}

// ---- the agenda

// The window in question, in the viewer's zone.
struct Window {
  LocalTime from, to;
};

Decision<LocalTime> DayGiven(const std::string& text, const char* field) {
  const auto local = calendar::ParseLocal(text + "T00:00:00");
  if (!local) return RefuseField(field, "must be a day such as 2026-11-16");
  return *local;
}

Decision<std::vector<AgendaKind>> KindsOf(const std::optional<std::string>& types) {
  std::vector<AgendaKind> kinds;
  std::string_view rest = types ? std::string_view(*types) : std::string_view();
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const auto found = std::ranges::find(kAgendaKindTexts, rest.substr(0, comma));
    if (found == std::end(kAgendaKindTexts))
      return RefuseField("types", "must be some of EVENT, INSTANCE, TASK, REMINDER, with commas");
    kinds.push_back(static_cast<AgendaKind>(found - std::begin(kAgendaKindTexts)));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  std::ranges::sort(kinds);
  return kinds;
}

Task<Decision<std::string>> ZoneOf(Nexus& nexus, rest::Call& call, const AgendaQuery& query) {
  if (query.tz) {
    if (!calendar::IsKnownZone(*query.tz))
      co_return RefuseField("tz", "must be a zone such as Europe/Berlin");
    co_return *query.tz;
  }
  Work work(nexus, call.caller());
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  co_return *settings->timezone;
}

Task<rest::Reply<AgendaAnswer>> AnswerAgenda(Nexus& nexus, rest::Call& call, AgendaQuery query,
                                             std::string zone, Time from, Time to) {
  constexpr int64_t kLimitDefault = 100;
  constexpr days kWindowMax{366 * 20};
  auto kinds = KindsOf(query.types);
  if (!kinds) co_return Refused(kinds.error(), call);
  if (to <= from) co_return Refused(RefuseField("to", "must be after from").error(), call);
  if (to - from > kWindowMax)
    co_return Refused(RefuseField("to", "must be at most 20 years after from").error(), call);
  AgendaRequest request{.from = from,
                        .to = to,
                        .zone = zone,
                        .kinds = *std::move(kinds),
                        .hide_done = query.hide_done.value_or(false),
                        .with_overdue = query.overdue.value_or(false),
                        .limit = query.limit.value_or(kLimitDefault),
                        .cursor = query.cursor.value_or("")};
  auto agenda = co_await ReadAgenda(nexus, call.caller(), request);
  if (!agenda) co_return Refused(agenda.error(), call);
  AgendaAnswer answer{.from = TextOf(from),
                      .to = TextOf(to),
                      .tz = zone,
                      .items = {},
                      .next_cursor = IfAny(agenda->next_cursor)};
  answer.items.reserve(agenda->entries.size());
  for (const AgendaEntry& entry : agenda->entries) answer.items.push_back(TakeView(entry));
  if (request.with_overdue) {
    answer.overdue.emplace();
    for (data::Task& task : agenda->overdue) {
      const Time due = TimeOf(*task.due_utc);
      AgendaItem item(std::move(task));
      answer.overdue->push_back(TakeView({.span = {due, due}, .item = &item}));
    }
    answer.overdue_truncated = agenda->overdue_truncated;
  }
  co_return rest::Answer(std::move(answer));
}

Task<rest::Reply<AgendaAnswer>> AnswerDays(Nexus& nexus, rest::Call& call, AgendaQuery query, Window window) {
  auto zone = co_await ZoneOf(nexus, call, query);
  if (!zone) co_return Refused(zone.error(), call);
  const auto from = calendar::ToInstant(window.from, *zone);
  const auto to = calendar::ToInstant(window.to, *zone);
  if (!from || !to) co_return Refused(RefuseField("date", "is too far away").error(), call);
  co_return co_await AnswerAgenda(nexus, call, std::move(query), *zone, *from, *to);
}

Decision<Time> MomentOf(const std::string& text, const std::string& zone, const char* field) {
  if (const auto time = model::ParseTime(Kind::kInstant, item::AttributeValue(text))) return *time;
  const auto day = DayGiven(text, field);
  if (!day) return RefuseField(field, "must be a moment such as 2026-11-16T09:00:00Z, or a day");
  const auto moment = calendar::ToInstant(*day, zone);
  if (!moment) return RefuseField(field, moment.error().message);
  return *moment;
}

Task<rest::Reply<AgendaAnswer>> GetAgenda(Nexus& nexus, rest::Call& call, AgendaWindowRequest request) {
  auto zone = co_await ZoneOf(nexus, call, request.query);
  if (!zone) co_return Refused(zone.error(), call);
  const auto from = MomentOf(request.from, *zone, "from");
  if (!from) co_return Refused(from.error(), call);
  const auto to = MomentOf(request.to, *zone, "to");
  if (!to) co_return Refused(to.error(), call);
  co_return co_await AnswerAgenda(nexus, call, std::move(request.query), *zone, *from, *to);
}

Task<rest::Reply<AgendaAnswer>> GetDay(Nexus& nexus, rest::Call& call, AgendaDayRequest request) {
  const auto day = DayGiven(request.date, "date");
  if (!day) co_return Refused(day.error(), call);
  co_return co_await AnswerDays(nexus, call, std::move(request.query), {*day, *day + days(1)});
}

Task<rest::Reply<AgendaAnswer>> GetWeek(Nexus& nexus, rest::Call& call, AgendaWeekRequest request) {
  const auto day = DayGiven(request.date, "date");
  if (!day) co_return Refused(day.error(), call);
  const std::string first = request.week_start.value_or("monday");
  if (first != "monday" && first != "sunday")
    co_return Refused(RefuseField("weekStart", "must be monday or sunday").error(), call);
  const std::chrono::weekday weekday{std::chrono::floor<days>(*day)};
  const auto since = weekday - (first == "monday" ? std::chrono::Monday : std::chrono::Sunday);
  const LocalTime begin = *day - since;
  co_return co_await AnswerDays(nexus, call, std::move(request.query), {begin, begin + days(7)});
}

Task<rest::Reply<AgendaAnswer>> GetMonth(Nexus& nexus, rest::Call& call, AgendaMonthRequest request) {
  const auto first = DayGiven(request.month + "-01", "month");
  if (!first) co_return Refused(RefuseField("month", "must be a month such as 2026-11").error(), call);
  const std::chrono::year_month_day date{std::chrono::floor<days>(*first)};
  const std::chrono::year_month_day next = date + std::chrono::months(1);
  co_return co_await AnswerDays(nexus, call, std::move(request.query),
                                {*first, LocalTime(std::chrono::local_days(next))});
}

}  // namespace

// clang-format off
std::vector<rest::Endpoint> CalendarEndpoints(Nexus& nexus) {
  rest::EndpointInfo preview = Reading("/api/nexus/rrule/preview", "previewRule", "The occurrences a rule has");
  preview.method = "POST";
  preview.keeps_receipt = false;
  rest::EndpointInfo remove_exdate = Doing("/api/nexus/masters/{masterId}/exdates/{local}", "removeExdate", "The occurrence takes place after all");
  remove_exdate.method = "DELETE";
  return {
    Route(nexus, Creating("/api/nexus/events", "createEvent", "An event, or with a rule a series"), &PostEvent),
    Route(nexus, ReadingOne("/api/nexus/events/{eventId}", "readEvent", "One event"), &GetEvent),
    Route(nexus, Changing("PATCH", "/api/nexus/events/{eventId}", "editEvent", "Another time, title, place"), &PatchOneEvent),
    Route(nexus, Deleting("/api/nexus/events/{eventId}", "deleteEvent", "The event and its reminders"), &DeleteOneEvent),

    Route(nexus, ReadingOne("/api/nexus/masters/{masterId}", "readSeries", "The rule of a series"), &GetMaster),
    Route(nexus, Changing("PATCH", "/api/nexus/masters/{masterId}", "editSeries", "All of a series, but what was edited on its own"), &PatchMaster),
    Route(nexus, Deleting("/api/nexus/masters/{masterId}", "deleteSeries", "A series with all its occurrences"), &DeleteMaster),
    Route(nexus, Reading("/api/nexus/masters/{masterId}/instances", "listInstances", "The occurrences of a series, cancelled ones too"), &GetInstances),
    Route(nexus, Doing("/api/nexus/masters/{masterId}/exdates", "addExdate", "One occurrence does not take place"), &PostExdate),
    Route(nexus, remove_exdate, &DeleteExdate),

    Route(nexus, ReadingOne("/api/nexus/instances/{instanceId}", "readInstance", "One occurrence"), &GetInstance),
    Route(nexus, Changing("PATCH", "/api/nexus/instances/{instanceId}", "editInstance", "This occurrence, the following ones too, or all"), &PatchOneInstance),
    Route(nexus, Deleting("/api/nexus/instances/{instanceId}", "deleteInstance", "This occurrence, the following ones too, or all"), &DeleteOneInstance),

    Route(nexus, preview, &PostPreview),
    Route(nexus, Reading("/api/nexus/agenda", "readAgenda", "Events, due tasks and reminders of a window, in order"), &GetAgenda),
    Route(nexus, Reading("/api/nexus/agenda/day/{date}", "readAgendaDay", "The agenda of a day"), &GetDay),
    Route(nexus, Reading("/api/nexus/agenda/week/{date}", "readAgendaWeek", "The agenda of the day's week"), &GetWeek),
    Route(nexus, Reading("/api/nexus/agenda/month/{month}", "readAgendaMonth", "The agenda of a month"), &GetMonth),
  };
}
// clang-format on

}  // namespace cairn::nexus
