#include "domains/nexus/api/calendar_types.h"

namespace cairn::nexus {
namespace {

template <class T>
std::optional<std::vector<T>> ListOf(const std::optional<model::typed::Set<T>>& set) {
  if (!set) return std::nullopt;
  return std::vector<T>(set->begin(), set->end());
}

// What all three have.
template <class T>
CalendarItemView CommonView(const T& entity, std::string entity_type, const std::optional<std::string>& id) {
  CalendarItemView view;
  view.entity_type = std::move(entity_type);
  view.id = id.value_or("");
  if constexpr (requires { entity.title.value_or(""); }) {
    view.title = entity.title.value_or("");
  } else {
    view.title = entity.title;
  }
  view.description = entity.description;
  view.location = entity.location;
  view.tags = ListOf(entity.tags);
  view.start_utc = entity.start_utc;
  view.end_utc = entity.end_utc;
  view.start_tzid = entity.start_tzid;
  view.start_local = entity.start_local;
  view.end_local = entity.end_local;
  view.all_day = entity.all_day.value_or(false);
  view.reminder_minutes = ListOf(entity.reminder_minutes);
  view.version = entity.version.value_or(0);
  view.created_at = entity.created_at.value_or("");
  view.updated_at = entity.updated_at.value_or("");
  return view;
}

template <class T>
void TakeTimes(AgendaItemView& view, T& entity, const Span& span) {
  if (entity.start_tzid) {  // then it is the same moment everywhere
    view.start = entity.start_utc;
    view.end = entity.end_utc;
  } else {
    view.start = TextOf(span.start);
    view.end = TextOf(span.end);
  }
  if (!entity.start_local || !entity.end_local) SetTimes(entity, TimesOf(entity));
  view.start_local = std::move(entity.start_local);
  view.end_local = std::move(entity.end_local);
  view.floating = !entity.start_tzid;
  view.start_tzid = std::move(entity.start_tzid);
  view.all_day = entity.all_day.value_or(false);
}

}  // namespace

CalendarItemView ViewOfEvent(const Event& event) { return CommonView(event, "EVENT", event.event_id); }

CalendarItemView ViewOfMaster(const Master& master) {
  CalendarItemView view = CommonView(master, "MASTER", master.master_id);
  view.master_id = master.master_id;
  view.rrule = master.rrule;
  view.rrule_until = master.rrule_until;
  view.materialized_from = master.materialized_from;
  view.materialized_until = master.materialized_until;
  view.exdates = master.exdates;
  view.rdates = master.rdates;
  view.split_from = master.continues_id;
  return view;
}

CalendarItemView ViewOfInstance(const Instance& instance) {
  CalendarItemView view = CommonView(instance, "INSTANCE", instance.instance_id);
  view.master_id = instance.master_id;
  view.date = instance.date;
  view.is_exception = instance.is_exception.value_or(false);
  view.is_cancelled = instance.is_cancelled.value_or(false);
  view.original_local = instance.original_local;
  view.original_start_utc = instance.original_start_utc;
  return view;
}

CalendarItemView ViewOfChange(const SeriesChanged& changed) {
  if (changed.single) return ViewOfEvent(*changed.single);
  CalendarItemView view = ViewOfMaster(changed.master);
  if (!changed.orphans.empty()) {
    view.orphans.emplace();
    for (const Instance& orphan : changed.orphans) view.orphans->push_back(*orphan.instance_id);
  }
  return view;
}

AgendaItemView TakeView(const AgendaEntry& entry) {
  AgendaItem& item = *entry.item;
  AgendaItemView view;
  view.entity_type = kAgendaKindTexts[item.index()];
  view.id = IdOf(item);
  view.is_virtual = entry.is_virtual;
  std::visit([&](const auto& entity) { view.version = entity.version.value_or(0); }, item);
  std::visit([&](const auto& entity) { view.tags = ListOf(entity.tags); }, item);
  if (auto* event = std::get_if<data::Event>(&item)) {
    view.title = std::move(event->title);
    view.location = std::move(event->location);
    TakeTimes(view, *event, entry.span);
  } else if (auto* instance = std::get_if<data::Instance>(&item)) {
    view.title = std::move(instance->title).value_or("");
    view.location = std::move(instance->location);
    view.master_id = std::move(instance->master_id);
    view.date = std::move(instance->date);
    view.is_exception = instance->is_exception.value_or(false);
    TakeTimes(view, *instance, entry.span);
  } else if (auto* task = std::get_if<data::Task>(&item)) {
    view.start = view.end = *task->due_utc;
    view.title = std::move(task->title);
    view.status = task->status;
    view.priority = task->priority;
    view.master_id = std::move(task->master_id);
    view.date = std::move(task->date);
    view.done = task->status == data::TaskStatus::kDone;
  } else if (auto* reminder = std::get_if<data::Reminder>(&item)) {
    view.start = view.end = *reminder->trigger_utc;
    view.title = std::move(reminder->title).value_or("");
    view.state = reminder->state;
    view.event_id = std::move(reminder->event_id);
    view.instance_id = std::move(reminder->instance_id);
    view.master_id = std::move(reminder->master_id);
    view.task_id = std::move(reminder->task_id);
    view.late = reminder->late;
  }
  return view;
}

}  // namespace cairn::nexus
