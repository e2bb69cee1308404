// IndexFill: puts the keys of indexes right in every item of a table after the model has changed, while
// sessions go on working. Where it is, is remembered (model/model_memory.h): it goes on there after a stop or
// a crash.
#pragma once

#include <atomic>

#include "model/model_memory.h"

namespace cairn::model {

class IndexFill {
 public:
  IndexFill(Database& database, size_t table, UnfinishedFill state);

  // Until the end of the table, or until `stop`. Patterns on these indexes are refused until it has ended. A
  // failure of the store ends it; Run again goes on where it was.
  Task<Status> Run(const std::atomic<bool>& stop);

  bool is_done() const { return is_done_; }
  int64_t looked_at() const { return looked_at_; }
  int64_t repaired() const { return repaired_; }
  const std::string& table_name() const { return database_.physical_name(table_); }
  std::string index_names() const;

 private:
  Task<Status> Repair(const item::PackedItem& item);
  item::Item KeyOf(const item::PackedItem& item) const;

  Database& database_;
  const size_t table_;
  UnfinishedFill state_;
  std::vector<size_t> indexes_;  // positions
  std::atomic<int64_t> looked_at_ = 0;
  std::atomic<int64_t> repaired_ = 0;
  std::atomic<bool> is_done_ = false;
};

}  // namespace cairn::model
