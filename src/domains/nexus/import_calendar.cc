#include "domains/nexus/import_calendar.h"

#include <functional>

#include "base/aside.h"
#include "base/slice.h"
#include "base/test_point.h"
#include "base/together.h"
#include "domains/nexus/import_entry.h"
#include "domains/nexus/import_share.h"
#include "domains/nexus/settings.h"

namespace cairn::nexus {
namespace {

constexpr std::chrono::seconds kWorkedMax{20};
constexpr size_t kReadHereBytesMax = 16 * 1024;  // of text; more is read by a helper
constexpr size_t kAtOnce = 8;  // events: they share the store's syncs. Tasks want the same end of a column

std::string ReasonOf(const Refusal& refusal) {
  if (refusal.fields.empty()) return refusal.message;
  return refusal.fields.front().field + " " + refusal.fields.front().message;
}

// Whether the refusal is about the entry, or the store could not do it.
bool IsAboutEntry(const Refusal& refusal) {
  return refusal.code == Code::kInvalidArgument || refusal.code == Code::kLimitExceeded ||
         refusal.code == Code::kConditionFailed || refusal.code == Code::kTooLarge;
}

class Importer {
 public:
  Importer(Nexus& nexus, const model::Caller& caller, const ics::Calendar& calendar, std::string zone)
      : nexus_(nexus),
        caller_(caller),
        calendar_(calendar),
        zone_(std::move(zone)),
        until_(nexus.Now() + kWorkedMax) {}

  Task<Decision<void>> Run(Imported& imported) {
    const size_t total = calendar_.events.size() + calendar_.todos.size();
    size_t position = 0;
    kept_ahead_ = co_await FindShare(nexus_, calendar_);
    if (kept_ahead_) {
      imported.notes.Add(0, "VCALENDAR", "",
                         "has very many recurring events: of each at most " + std::to_string(*kept_ahead_) +
                             " coming occurrences are kept. Later ones are shown, but cannot be edited yet");
    }
    while (position < total && nexus_.Now() < until_ && !nexus_.jobs().IsStopping()) {
      co_await Breathe();
      co_await TestPoint("nexus.import-portion");
      if (const Status room = nexus_.CheckRoom(*caller_.Claim("sub")); !room) {
        imported.notes.Add(0, "VCALENDAR", "", room.error().message);
        break;
      }
      const size_t first = position;
      std::vector<Task<Decision<EntryFate>>> work;
      const size_t at_once = position < calendar_.events.size() ? kAtOnce : 1;
      for (; position < total && work.size() < at_once; ++position) work.push_back(Import(position));
      std::vector<Decision<EntryFate>> fates = co_await Together(std::move(work));
      for (size_t i = 0; i < fates.size(); ++i) {
        if (!fates[i] && !IsAboutEntry(fates[i].error()))
          co_return std::unexpected(std::move(fates[i]).error());
        Count(first + i, fates[i], imported);
      }
    }
    imported.remaining += static_cast<int64_t>(total - position);
    co_return Decision<void>();
  }

 private:
  Task<Decision<EntryFate>> Import(size_t position) {
    if (position >= calendar_.events.size())
      return ImportTask(nexus_, caller_, calendar_.todos[position - calendar_.events.size()], zone_);
    const ics::Event& event = calendar_.events[position];
    return event.rrule.empty() ? ImportEvent(nexus_, caller_, event)
                               : ImportSeries(nexus_, caller_, event, kept_ahead_, until_);
  }

  void Count(size_t position, const Decision<EntryFate>& fate, Imported& imported) const {
    if (!fate) {
      const bool is_event = position < calendar_.events.size();
      const int64_t line = is_event ? calendar_.events[position].line
                                    : calendar_.todos[position - calendar_.events.size()].line;
      imported.notes.Add(line, is_event ? "VEVENT" : "VTODO", "", ReasonOf(fate.error()));
      ++imported.skipped;
      return;
    }
    ++(*fate == EntryFate::kCreated      ? imported.created
       : *fate == EntryFate::kUpdated    ? imported.updated
       : *fate == EntryFate::kUnfinished ? imported.remaining
                                         : imported.unchanged);
  }

  Nexus& nexus_;
  const model::Caller& caller_;
  const ics::Calendar& calendar_;
  const std::string zone_;
  const Time until_;
  std::optional<int64_t> kept_ahead_;
};

}  // namespace

Task<Decision<Imported>> ImportCalendar(Nexus& nexus, model::Caller caller, std::string text) {
  auto read = [&] { return ics::ReadCalendar(text); };
  auto reading = co_await Aside(read, text.size() > kReadHereBytesMax ? Length::kLong : Length::kShort);
  if (!reading) {
    const bool too_much = reading.error().code == Code::kLimitExceeded;
    co_return std::unexpected(Refusal(
        reading.error().code, too_much ? "too-many-components" : "not-a-calendar", reading.error().message));
  }
  Work work(nexus, caller);
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  Imported imported;
  imported.skipped = reading->skipped;
  imported.notes = std::move(reading->notes);
  Importer importer(nexus, caller, reading->calendar, *settings->timezone);
  auto done = co_await importer.Run(imported);
  if (!done) co_return std::unexpected(std::move(done).error());
  co_return imported;
}

}  // namespace cairn::nexus
