#include "domains/nexus/export_calendar.h"

#include <map>

#include "base/log.h"
#include "base/yield.h"
#include "domains/nexus/calendar_entries.h"
#include "domains/nexus/ics/write_calendar.h"
#include "domains/nexus/work.h"

namespace cairn::nexus {
namespace {

// Every item of one kind.
template <class Read, class Take>
Task<Decision<void>> ForAll(model::Session& session, Read read, Take take) {
  model::typed::PageOptions options{.limit = 100, .cursor = {}};
  do {
    co_await Yield();
    auto page = co_await read(session, options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (auto& item : page->items) take(item);
    options.cursor = page->next_cursor;
  } while (!options.cursor.empty());
  co_return Decision<void>();
}

}  // namespace

Task<Decision<std::string>> ExportCalendar(Nexus& nexus, model::Caller caller) {
  using model::Session;
  Work work(nexus, caller);
  Session& session = work.session();
  ics::Calendar calendar;
  auto events = co_await ForAll(session, &data::ReadEvents<Session>,
                                [&](const data::Event& event) { calendar.events.push_back(EntryOf(event)); });
  if (!events) co_return std::unexpected(std::move(events).error());
  std::vector<data::Master> masters;
  auto series = co_await ForAll(session, &data::ReadMasters<Session>, [&](data::Master& master) {
    if (master.target_type != data::SeriesTarget::kTask) masters.push_back(std::move(master));
  });
  if (!series) co_return std::unexpected(std::move(series).error());
  std::map<std::string, std::vector<data::Instance>> exceptions;
  if (!masters.empty()) {
    auto instances = co_await ForAll(session, &data::ReadInstances<Session>, [&](data::Instance& instance) {
      if (instance.is_exception.value_or(false) && !instance.is_cancelled.value_or(false))
        exceptions[instance.master_id].push_back(std::move(instance));
    });
    if (!instances) co_return std::unexpected(std::move(instances).error());
  }
  for (const data::Master& master : masters) {
    co_await Yield();
    auto entry = EntryOf(master, exceptions[*master.master_id]);
    if (entry) {
      calendar.events.push_back(*std::move(entry));
    } else {  // stored by an earlier program with other rules: the others are still worth having
      log::Warning("a series cannot be exported",
                   {{"master", *master.master_id}, {"reason", entry.error().message}});
    }
  }
  auto tasks = co_await ForAll(session, &data::ReadTasks<Session>,
                               [&](const data::Task& task) { calendar.todos.push_back(EntryOf(task)); });
  if (!tasks) co_return std::unexpected(std::move(tasks).error());
  co_return ics::WriteCalendar(calendar);
}

}  // namespace cairn::nexus
