#include "domains/nexus/import_series.h"

#include <map>
#include <set>

#include "base/aside.h"
#include "base/slice.h"
#include "domains/nexus/ics/write_calendar.h"
#include "domains/nexus/instance_plan.h"
#include "domains/nexus/reminders.h"
#include "domains/nexus/series_reminders.h"
#include "domains/nexus/series_store.h"
#include "domains/nexus/settings.h"

namespace cairn::nexus {
namespace {

constexpr size_t kItemsOfOnePart = 80;  // the store takes 100; the master, its job and settings come along

// An occurrence as it is to be, and the distances of reminders that it may have so far.
struct InstanceChange {
  data::Instance instance;
  bool is_new = false;
  model::typed::Set<int64_t> distances_before = {};
};

class InstanceChanges {
 public:
  InstanceChanges(const data::Master& master, const std::vector<data::Instance>& existing)
      : master_(master), existing_(existing) {}

  Decision<std::vector<InstanceChange>> Find(const std::vector<ics::Override>& overrides) {
    for (const data::Instance& instance : existing_)
      by_original_.emplace(instance.original_local.value_or(""), &instance);
    for (const ics::Override& override : overrides) RETURN_IF_ERROR(Add(override));
    for (const data::Instance& instance : existing_) RETURN_IF_ERROR(Revert(instance));
    return std::move(changes_);
  }

 private:
  Decision<void> Add(const ics::Override& override) {
    const std::string original = calendar::FormatLocal(override.original);
    edited_.insert(original);
    const auto found = by_original_.find(original);
    if (found != by_original_.end()) {
      data::Instance instance = *found->second;
      RETURN_IF_ERROR(SetContent(instance, override.content, master_));
      if (!IsSame(instance, *found->second)) Push(std::move(instance), found->second);
      return {};
    }
    ASSIGN_OR_RETURN(data::Instance instance, NewInstance(override.original, original));
    RETURN_IF_ERROR(SetContent(instance, override.content, master_));
    Push(std::move(instance), nullptr);
    return {};
  }

  // As the series itself would make it, so that it does not make it again.
  Decision<data::Instance> NewInstance(LocalTime original, const std::string& text) {
    if (!planned_) {
      ASSIGN_OR_RETURN(InstancePlan plan, PlanInstances(master_, existing_, Time()));
      planned_.emplace();
      for (data::Instance& instance : plan.create)
        planned_->emplace(*instance.original_local, std::move(instance));
    }
    if (const auto found = planned_->find(text); found != planned_->end()) return found->second;
    ASSIGN_OR_RETURN(data::Instance instance, InstanceAt(master_, original, text.substr(0, 10)));
    instance.instance_id = PrefixedId("inst_", *master_.master_id + " " + text, "imported occurrence");
    return instance;
  }

  // Edited here, but not in the calendar: as the rule has it. What the rule does not have goes when the
  // series is aligned.
  Decision<void> Revert(const data::Instance& instance) {
    const bool is_edited = instance.is_exception.value_or(false) && !instance.is_cancelled.value_or(false);
    const auto original = calendar::ParseLocal(instance.original_local.value_or(""));
    if (!is_edited || !original || edited_.contains(*instance.original_local)) return {};
    ASSIGN_OR_RETURN(data::Instance fresh, InstanceAt(master_, *original, instance.date));
    fresh.instance_id = instance.instance_id;
    fresh.version = instance.version;
    fresh.created_at = instance.created_at;
    Push(std::move(fresh), &instance);
    return {};
  }

  void Push(data::Instance instance, const data::Instance* before) {
    InstanceChange change{.instance = std::move(instance), .is_new = before == nullptr};
    if (before != nullptr) change.distances_before = DistancesOf(master_, *before);
    changes_.push_back(std::move(change));
  }

  const data::Master& master_;
  const std::vector<data::Instance>& existing_;
  std::map<std::string, const data::Instance*> by_original_;
  std::set<std::string> edited_;
  std::optional<std::map<std::string, data::Instance>> planned_;
  std::vector<InstanceChange> changes_;
};

Task<Decision<void>> StageInstance(Work& work, const data::Master& master, const InstanceChange& change,
                                   const std::string& zone) {
  auto staged =
      change.is_new ? work.StageNew(change.instance) : work.StageChange(data::Instance(change.instance));
  if (!staged) co_return std::unexpected(std::move(staged).error());
  auto distances = DistancesOf(master, change.instance);
  if (distances.empty() && change.distances_before.empty()) co_return Decision<void>();
  CO_ASSIGN_OR_RETURN(const Span span, SpanIn(TimesOf(change.instance), zone));
  const Followed followed{.event_id = {},
                          .instance_id = change.instance.instance_id,
                          .master_id = change.instance.master_id,
                          .task_id = {},
                          .title = change.instance.title.value_or(master.title),
                          .start = span.start,
                          .minutes = std::move(distances),
                          .before = change.distances_before};
  co_return co_await StageFollowing(work, followed);
}

std::vector<data::Instance> EditedOf(const std::vector<data::Instance>& instances) {
  std::vector<data::Instance> edited;
  for (const data::Instance& instance : instances) {
    if (instance.is_exception.value_or(false) && !instance.is_cancelled.value_or(false))
      edited.push_back(instance);
  }
  return edited;
}

// With a reminder and a job for every distance.
size_t ItemsOf(const data::Master& master, const InstanceChange& change) {
  return 1 + 2 * (DistancesOf(master, change.instance).size() + change.distances_before.size());
}

Decision<void> StageMaster(Work& work, data::Master& master) {
  auto staged = master.version ? work.StageChange(master) : work.StageNew(master);
  if (!staged) return std::unexpected(std::move(staged).error());
  master = *std::move(staged);
  return StageSeriesJob(work, *master.master_id, SoonAfter(work.nexus().Now()));
}

// What the calendar has that the store has not.
struct SeriesDifference {
  data::Master master;  // as it is to be
  bool is_known = false, is_master_same = false;
  std::vector<InstanceChange> changes;
  Density density = Density::kSparse;
};

Decision<SeriesDifference> Compare(const Known<data::Master>& known,
                                   const std::vector<data::Instance>& existing, const ics::Event& entry,
                                   std::optional<int64_t> kept_ahead, Time now) {
  const std::optional<data::Master>& before = known.entity;
  SeriesDifference difference{
      .master = before.value_or(data::Master()), .is_known = before.has_value(), .changes = {}};
  data::Master& master = difference.master;
  master.master_id = known.id;
  if (before) {
    const auto shown = EntryOf(*before, EditedOf(existing));
    if (shown && ics::MeansTheSame(*shown, entry)) {
      difference.is_master_same = true;
      return difference;
    }
  }
  RETURN_IF_ERROR(SetContent(master, entry));
  difference.is_master_same = before && IsSame(master, *before);
  if (!before) {
    master.uid = entry.uid;
    master.kept_ahead = kept_ahead;
  }
  if (!difference.is_master_same) {
    ASSIGN_OR_RETURN(difference.density, SetHorizon(master, now));
  }
  InstanceChanges finder(master, existing);
  ASSIGN_OR_RETURN(difference.changes, finder.Find(entry.overrides));
  return difference;
}

// Writes a difference: the master with the first edited occurrences, then the others, as long as nobody
// changes the master.
class SeriesWriter {
 public:
  SeriesWriter(SeriesDifference difference, std::string zone)
      : difference_(std::move(difference)), zone_(std::move(zone)) {}

  bool is_done() const { return is_master_written_ && position_ == difference_.changes.size(); }
  const std::string& master_id() const { return *difference_.master.master_id; }
  EntryFate fate() const { return difference_.is_known ? EntryFate::kUpdated : EntryFate::kCreated; }

  // One transaction.
  Task<Decision<void>> WritePart(Work& work) {
    data::Master& master = difference_.master;
    if (is_master_written_ || difference_.is_master_same) {
      const data::MasterKey key{.master_id = master_id()};
      if (auto checked = data::CheckMaster(work.session(), key, master.version); !checked)
        co_return std::unexpected(Refusal(std::move(checked).error()));
    } else {
      CO_RETURN_IF_ERROR(StageMaster(work, master));
    }
    auto longest = DurationOf(TimesOf(master));
    size_t items = 0, position = position_;
    for (; position < difference_.changes.size(); ++position) {
      const InstanceChange& change = difference_.changes[position];
      items += ItemsOf(master, change);
      if (items > kItemsOfOnePart && position > position_) break;
      const auto duration = DurationOf(TimesOf(change.instance));
      if (duration <= kEventSpanMax)
        longest = std::max(longest > kEventSpanMax ? duration : longest, duration);
      auto staged = co_await StageInstance(work, master, change, zone_);
      if (!staged) co_return std::unexpected(std::move(staged).error());
    }
    auto spanned = co_await StageSpan(work, longest, difference_.density);
    if (!spanned) co_return std::unexpected(std::move(spanned).error());
    auto committed = co_await work.Commit();
    if (!committed) co_return std::unexpected(std::move(committed).error());
    is_master_written_ = true;
    position_ = position;
    co_return Decision<void>();
  }

 private:
  SeriesDifference difference_;
  const std::string zone_;
  bool is_master_written_ = false;
  size_t position_ = 0;  // of the changes: the next one
};

}  // namespace

Task<Decision<SeriesImport>> ImportMaster(Nexus& nexus, const model::Caller& caller, const ics::Event& entry,
                                          std::optional<int64_t> kept_ahead, Time until) {
  std::optional<SeriesWriter> writer;
  {
    Work work(nexus, caller);
    auto known = co_await FindKnown<data::Master, data::MasterKey>(work, "mst_", entry.uid);
    if (!known) co_return std::unexpected(std::move(known).error());
    const std::optional<data::Master>& before = known->entity;
    if (before && before->target_type == data::SeriesTarget::kTask)
      co_return Refuse("series-of-tasks", "This series makes tasks");
    std::vector<data::Instance> existing;
    if (before) {
      auto read = co_await ReadAllInstances(work, known->id);
      if (!read) co_return std::unexpected(std::move(read).error());
      existing = *std::move(read);
    }
    auto compare = [&] { return Compare(*known, existing, entry, kept_ahead, nexus.Now()); };
    auto compared = co_await Aside(compare);
    if (!compared) co_return std::unexpected(std::move(compared).error());
    if (compared->is_master_same && compared->changes.empty())
      co_return SeriesImport{.master_id = known->id, .fate = EntryFate::kUnchanged};
    auto settings = co_await ReadSettings(work);
    if (!settings) co_return std::unexpected(std::move(settings).error());
    writer.emplace(*std::move(compared), *settings->timezone);
  }
  while (!writer->is_done()) {
    if (nexus.Now() >= until)
      co_return SeriesImport{.master_id = writer->master_id(), .fate = EntryFate::kUnfinished};
    co_await Breathe();
    Work work(nexus, caller);
    auto written = co_await writer->WritePart(work);
    if (!written) co_return std::unexpected(std::move(written).error());
  }
  co_return SeriesImport{.master_id = writer->master_id(), .fate = writer->fate()};
}

Task<Decision<void>> AlignImported(Nexus& nexus, const model::Caller& caller, const std::string& master_id) {
  auto aligned = co_await AlignSeries(nexus, caller, master_id);
  if (!aligned) co_return std::unexpected(std::move(aligned).error());
  Work work(nexus, caller);
  const data::MasterKey key{.master_id = master_id};
  auto master = co_await work.Load<data::Master>(key);
  if (!master) co_return std::unexpected(std::move(master).error());
  co_return co_await PlanGrowth(nexus, caller, *std::move(master));
}

}  // namespace cairn::nexus
