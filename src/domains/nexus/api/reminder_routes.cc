// The routes of reminders.
#include "domains/nexus/api/convert.h"
#include "domains/nexus/api/endpoints.h"
#include "domains/nexus/reminder_list.h"
#include "domains/nexus/reminders.h"

namespace cairn::nexus {
namespace {

struct SnoozeView {
  int64_t count = 0;
  std::optional<std::string> until, original_trigger_utc;
};
template <class Fields>
void Describe(Fields& fields, SnoozeView& snooze) {
  fields.Name("SnoozeState");
  fields.Body("count", snooze.count);
  fields.Body("until", snooze.until, kInstant);
  fields.Body("originalTriggerUtc", snooze.original_trigger_utc, kInstant);
}

struct ReminderView {
  std::string id;
  std::optional<std::string> title, notes, trigger_utc;
  data::ReminderState state{};
  std::optional<SnoozeView> snooze;
  std::optional<std::string> event_id, instance_id, master_id, task_id;
  std::optional<int64_t> minutes_before;
  std::optional<std::string> fired_at;
  bool late = false;
  int64_t version = 0;
  std::string created_at, updated_at;
};
template <class Fields>
void Describe(Fields& fields, ReminderView& reminder) {
  fields.Name("Reminder");
  fields.Body("reminderId", reminder.id, kId);
  fields.Body("title", reminder.title, {.max = 500});
  fields.Body("notes", reminder.notes, {.max = 10'000});
  fields.Body("triggerUtc", reminder.trigger_utc, kInstant);
  fields.Body("state", reminder.state);
  fields.Body("snoozeState", reminder.snooze);
  fields.Body("eventId", reminder.event_id, kId);
  fields.Body("instanceId", reminder.instance_id, kId);
  fields.Body("masterId", reminder.master_id, kId);
  fields.Body("taskId", reminder.task_id, kId);
  fields.Body("minutesBefore", reminder.minutes_before);
  fields.Body("firedAt", reminder.fired_at, kInstant);
  fields.Body("late", reminder.late, {.doc = "Fired after its time, because the server was away."});
  fields.Body("version", reminder.version);
  fields.Body("createdAt", reminder.created_at, kInstant);
  fields.Body("updatedAt", reminder.updated_at, kInstant);
}

ReminderView ViewOf(const Reminder& reminder) {
  ReminderView view{.id = reminder.reminder_id.value_or(""),
                    .title = reminder.title,
                    .notes = reminder.notes,
                    .trigger_utc = reminder.trigger_utc,
                    .state = reminder.state.value_or(data::ReminderState::kScheduled),
                    .snooze = {},
                    .event_id = reminder.event_id,
                    .instance_id = reminder.instance_id,
                    .master_id = reminder.master_id,
                    .task_id = reminder.task_id,
                    .minutes_before = reminder.minutes_before,
                    .fired_at = reminder.fired_at,
                    .late = reminder.late.value_or(false),
                    .version = reminder.version.value_or(0),
                    .created_at = reminder.created_at.value_or(""),
                    .updated_at = reminder.updated_at.value_or("")};
  if (const auto& state = reminder.snooze_state) {
    view.snooze = {.count = state->count.value_or(0),
                   .until = state->until,
                   .original_trigger_utc = state->original_trigger_utc};
  }
  return view;
}

struct ReminderList {
  std::vector<ReminderView> items;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, ReminderList& list) {
  fields.Body("items", list.items);
  fields.Body("nextCursor", list.next_cursor);
}

struct CreateRequest {
  NewReminder reminder;
};
template <class Fields>
void Describe(Fields& fields, CreateRequest& request) {
  fields.Body("title", request.reminder.title, kNewTitle);
  fields.Body("notes", request.reminder.notes, {.max = 10'000});
  fields.Body("triggerUtc", request.reminder.trigger_utc, kInstant);
  fields.Body("eventId", request.reminder.event_id, kId);
  fields.Body("instanceId", request.reminder.instance_id, kId);
  fields.Body("taskId", request.reminder.task_id, kId);
  fields.Body("minutesBefore", request.reminder.minutes_before, {.min = 0, .max = 525'600});
}
struct OneRequest {
  std::string id;
};
template <class Fields>
void Describe(Fields& fields, OneRequest& request) {
  fields.Path("reminderId", request.id, kId);
}
struct PatchRequest {
  ChangeReminder change;
};
template <class Fields>
void Describe(Fields& fields, PatchRequest& request) {
  fields.Path("reminderId", request.change.reminder_id, kId);
  fields.Body("title", request.change.title, kNewTitle);
  fields.Body("notes", request.change.notes, {.max = 10'000});
  fields.Body("triggerUtc", request.change.trigger_utc, kInstant);
}
struct SnoozeRequest {
  Snooze snooze;
};
template <class Fields>
void Describe(Fields& fields, SnoozeRequest& request) {
  fields.Path("reminderId", request.snooze.reminder_id, kId);
  fields.Body("minutes", request.snooze.minutes, {.min = 1, .max = 525'600, .doc = "5, 10, 30, 60 ..."});
  fields.Body("until", request.snooze.until, kInstant);
  fields.Body("tomorrow", request.snooze.tomorrow,
              {.optional = true, .doc = "At nine o'clock, in the zone of the settings."});
}
struct ListRequest {
  PageQuery page;
};
template <class Fields>
void Describe(Fields& fields, ListRequest& request) {
  DescribePage(fields, request.page);
}
struct DueRequest {
  std::optional<std::string> before;
  PageQuery page;
};
template <class Fields>
void Describe(Fields& fields, DueRequest& request) {
  fields.Query("before", request.before, {.kind = Kind::kInstant, .doc = "Now unless said."});
  DescribePage(fields, request.page);
}

Task<rest::Reply<ReminderView>> PostReminder(Nexus& nexus, rest::Call& call, CreateRequest request) {
  co_return co_await Finish(
      CreateReminder(nexus, call.caller(), std::move(request.reminder), WitnessOf(call, &ViewOf)), call,
      &ViewOf);
}

Task<rest::Reply<ReminderView>> GetReminder(Nexus& nexus, rest::Call& call, OneRequest request) {
  Work work(nexus, call.caller());
  const data::ReminderKey key{.reminder_id = request.id};
  co_return co_await Finish(work.Load<Reminder>(key), call, &ViewOf);
}

Task<rest::Reply<ReminderView>> PatchOne(Nexus& nexus, rest::Call& call, PatchRequest request) {
  co_return co_await Finish(
      PatchReminder(nexus, call.caller(), std::move(request.change), SeenOf(call), WitnessOf(call, &ViewOf)),
      call, &ViewOf);
}

Task<rest::Reply<rest::Nothing>> DeleteOne(Nexus& nexus, rest::Call& call, OneRequest request) {
  co_return co_await Finish(
      DeleteReminder(nexus, call.caller(), request.id, SeenOf(call), SilentWitnessOf<Gone>(call)), call);
}

Task<rest::Reply<ReminderView>> PostSnooze(Nexus& nexus, rest::Call& call, SnoozeRequest request) {
  co_return co_await Finish(
      SnoozeReminder(nexus, call.caller(), std::move(request.snooze), SeenOf(call), WitnessOf(call, &ViewOf)),
      call, &ViewOf);
}

Task<rest::Reply<ReminderView>> PostDismiss(Nexus& nexus, rest::Call& call, OneRequest request) {
  co_return co_await Finish(
      DismissReminder(nexus, call.caller(), request.id, SeenOf(call), WitnessOf(call, &ViewOf)), call,
      &ViewOf);
}

Task<rest::Reply<ReminderList>> GetReminders(Nexus& nexus, rest::Call& call, ListRequest request) {
  constexpr int64_t kOnAPage = 50;
  Work work(nexus, call.caller());
  const auto limit = static_cast<size_t>(request.page.limit.value_or(kOnAPage));
  auto page = co_await ReadByTime(work, request.page.cursor.value_or(""), limit);
  if (!page) co_return Refused(page.error(), call);
  ReminderList list{.items = {}, .next_cursor = IfAny(page->next_cursor)};
  for (const Reminder& reminder : page->items) list.items.push_back(ViewOf(reminder));
  co_return rest::Answer(std::move(list));
}

// What has fired, or is about to, and nobody has dismissed: of the last thirty days, the oldest first. A page
// may be short, or empty, and still have a next one.
Task<rest::Reply<ReminderList>> GetDue(Nexus& nexus, rest::Call& call, DueRequest request) {
  constexpr std::chrono::days kReach{30};
  Work work(nexus, call.caller());
  const Time before = request.before ? TimeOf(*request.before) : nexus.Now();
  const data::AgendaWindowParameters parameters{.from = TextOf(before - kReach), .to = TextOf(before)};
  const model::typed::PageOptions options = OptionsOf(request.page);
  auto page = co_await data::ReadAgendaWindow(work.session(), parameters, options);
  if (!page) co_return Refused(Refusal(std::move(page).error()), call);
  ReminderList list{.items = {}, .next_cursor = IfAny(page->next_cursor)};
  for (const auto& item : page->items) {
    const auto* reminder = std::get_if<Reminder>(&item);
    if (reminder != nullptr && reminder->state != data::ReminderState::kDismissed)
      list.items.push_back(ViewOf(*reminder));
  }
  co_return rest::Answer(std::move(list));
}

}  // namespace

// clang-format off
std::vector<rest::Endpoint> ReminderEndpoints(Nexus& nexus) {
  return {
    Route(nexus, Creating("/api/nexus/reminders", "createReminder", "At a moment, or so many minutes before something"), &PostReminder),
    Route(nexus, Reading("/api/nexus/reminders", "listReminders", "All reminders in the order of time; those without a moment come last"), &GetReminders),
    Route(nexus, Reading("/api/nexus/reminders/due", "listDueReminders", "Those whose moment has come, until they are dismissed"), &GetDue),
    Route(nexus, ReadingOne("/api/nexus/reminders/{reminderId}", "readReminder", "One reminder"), &GetReminder),
    Route(nexus, Changing("PATCH", "/api/nexus/reminders/{reminderId}", "editReminder", "Another moment or text"), &PatchOne),
    Route(nexus, Deleting("/api/nexus/reminders/{reminderId}", "deleteReminder", "One reminder"), &DeleteOne),
    Route(nexus, Doing("/api/nexus/reminders/{reminderId}/snooze", "snoozeReminder", "Later"), &PostSnooze),
    Route(nexus, Doing("/api/nexus/reminders/{reminderId}/dismiss", "dismissReminder", "Seen"), &PostDismiss),
  };
}
// clang-format on

}  // namespace cairn::nexus
