#include "ledger.h"

#include <algorithm>

namespace cairn::faults {

Place PlaceOf(const std::string& table, const item::Item& item) {
  return {table, item.Find("pk")->string(), item.Find("sk")->string()};
}

int64_t NumberIn(const item::Item& item, std::string_view attribute) {
  const item::AttributeValue* value = item.Find(attribute);
  return value && value->is(item::Type::kNumber) ? value->number().ToInteger().value_or(0) : 0;
}

void Ledger::CountAnswersWhile(std::function<bool()> power_is_on) { power_is_on_ = std::move(power_is_on); }

int64_t Ledger::NewNumber() {
  std::lock_guard lock(mutex_);
  return next_number_++;
}

int64_t Ledger::Begin(Operation operation) {
  std::lock_guard lock(mutex_);
  operation.id = next_id_++;
  operation.begun = next_tick_++;
  const int64_t id = operation.id;
  operations_.emplace(id, std::move(operation));
  return id;
}

bool Ledger::Acknowledge(int64_t id) {
  if (!power_is_on_()) return false;
  std::lock_guard lock(mutex_);
  Operation& operation = operations_.at(id);
  operation.fate = Fate::kAcknowledged;
  operation.ended = next_tick_++;
  operation.acknowledged_at = std::chrono::steady_clock::now();
  return true;
}

void Ledger::SendAgain(int64_t id) {
  std::lock_guard lock(mutex_);
  Operation& operation = operations_.at(id);
  if (operation.fate != Fate::kLost) return;
  operation.fate = Fate::kOpen;
  operation.begun = next_tick_++;
}

void Ledger::Complain(std::string problem) {
  if (!power_is_on_()) return;
  std::lock_guard lock(mutex_);
  complaints_.push_back(std::move(problem));
}

std::vector<std::string> Ledger::TakeComplaints() {
  std::lock_guard lock(mutex_);
  return std::exchange(complaints_, {});
}

size_t Ledger::Count(Fate fate) const {
  std::lock_guard lock(mutex_);
  return static_cast<size_t>(std::count_if(operations_.begin(), operations_.end(),
                                           [&](const auto& entry) { return entry.second.fate == fate; }));
}

}  // namespace cairn::faults
