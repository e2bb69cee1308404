#include "domains/nexus/export_calendar.h"

#include <algorithm>

#include "base/log.h"
#include "base/yield.h"
#include "domains/nexus/calendar_entries.h"
#include "domains/nexus/ics/write_calendar.h"
#include "domains/nexus/work.h"
#include "rest/sha256.h"

namespace cairn::nexus {
namespace {

using model::Session;

// Many may export at once, so one of them holds little: a text up to the first size, and a page of the
// second.
constexpr size_t kWholeBytesMax = 256 * 1024;
constexpr size_t kPageBytes = 128 * 1024;
constexpr int64_t kPageItemsMin = 8, kPageItemsMax = 100;
constexpr const char* kFirstDate = "0001-01-01";
constexpr const char* kLastDate = "9999-12-31T235959";

// The entries of a calendar as text, page by page: events, then series, then tasks.
class CalendarReader {
 public:
  CalendarReader(Nexus& nexus, model::Caller caller) : work_(nexus, caller) {}

  // The text of the next page, which may be empty; `zones` learns those of its entries.
  Task<Decision<std::string>> Next(ics::ZonesInUse& zones) {
    std::string text;
    Decision<void> read;
    switch (phase_) {
      case Phase::kEvents:
        read = co_await ReadEvents(text, zones);
        break;
      case Phase::kSeries:
        read = co_await ReadSeries(text, zones);
        break;
      case Phase::kTasks:
        read = co_await ReadTasks(text, zones);
        break;
      case Phase::kEnd:
        break;
    }
    if (!read) co_return std::unexpected(std::move(read).error());
    co_return text;
  }
  bool is_at_end() const { return phase_ == Phase::kEnd; }

 private:
  enum class Phase { kEvents, kSeries, kTasks, kEnd };

  Task<Decision<void>> ReadEvents(std::string& text, ics::ZonesInUse& zones) {
    co_await Yield();
    auto page = co_await data::ReadEvents(work_.session(), options_);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (const data::Event& event : page->items) Append(EntryOf(event), text, zones);
    GoOn(*page, Phase::kSeries);
    co_return Decision<void>();
  }

  Task<Decision<void>> ReadSeries(std::string& text, ics::ZonesInUse& zones) {
    co_await Yield();
    auto page = co_await data::ReadMasters(work_.session(), options_);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (const data::Master& master : page->items) {
      if (master.target_type == data::SeriesTarget::kTask) continue;
      co_await Yield();
      auto exceptions = co_await ExceptionsOf(master);
      if (!exceptions) co_return std::unexpected(std::move(exceptions).error());
      auto entry = EntryOf(master, *exceptions);
      if (entry) {
        Append(*entry, text, zones);
      } else {  // stored by an earlier program with other rules: the others are still worth having
        log::Warning("a series cannot be exported",
                     {{"master", *master.master_id}, {"reason", entry.error().message}});
      }
    }
    GoOn(*page, Phase::kTasks);
    co_return Decision<void>();
  }

  // What was edited of a series and takes place.
  Task<Decision<std::vector<data::Instance>>> ExceptionsOf(const data::Master& master) {
    std::vector<data::Instance> exceptions;
    const data::SeriesInstancesParameters parameters{
        .master_id = *master.master_id, .from = kFirstDate, .to = kLastDate};
    model::typed::PageOptions options{.limit = kPageItemsMax, .cursor = {}};
    do {
      auto page = co_await data::ReadSeriesInstances(work_.session(), parameters, options);
      if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
      for (auto& item : page->items) {
        auto* instance = std::get_if<data::Instance>(&item);
        if (instance != nullptr && instance->is_exception.value_or(false) &&
            !instance->is_cancelled.value_or(false))
          exceptions.push_back(std::move(*instance));
      }
      options.cursor = std::move(page->next_cursor);
      if (!options.cursor.empty()) co_await Yield();
    } while (!options.cursor.empty());
    co_return exceptions;
  }

  Task<Decision<void>> ReadTasks(std::string& text, ics::ZonesInUse& zones) {
    co_await Yield();
    auto page = co_await data::ReadTasks(work_.session(), options_);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (const data::Task& task : page->items) {
      const ics::Todo todo = EntryOf(task);
      zones.Add(todo);
      ics::AppendTodo(text, todo);
    }
    GoOn(*page, Phase::kEnd);
    co_return Decision<void>();
  }

  static void Append(const ics::Event& entry, std::string& text, ics::ZonesInUse& zones) {
    zones.Add(entry);
    ics::AppendEvent(text, entry);
  }
  template <class Page>
  void GoOn(Page& page, Phase after) {
    options_.cursor = std::move(page.next_cursor);
    // Of large items the store is asked for few: those that do not fit a page are read in vain.
    options_.limit = std::clamp(static_cast<int64_t>(page.items.size()) * 2, kPageItemsMin, kPageItemsMax);
    if (!options_.cursor.empty()) return;
    phase_ = after;
    options_.limit = kPageItemsMax;
  }

  Work work_;
  Phase phase_ = Phase::kEvents;
  model::typed::PageOptions options_{.limit = kPageItemsMax, .cursor = {}, .bytes_max = kPageBytes};
};

// What was not known when the first byte was sent is defined where it is first used.
class CalendarSource final : public http::BodySource {
 public:
  CalendarSource(Nexus& nexus, model::Caller caller, ics::ZonesInUse zones)
      : reader_(nexus, std::move(caller)), zones_(std::move(zones)) {}

  Task<Result<std::string>> Next() override {
    std::string text;
    if (!has_begun_) ics::AppendBeginning(text, zones_);
    has_begun_ = true;
    while (text.empty() && !reader_.is_at_end()) {
      ics::ZonesInUse found;
      auto page = co_await reader_.Next(found);
      if (!page) co_return Fail(page.error().code, page.error().message);
      found.Subtract(zones_);
      found.AppendTo(text);
      text += *page;
    }
    if (text.empty() && !has_ended_) {
      ics::AppendEnd(text);
      has_ended_ = true;
    }
    co_return text;
  }

 private:
  CalendarReader reader_;
  const ics::ZonesInUse zones_;
  bool has_begun_ = false, has_ended_ = false;
};

}  // namespace

Task<Decision<CalendarExport>> ExportCalendar(Nexus& nexus, model::Caller caller) {
  CalendarReader reader(nexus, caller);
  ics::ZonesInUse zones;
  std::string entries;
  std::string digest;  // of what was too much to keep
  while (!reader.is_at_end()) {
    auto page = co_await reader.Next(zones);
    if (!page) co_return std::unexpected(std::move(page).error());
    entries += *page;
    if (entries.size() <= kWholeBytesMax) continue;
    digest = rest::Sha256Text(digest + entries);
    entries.clear();
  }
  CalendarExport exported;
  ics::AppendBeginning(exported.text, zones);
  if (digest.empty()) {
    exported.text += entries;
    ics::AppendEnd(exported.text);
    exported.tag = rest::Sha256Text(exported.text);
    co_return exported;
  }
  exported.tag = rest::Sha256Text(digest + exported.text + entries);
  exported.text.clear();
  exported.source = std::make_shared<CalendarSource>(nexus, std::move(caller), std::move(zones));
  co_return exported;
}

}  // namespace cairn::nexus
