// Database: a model bound to a store: its tables exist there, and sessions work on them.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/task.h"
#include "base/ulid.h"
#include "model/definition.h"
#include "model/load.h"
#include "store/store.h"

namespace cairn::model {

class CursorSealer;
class WriteFence;

struct DatabaseOptions {
  // Replace {env}, {stage} in table names.
  std::map<std::string, std::string> variables = {{"env", "dev"}, {"stage", "dev"}};
  // Values of `after = "$retention:P30D"`, by parameter name.
  std::map<std::string, std::chrono::seconds> retention;
  // Seals cursors; empty: a random one, so that cursors end with the process.
  std::string cursor_secret;
  // The same store for work that no request asks for, such as looking through tables; null: it is the same.
  store::Store* upkeep = nullptr;
  // Keeps out writes for accounts that are being deleted; none: nobody is.
  WriteFence* fence = nullptr;
};

class Database {
 public:
  Database(ModelPtr model, store::Store& store, const Clock& clock, Random& random,
           DatabaseOptions options = {});
  ~Database();

  // Creates the tables that are missing and the indexes that a table lacks, and switches on their time to
  // live. A table whose keys differ from the model's is refused, and nothing of it is changed. Blocks while
  // an index is built: run it with RunHere (base/run_here.h), never on a thread of the store.
  Task<Status> CreateTables();
  // Fails where a table that is there has other keys than the model says; changes nothing.
  Task<Status> CheckTables() const;
  // What CreateTables asks for, in the order of Model::tables.
  std::vector<store::TableDefinition> TableDefinitions() const;

  const Model& model() const { return *model_; }
  store::Store& store() const { return store_; }
  store::Store& upkeep() const { return options_.upkeep == nullptr ? store_ : *options_.upkeep; }
  const std::string& physical_name(size_t table) const { return physical_names_[table]; }
  Time Now() const { return clock_.Now(); }
  std::string NewUlid() const { return ulids_->Next(clock_.Now()); }
  std::string NewUuid() const { return cairn::NewUuid(random_); }
  std::chrono::seconds TtlAfter(const TimeToLive& ttl) const;
  const CursorSealer& cursors() const { return *cursors_; }
  WriteFence* fence() const { return options_.fence; }
  // What stands for {stage}, or "".
  std::string stage() const;

  // While the keys of an index are being filled (model/index_fill.h), patterns that read it are refused: an
  // answer would lack items without a word.
  bool IsFilling(size_t table, size_t index) const {
    return filling_[table][index].load(std::memory_order_relaxed);
  }
  void SetFilling(size_t table, size_t index, bool filling) { filling_[table][index] = filling; }

 private:
  ModelPtr model_;
  store::Store& store_;
  const Clock& clock_;
  Random& random_;
  DatabaseOptions options_;
  std::vector<std::string> physical_names_;
  std::vector<std::unique_ptr<std::atomic<bool>[]>> filling_;  // by table and index
  std::unique_ptr<UlidSource> ulids_;
  std::unique_ptr<CursorSealer> cursors_;
};

}  // namespace cairn::model
