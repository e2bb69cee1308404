#include "domains/nexus/reminder_list.h"

#include <map>

#include "base/yield.h"
#include "model/cursor.h"

namespace cairn::nexus {
namespace {

// Behind every moment.
constexpr std::string_view kNoMoment = "~";

// Moments are texts of one length, so their order is that of time.
std::string PlaceOf(const Reminder& reminder) {
  return reminder.trigger_utc.value_or(std::string(kNoMoment)) + "\n" + *reminder.reminder_id;
}

std::string BoundTo(const Work& work) { return "nexus-reminders\n" + work.user_id(); }

}  // namespace

Task<Decision<ReminderPage>> ReadByTime(Work& work, std::string cursor, size_t limit) {
  const model::CursorSealer& cursors = work.nexus().database().cursors();
  std::string after;
  if (!cursor.empty()) {
    auto opened = cursors.Open(cursor, BoundTo(work));
    if (!opened) co_return RefuseField("cursor", "is not a cursor of this list: begin again without it");
    after = *std::move(opened);
  }
  std::map<std::string, Reminder> first;  // by place: the next ones, and one more
  model::typed::PageOptions options{.limit = 100, .cursor = {}};
  do {
    co_await Yield();
    auto page = co_await data::ReadReminders(work.session(), options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (Reminder& reminder : page->items) {
      std::string place = PlaceOf(reminder);
      if (place <= after) continue;
      if (first.size() > limit && place >= first.rbegin()->first) continue;
      first.emplace(std::move(place), std::move(reminder));
      if (first.size() > limit + 1) first.erase(std::prev(first.end()));
    }
    options.cursor = page->next_cursor;
  } while (!options.cursor.empty());
  ReminderPage result;
  const bool is_more = first.size() > limit;
  if (is_more) first.erase(std::prev(first.end()));
  if (is_more) result.next_cursor = cursors.Seal(first.rbegin()->first, BoundTo(work));
  for (auto& [place, reminder] : first) result.items.push_back(std::move(reminder));
  co_return result;
}

}  // namespace cairn::nexus
