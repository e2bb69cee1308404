// Events, series, occurrences and the agenda as they go over the wire. Used in this folder only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/agenda.h"
#include "domains/nexus/api/convert.h"
#include "domains/nexus/events.h"
#include "domains/nexus/series.h"

namespace cairn::nexus {

inline constexpr rest::Rule kLocal{.min = 19, .max = 19, .doc = "Wall time: 2026-11-16T09:00:00."};
inline constexpr rest::Rule kMoment{
    .min = 1, .max = 40, .doc = "2026-11-16T09:00:00Z; another offset than Z only with a startTzid."};
inline constexpr rest::Rule kZone{.kind = Kind::kTimeZone, .doc = "Null: the time floats."};
inline constexpr rest::Rule kRrule{.min = 1, .max = 2'000, .doc = "RFC 5545: FREQ=WEEKLY;BYDAY=MO."};
inline constexpr rest::Rule kTags{.max = 50, .form = rest::Form::kTitle};
inline constexpr rest::Rule kDistances{.max = 10,
                                       .doc = "So many minutes before the start a reminder fires."};

// ---- what a client says

template <class Fields>
void DescribeTimes(Fields& fields, GivenTimes& times) {
  fields.Body("startUtc", times.start_utc, kMoment);
  fields.Body("endUtc", times.end_utc, kMoment);
  fields.Body("startLocal", times.start_local, kLocal);
  fields.Body("endLocal", times.end_local, kLocal);
  fields.Body("startTzid", times.tzid, kZone);
  fields.Body("allDay", times.all_day, {.doc = "Floating, from midnight to midnight."});
}
template <class Fields>
void DescribeContent(Fields& fields, EventPatch& patch) {
  fields.Body("description", patch.description, kLongText);
  fields.Body("location", patch.location, kPlace);
  fields.Body("tags", patch.tags, kTags);
  fields.Body("reminderMinutes", patch.reminder_minutes, kDistances);
  DescribeTimes(fields, patch.times);
}

template <class Fields>
void DescribeSeries(Fields& fields, SeriesPatch& patch) {
  fields.Body("title", patch.title, kNewTitle);
  DescribeContent(fields, patch);
  fields.Body(
      "rrule", patch.rrule,
      {.min = 1, .max = 2'000, .doc = "As FREQ=WEEKLY;BYDAY=MO (RFC 5545). Null: it does not repeat."});
  fields.Body("exdates", patch.exdates);
  fields.Body("rdates", patch.rdates);
}

struct CreateEventRequest {
  std::string title;
  SeriesPatch patch;
};
template <class Fields>
void Describe(Fields& fields, CreateEventRequest& request) {
  fields.Body("title", request.title, kNewTitle);
  DescribeContent(fields, request.patch);
  fields.Body("rrule", request.patch.rrule, kRrule);
  fields.Body("exdates", request.patch.exdates);
  fields.Body("rdates", request.patch.rdates);
}

struct EventRequest {
  std::string id;
};
template <class Fields>
void Describe(Fields& fields, EventRequest& request) {
  fields.Path("eventId", request.id, kId);
}

struct MasterRequest {
  std::string id;
};
template <class Fields>
void Describe(Fields& fields, MasterRequest& request) {
  fields.Path("masterId", request.id, kId);
}
struct PatchEventRequest {
  std::string id;
  SeriesPatch patch;
};
template <class Fields>
void Describe(Fields& fields, PatchEventRequest& request) {
  fields.Path("eventId", request.id, kId);
  DescribeSeries(fields, request.patch);
}

struct PatchMasterRequest {
  std::string id;
  SeriesPatch patch;
};
template <class Fields>
void Describe(Fields& fields, PatchMasterRequest& request) {
  fields.Path("masterId", request.id, kId);
  DescribeSeries(fields, request.patch);
}

struct InstancesRequest {
  std::string id;
  std::optional<std::string> from, to;
  PageQuery page;
};
template <class Fields>
void Describe(Fields& fields, InstancesRequest& request) {
  fields.Path("masterId", request.id, kId);
  fields.Query("from", request.from, {.kind = Kind::kDate, .doc = "By the clock of the series."});
  fields.Query(
      "to", request.to,
      {.kind = Kind::kDate, .doc = "The first day that is not meant. Without: as far as items are kept."});
  DescribePage(fields, request.page);
}

struct InstanceRequest {
  std::string id;
};
template <class Fields>
void Describe(Fields& fields, InstanceRequest& request) {
  fields.Path("instanceId", request.id, kId);
}
struct ScopedRequest {
  std::string id;
  std::optional<std::string> scope;
};
template <class Fields>
void DescribeScoped(Fields& fields, ScopedRequest& request) {
  fields.Path("instanceId", request.id, kId);
  fields.Query("scope", request.scope, {.max = 10, .doc = "this (unless said), following or all."});
}
template <class Fields>
void Describe(Fields& fields, ScopedRequest& request) {
  DescribeScoped(fields, request);
}
struct PatchInstanceRequest : ScopedRequest {
  SeriesPatch patch;
};
template <class Fields>
void Describe(Fields& fields, PatchInstanceRequest& request) {
  DescribeScoped(fields, request);
  DescribeSeries(fields, request.patch);
}

struct ExdateRequest {
  std::string id, local;
};
template <class Fields>
void Describe(Fields& fields, ExdateRequest& request) {
  fields.Path("masterId", request.id, kId);
  fields.Body("local", request.local, kLocal);
}
struct RemoveExdateRequest {
  std::string id, local;
};
template <class Fields>
void Describe(Fields& fields, RemoveExdateRequest& request) {
  fields.Path("masterId", request.id, kId);
  fields.Path("local", request.local, kLocal);
}

struct PreviewRequest {
  std::string rrule, dtstart;
  std::optional<std::string> tzid;
  std::optional<std::vector<std::string>> exdates, rdates;
  std::optional<std::string> from;
  std::optional<int64_t> limit;
};
template <class Fields>
void Describe(Fields& fields, PreviewRequest& request) {
  fields.Body("rrule", request.rrule, kRrule);
  fields.Body("dtstart", request.dtstart, kLocal);
  fields.Body("tzid", request.tzid, kZone);
  fields.Body("exdates", request.exdates);
  fields.Body("rdates", request.rdates);
  fields.Body("from", request.from,
              {.min = 19, .max = 19, .doc = "Wall time to begin at; dtstart unless said."});
  fields.Body("limit", request.limit, {.min = 1, .max = 1'000, .doc = "50 unless said."});
}

struct AgendaQuery {
  std::optional<std::string> tz, types;
  std::optional<bool> hide_done, overdue;
  std::optional<int64_t> limit;
  std::optional<std::string> cursor;
};
template <class Fields>
void DescribeAgenda(Fields& fields, AgendaQuery& query) {
  fields.Query("tz", query.tz, {.kind = Kind::kTimeZone, .doc = "Of the viewer; the settings' unless said."});
  fields.Query("types", query.types, {.max = 100, .doc = "EVENT,INSTANCE,TASK,REMINDER: all unless said."});
  fields.Query("hideDone", query.hide_done, {.doc = "Without tasks that are done."});
  fields.Query("overdue", query.overdue,
               {.doc = "Also open tasks that were due in the 90 days before; of the first page."});
  fields.Query("limit", query.limit, {.min = 1, .max = 100, .doc = "Items of a page; 100 unless said."});
  fields.Query("cursor", query.cursor, {.min = 1, .max = 4'000, .doc = "nextCursor of the page before."});
}
struct AgendaWindowRequest {
  std::string from, to;
  AgendaQuery query;
};
template <class Fields>
void Describe(Fields& fields, AgendaWindowRequest& request) {
  fields.Query("from", request.from, {.max = 40, .doc = "A moment, or a day where the viewer is."});
  fields.Query("to", request.to, {.max = 40, .doc = "A moment, or a day: the first that is not meant."});
  DescribeAgenda(fields, request.query);
}
struct AgendaDayRequest {
  std::string date;
  AgendaQuery query;
};
template <class Fields>
void Describe(Fields& fields, AgendaDayRequest& request) {
  fields.Path("date", request.date, kDay);
  DescribeAgenda(fields, request.query);
}
struct AgendaWeekRequest {
  std::string date;
  std::optional<std::string> week_start;
  AgendaQuery query;
};
template <class Fields>
void Describe(Fields& fields, AgendaWeekRequest& request) {
  fields.Path("date", request.date, kDay);
  fields.Query("weekStart", request.week_start, {.max = 10, .doc = "monday (unless said) or sunday."});
  DescribeAgenda(fields, request.query);
}
struct AgendaMonthRequest {
  std::string month;
  AgendaQuery query;
};
template <class Fields>
void Describe(Fields& fields, AgendaMonthRequest& request) {
  fields.Path("month", request.month, {.min = 7, .max = 7});
  DescribeAgenda(fields, request.query);
}

// ---- what it is answered

// An event, the master of a series, or an occurrence.
struct CalendarItemView {
  std::string entity_type, id, title;
  std::optional<std::string> master_id, date;
  std::optional<std::string> description, location;
  std::optional<std::vector<std::string>> tags;
  std::string start_utc, end_utc;
  std::optional<std::string> start_tzid, start_local, end_local;
  bool all_day = false;
  std::optional<std::vector<int64_t>> reminder_minutes;
  std::optional<std::string> rrule, rrule_until, materialized_from, materialized_until;
  std::optional<std::vector<std::string>> exdates, rdates;
  std::optional<std::string> split_from;
  std::optional<bool> is_exception, is_cancelled, is_virtual;
  std::optional<std::string> original_local, original_start_utc;
  std::optional<std::vector<std::string>> orphans;
  int64_t version = 0;
  std::string created_at, updated_at;
};
template <class Fields>
void Describe(Fields& fields, CalendarItemView& item) {
  fields.Name("CalendarItem");
  fields.Body("entityType", item.entity_type, {.doc = "EVENT, MASTER or INSTANCE."});
  fields.Body("id", item.id, kId);
  fields.Body("title", item.title, kTitle);
  fields.Body("masterId", item.master_id, kId);
  fields.Body("date", item.date, {.doc = "Of an occurrence: the day it stands for."});
  fields.Body("description", item.description, kLongText);
  fields.Body("location", item.location, kPlace);
  fields.Body("tags", item.tags);
  fields.Body("startUtc", item.start_utc, {.kind = Kind::kInstant, .doc = "Of a floating one: wall time."});
  fields.Body("endUtc", item.end_utc, kInstant);
  fields.Body("startTzid", item.start_tzid, {.kind = Kind::kTimeZone, .doc = "Absent: it floats."});
  fields.Body("startLocal", item.start_local, kLocal);
  fields.Body("endLocal", item.end_local, kLocal);
  fields.Body("allDay", item.all_day);
  fields.Body("reminderMinutes", item.reminder_minutes);
  fields.Body("rrule", item.rrule, kRrule);
  fields.Body("rruleUntil", item.rrule_until, kInstant);
  fields.Body("materializedFrom", item.materialized_from, kInstant);
  fields.Body("materializedUntil", item.materialized_until, kInstant);
  fields.Body("exdates", item.exdates);
  fields.Body("rdates", item.rdates);
  fields.Body("splitFrom", item.split_from,
              {.kind = Kind::kId, .doc = "The series that ends before this one."});
  fields.Body("isException", item.is_exception);
  fields.Body("isCancelled", item.is_cancelled);
  fields.Body("isVirtual", item.is_virtual,
              {.doc = "In lists: an occurrence far away, that cannot be edited yet."});
  fields.Body("originalLocal", item.original_local, kLocal);
  fields.Body("originalStartUtc", item.original_start_utc, kInstant);
  fields.Body("orphans", item.orphans,
              {.doc = "Edited occurrences that the rule does not have any more; they stay."});
  fields.Body("version", item.version);
  fields.Body("createdAt", item.created_at, kInstant);
  fields.Body("updatedAt", item.updated_at, kInstant);
}

struct CalendarItemList {
  std::vector<CalendarItemView> items;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, CalendarItemList& list) {
  fields.Body("items", list.items);
  fields.Body("nextCursor", list.next_cursor);
}

struct OccurrenceView {
  std::string local, utc;
};
template <class Fields>
void Describe(Fields& fields, OccurrenceView& occurrence) {
  fields.Name("Occurrence");
  fields.Body("local", occurrence.local, kLocal);
  fields.Body("utc", occurrence.utc, kInstant);
}
struct PreviewAnswer {
  std::string rrule;
  std::vector<OccurrenceView> occurrences;
  bool more = false;
};
template <class Fields>
void Describe(Fields& fields, PreviewAnswer& answer) {
  fields.Body("rrule", answer.rrule, {.max = 4'000, .doc = "In its one form."});
  fields.Body("occurrences", answer.occurrences);
  fields.Body("more", answer.more);
}

struct AgendaItemView {
  std::string entity_type, id, title;
  std::string start, end;
  std::optional<std::string> start_local, end_local, start_tzid;
  bool floating = false, all_day = false, is_virtual = false;
  std::optional<std::string> location;
  std::optional<std::vector<std::string>> tags;
  std::optional<std::string> master_id, date;
  std::optional<bool> is_exception;
  std::optional<data::TaskStatus> status;
  std::optional<int64_t> priority;
  std::optional<bool> done;
  std::optional<data::ReminderState> state;
  std::optional<std::string> event_id, instance_id, task_id;
  std::optional<bool> late;
  int64_t version = 0;
};
template <class Fields>
void Describe(Fields& fields, AgendaItemView& item) {
  fields.Name("AgendaItem");
  fields.Body("entityType", item.entity_type, {.doc = "EVENT, INSTANCE, TASK or REMINDER."});
  fields.Body("id", item.id, kId);
  fields.Body("title", item.title, {.max = 500});
  fields.Body("start", item.start, {.kind = Kind::kInstant, .doc = "Where the viewer is."});
  fields.Body("end", item.end, {.kind = Kind::kInstant, .doc = "As start for tasks and reminders."});
  fields.Body("startLocal", item.start_local, kLocal);
  fields.Body("endLocal", item.end_local, kLocal);
  fields.Body("startTzid", item.start_tzid, {.kind = Kind::kTimeZone});
  fields.Body("floating", item.floating);
  fields.Body("allDay", item.all_day);
  fields.Body("isVirtual", item.is_virtual, {.doc = "An occurrence far away, that cannot be edited yet."});
  fields.Body("location", item.location, kPlace);
  fields.Body("tags", item.tags);
  fields.Body("masterId", item.master_id, kId);
  fields.Body("date", item.date);
  fields.Body("isException", item.is_exception);
  fields.Body("status", item.status);
  fields.Body("priority", item.priority);
  fields.Body("done", item.done);
  fields.Body("state", item.state);
  fields.Body("eventId", item.event_id, kId);
  fields.Body("instanceId", item.instance_id, kId);
  fields.Body("taskId", item.task_id, kId);
  fields.Body("late", item.late);
  fields.Body("version", item.version, {.doc = "0 of a virtual one."});
}

struct AgendaAnswer {
  std::string from, to, tz;
  std::vector<AgendaItemView> items;
  std::optional<std::vector<AgendaItemView>> overdue;
  std::optional<bool> overdue_truncated;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, AgendaAnswer& answer) {
  fields.Name("Agenda");
  fields.Body("from", answer.from, kInstant);
  fields.Body("to", answer.to, kInstant);
  fields.Body("tz", answer.tz, {.kind = Kind::kTimeZone});
  fields.Body("items", answer.items);
  fields.Body("overdue", answer.overdue);
  fields.Body("overdueTruncated", answer.overdue_truncated);
  fields.Body("nextCursor", answer.next_cursor);
}

CalendarItemView ViewOfEvent(const Event& event);
CalendarItemView ViewOfMaster(const Master& master);
CalendarItemView ViewOfInstance(const Instance& instance);
CalendarItemView ViewOfChange(const SeriesChanged& changed);
// Takes what it shows out of the item.
AgendaItemView TakeView(const AgendaEntry& entry);

}  // namespace cairn::nexus
