#include "domains/nexus/events.h"

#include "domains/nexus/reminders.h"
#include "domains/nexus/settings.h"

namespace cairn::nexus {

Task<Decision<void>> StageAround(Work& work, const Event& event,
                                 std::optional<model::typed::Set<int64_t>> distances_before) {
  const Times times = TimesOf(event);
  auto spanned = co_await StageSpan(work, DurationOf(times));
  if (!spanned) co_return spanned;
  if (!event.reminder_minutes && !distances_before) co_return Decision<void>();
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  CO_ASSIGN_OR_RETURN(const Span span, SpanIn(times, *settings->timezone));
  const Followed followed{.event_id = event.event_id,
                          .instance_id = {},
                          .master_id = {},
                          .task_id = {},
                          .title = event.title,
                          .start = span.start,
                          .minutes = event.reminder_minutes,
                          .before = std::move(distances_before)};
  co_return co_await StageFollowing(work, followed);
}

Task<Decision<Event>> CreateEvent(Nexus& nexus, model::Caller caller, EventPatch content,
                                  Witness<Event> witness) {
  CO_RETURN_IF_ERROR(CheckPatch(content));
  CO_ASSIGN_OR_RETURN(const Times times, MakeTimes(content.times));
  Work work(nexus, caller);
  Event event;
  ApplyContent(event, content);
  SetTimes(event, times);
  auto created = work.StageNew(event);
  if (!created) co_return created;
  auto finished = co_await StageAround(work, *created, {});
  if (!finished) co_return std::unexpected(std::move(finished).error());
  co_return co_await work.Publish(std::move(created), witness);
}

Task<Decision<Event>> PatchEvent(Nexus& nexus, model::Caller caller, std::string event_id, EventPatch patch,
                                 SeenVersion seen, Witness<Event> witness) {
  CO_RETURN_IF_ERROR(CheckPatch(patch));
  Work work(nexus, caller);
  const data::EventKey key{.event_id = event_id};
  auto event = co_await work.Load<Event>(key, seen);
  if (!event) co_return event;
  const auto distances_before = event->reminder_minutes;
  if (!patch.times.empty()) {
    CO_ASSIGN_OR_RETURN(const Times times, ChangeTimes(TimesOf(*event), patch.times));
    SetTimes(*event, times);
  }
  ApplyContent(*event, patch);
  auto changed = work.StageChange(*std::move(event));
  if (!changed) co_return changed;
  auto finished = co_await StageAround(work, *changed, distances_before);
  if (!finished) co_return std::unexpected(std::move(finished).error());
  co_return co_await work.Publish(std::move(changed), witness);
}

Task<Decision<void>> DeleteEvent(Nexus& nexus, model::Caller caller, std::string event_id, SeenVersion seen,
                                 Witness<Gone> witness) {
  Work work(nexus, caller);
  const data::EventKey key{.event_id = event_id};
  auto event = co_await work.Load<Event>(key, seen);
  if (!event) co_return std::unexpected(std::move(event).error());
  CO_RETURN_IF_ERROR(work.StageDelete(*event));
  const Followed nothing{.event_id = event->event_id,
                         .instance_id = {},
                         .master_id = {},
                         .task_id = {},
                         .title = {},
                         .start = {},
                         .minutes = {},
                         .before = event->reminder_minutes};
  auto forgotten = co_await StageFollowing(work, nothing);
  if (!forgotten) co_return forgotten;
  co_return co_await work.Publish(witness);
}

}  // namespace cairn::nexus
