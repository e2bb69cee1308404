// Ledger: every write a workload tried, what it was told, and when. The judge (judge.h) compares a store with
// it.
//
// Every new state of an item carries a number of its own in the attribute `w`, so that a stream record names
// the write it came from; a removal is named by the number of the state it removed.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "item/attribute_value.h"

namespace cairn::faults {

// Where an item lies.
struct Place {
  std::string table, pk, sk;
  friend auto operator<=>(const Place&, const Place&) = default;
  std::string ToString() const { return table + "/" + pk + "/" + sk; }
};
using Items = std::map<Place, item::Item>;

Place PlaceOf(const std::string& table, const item::Item& item);
int64_t NumberIn(const item::Item& item, std::string_view attribute);  // 0: not there

struct Write {
  Place place;
  int64_t number = 0;   // `w` of the new state; 0: the write removes the item
  int64_t removes = 0;  // then: `w` of the state it removes
};

enum class Fate {
  kOpen,          // sent; nobody knows yet
  kAcknowledged,  // the store said yes
  kApplied,       // no answer, but it was found in the store after a restart
  kLost,          // no answer or (relaxed) a yes, and not found after a restart: it must never appear
};

struct Operation {
  int64_t id = 0;
  bool all_or_nothing = true;
  std::vector<Write> writes;
  std::string token;  // client token, or empty
  Fate fate = Fate::kOpen;
  // Ticks of one count for all writers: what ended before another began must come before it.
  int64_t begun = 0, ended = 0;
  std::chrono::steady_clock::time_point acknowledged_at{};
};

// Thread-safe.
class Ledger {
 public:
  // Answers count only while this is true: a store whose power was cut goes on in the void.
  void CountAnswersWhile(std::function<bool()> power_is_on);

  int64_t NewNumber();
  int64_t Begin(Operation operation);
  // False: the answer does not count, so what became of the operation is open.
  bool Acknowledge(int64_t id);
  // Sent once more: what was lost may appear after all.
  void SendAgain(int64_t id);
  // Something that cannot be: a refusal without reason, a wrong answer.
  void Complain(std::string problem);

  // For the judge, while no writer runs.
  std::map<int64_t, Operation>& operations() { return operations_; }
  const std::map<int64_t, Operation>& operations() const { return operations_; }
  std::vector<std::string> TakeComplaints();
  size_t Count(Fate fate) const;

 private:
  std::function<bool()> power_is_on_ = [] { return true; };
  mutable std::mutex mutex_;  // guards everything below
  int64_t next_number_ = 1, next_id_ = 1, next_tick_ = 1;
  std::map<int64_t, Operation> operations_;
  std::vector<std::string> complaints_;
};

}  // namespace cairn::faults
