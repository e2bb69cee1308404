#include "judge.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/task.h"
#include "engine/internal/sequences.h"
#include "store_reader.h"
#include "workload.h"

namespace cairn::faults {
namespace {

using engine::Engine;
using item::Item;
using store::StreamRecord;

class Judgement {
 public:
  Judgement(Engine& engine, Ledger& ledger, const Clock& clock)
      : engine_(engine), ledger_(ledger), clock_(clock) {}

  Verdict Run(const std::optional<RelaxedLoss>& allowed) {
    for (std::string& complaint : ledger_.TakeComplaints()) Find(std::move(complaint));
    if (!ReadEverything()) return std::move(verdict_);
    for (const auto& [id, operation] : ledger_.operations()) Register(operation);
    Replay();
    for (auto& [id, operation] : ledger_.operations()) Settle(operation, allowed);
    if (allowed) CheckNoHole();
    CheckOrder();
    for (const std::string& table : {kMain, kSide}) CheckIndexes(table);
    Scrub();
    return std::move(verdict_);
  }

 private:
  struct Found {
    size_t writes = 0;                                      // of the operation
    uint64_t first = std::numeric_limits<uint64_t>::max();  // sequence
  };

  void Find(std::string problem) { verdict_.problems.push_back(std::move(problem)); }
  bool ReadEverything();
  void Register(const Operation& operation);
  void Replay();
  void Match(const TableRecord& entry, const Place& place);
  void Settle(Operation& operation, const std::optional<RelaxedLoss>& allowed);
  void Lose(Operation& operation, const RelaxedLoss& allowed);
  void CheckNoHole();
  void CheckOrder();
  void CheckIndexes(const std::string& table);
  void Scrub();

  Engine& engine_;
  Ledger& ledger_;
  const Clock& clock_;
  Verdict verdict_;
  std::vector<TableRecord> records_;
  std::map<int64_t, int64_t> writers_of_;                                  // number -> operation
  std::map<std::pair<Place, int64_t>, std::vector<int64_t>> removers_of_;  // state removed -> operations
  std::map<int64_t, Found> found_;                                         // by operation
  int64_t lost_ended_first_ = std::numeric_limits<int64_t>::max();  // tick of the first yes that was lost
};

bool Judgement::ReadEverything() {
  for (const std::string& table : {kMain, kSide}) {
    auto rows = ReadTable(engine_, table);
    auto records = ReadStream(engine_, table);
    if (!rows || !records) {
      Find("cannot read " + table + ": " + (rows ? records.error().message : rows.error().message));
      return false;
    }
    verdict_.items.merge(*rows);
    std::move(records->begin(), records->end(), std::back_inserter(records_));
  }
  std::sort(records_.begin(), records_.end(),
            [](const TableRecord& a, const TableRecord& b) { return a.record.sequence < b.record.sequence; });
  verdict_.stream_records = records_.size();
  return true;
}

void Judgement::Register(const Operation& operation) {
  for (const Write& write : operation.writes) {
    if (write.number != 0) {
      writers_of_[write.number] = operation.id;
    } else {
      removers_of_[{write.place, write.removes}].push_back(operation.id);
    }
  }
}

void Judgement::Replay() {
  Items state;
  uint64_t expected = 1;
  int64_t counted = 0;
  for (const TableRecord& entry : records_) {
    const StreamRecord& record = entry.record;
    // After a loss in relaxed mode a start goes on behind what was reserved, and very little of that was
    // used.
    const bool is_skip = record.sequence > expected + engine::internal::kSequencesReserved / 2;
    if (record.sequence != expected && !is_skip) Find("stream: " + std::to_string(expected) + " is missing");
    expected = record.sequence + 1;
    const Place place = PlaceOf(entry.table, record.keys.Unpack());
    const auto before = state.find(place);
    const std::optional<Item> old_item =
        before == state.end() ? std::nullopt : std::optional<Item>(before->second);
    const std::optional<Item> old_image =
        record.old_image ? std::optional<Item>(record.old_image->Unpack()) : std::nullopt;
    if (old_image != old_item) {
      Find("stream: old image of " + place.ToString() + " at " + std::to_string(record.sequence) +
           " is not the state before it");
    }
    if (record.new_image) {
      state.insert_or_assign(place, record.new_image->Unpack());
    } else {
      state.erase(place);
    }
    if (place.pk == "counter") ++counted;
    Match(entry, place);
  }
  if (state != verdict_.items) Find("the replayed stream is not the tables");
  const auto counter = verdict_.items.find({kMain, "counter", "all"});
  const int64_t total = counter == verdict_.items.end() ? 0 : NumberIn(counter->second, "total");
  if (total != counted) {
    Find("counter is " + std::to_string(total) + " after " + std::to_string(counted) + " additions");
  }
}

// Finds the operation a record came from.
void Judgement::Match(const TableRecord& entry, const Place& place) {
  const StreamRecord& record = entry.record;
  const auto credit = [&](int64_t id) {
    Found& found = found_[id];
    ++found.writes;
    found.first = std::min(found.first, record.sequence);
  };
  if (record.new_image) {
    const auto writer = writers_of_.find(NumberIn(record.new_image->Unpack(), "w"));
    if (writer == writers_of_.end()) return Find(place.ToString() + ": written by nobody");
    credit(writer->second);
    writers_of_.erase(writer);  // a second time is one too many
    return;
  }
  const Item removed = record.old_image ? record.old_image->Unpack() : Item();
  if (record.origin == store::ChangeOrigin::kTimeToLive) {
    if (NumberIn(removed, "expires") == 0 || NumberIn(removed, "expires") > EpochSeconds(clock_.Now())) {
      Find(place.ToString() + ": expired before its time");
    }
    return;
  }
  const auto removers = removers_of_.find({place, NumberIn(removed, "w")});
  if (removers == removers_of_.end()) return Find(place.ToString() + ": removed by nobody");
  // Tried again after a failure, a removal has several operations: the one that was told yes counts, or else
  // the one that nobody knows of yet, and not one that was found to be lost.
  const auto rank = [&](int64_t id) {
    const Fate fate = ledger_.operations().at(id).fate;
    return fate == Fate::kLost ? 2 : fate == Fate::kOpen ? 1 : 0;
  };
  credit(*std::ranges::min_element(removers->second, {}, rank));
  removers_of_.erase(removers);
}

void Judgement::Settle(Operation& operation, const std::optional<RelaxedLoss>& allowed) {
  const size_t found = found_.contains(operation.id) ? found_[operation.id].writes : 0;
  const size_t whole = operation.writes.size();
  const std::string what =
      "operation " + std::to_string(operation.id) + " on " + operation.writes.front().place.ToString();
  if (operation.all_or_nothing && found != 0 && found != whole) {
    Find(what + ": " + std::to_string(found) + " of " + std::to_string(whole) + " writes are there");
  }
  switch (operation.fate) {
    case Fate::kAcknowledged:
      if (found == whole) break;
      if (allowed && found == 0) {
        Lose(operation, *allowed);
      } else {
        Find(what + ": was acknowledged, " + std::to_string(found) + " of " + std::to_string(whole) +
             " writes are there");
      }
      break;
    case Fate::kApplied:
      // A batch that was not answered may have been done in part; that part stays.
      if (operation.all_or_nothing && found != whole)
        Find(what + ": was there after a restart, and is no more");
      break;
    case Fate::kLost:
      if (found != 0) Find(what + ": was gone after a restart, and is back");
      break;
    case Fate::kOpen:
      operation.fate = found != 0 ? Fate::kApplied : Fate::kLost;
      break;
  }
}

void Judgement::Lose(Operation& operation, const RelaxedLoss& allowed) {
  using std::chrono::milliseconds;
  operation.fate = Fate::kLost;
  lost_ended_first_ = std::min(lost_ended_first_, operation.ended);
  const auto age = std::chrono::duration_cast<milliseconds>(allowed.power_cut - operation.acknowledged_at);
  verdict_.longest_loss = std::max(verdict_.longest_loss, age);
  const std::string what = "operation " + std::to_string(operation.id);
  if (operation.acknowledged_at < allowed.log_synced) {
    Find(what + ": lost although the log was synced after it was acknowledged");
  }
  if (age > allowed.window) {
    Find(what + ": lost, " + std::to_string(age.count()) + " ms after it was acknowledged");
  }
}

// Only a suffix may be lost: nothing that is there began after something that is lost had been acknowledged.
void Judgement::CheckNoHole() {
  for (const auto& [id, operation] : ledger_.operations()) {
    if (operation.fate == Fate::kLost || !found_.contains(id)) continue;
    if (operation.begun > lost_ended_first_) {
      Find("a hole: operation " + std::to_string(id) + " is there, an earlier one is lost");
    }
  }
}

// What ended before another operation began comes before it in the stream.
void Judgement::CheckOrder() {
  std::map<uint64_t, int64_t> by_position;
  for (const auto& [id, found] : found_) by_position[found.first] = id;
  int64_t latest_begun = 0;
  for (const auto& [position, id] : by_position) {
    const Operation& operation = ledger_.operations().at(id);
    if (operation.fate == Fate::kAcknowledged && operation.ended < latest_begun) {
      Find("operation " + std::to_string(id) + " comes after one that began when it had ended");
    }
    latest_begun = std::max(latest_begun, operation.begun);
  }
}

void Judgement::CheckIndexes(const std::string& table) {
  const auto description = SyncWait(engine_.DescribeTable(table));
  if (!description) return Find("cannot describe " + table + ": " + description.error().message);
  for (const store::IndexDescription& index : description->indexes) {
    if (index.status != store::IndexStatus::kActive) continue;
    const auto rows = ReadTable(engine_, table, index.definition.name);
    if (!rows) {
      Find("cannot read index " + index.definition.name + ": " + rows.error().message);
    } else if (*rows != ExpectedRows(verdict_.items, table, index.definition)) {
      Find("index " + index.definition.name + " is not what " + table + " says");
    }
  }
}

void Judgement::Scrub() {
  const auto report = engine_.Verify({});
  if (!report) return Find("verify: " + report.error().message);
  for (const std::string& finding : report->findings) Find("verify: " + finding);
}

}  // namespace

Verdict Judge(Engine& engine, Ledger& ledger, const Clock& clock, const std::optional<RelaxedLoss>& allowed) {
  return Judgement(engine, ledger, clock).Run(allowed);
}

}  // namespace cairn::faults
