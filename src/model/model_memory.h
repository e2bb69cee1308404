// ModelMemory: which models a store was served with. Kept in a table of the store itself (kTable; its form is
// in docs/storage-format.md), so that it goes along with copies and backups.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/task.h"
#include "model/database.h"

namespace cairn::model {

// An index whose keys are being filled, and how far that is.
struct UnfinishedFill {
  std::vector<std::string> indexes;  // names
  std::optional<item::Item> after;   // primary key of the last item that is done; none: the beginning
  int64_t done = 0;                  // items looked at
};

struct RememberedModel {
  std::string table;  // name in the store
  std::string model;  // its name
  std::string stage;
  std::string hash;
  std::string definition;      // canonical JSON; "": it is too large to be kept
  std::string table_in_model;  // what the model calls the table
  int64_t at_ms = 0;           // when it was served last, as far as that matters
  std::optional<UnfinishedFill> fill;
};

// A table as a model has it.
struct TableOfModel {
  ModelPtr model;
  size_t position = 0;  // in Model::tables
};
// Nothing when the definition is not kept, or of a form that this program does not read.
std::optional<TableOfModel> ReadDefinition(const RememberedModel& remembered);

class ModelMemory {
 public:
  static constexpr std::string_view kTable = "CairnModels";

  explicit ModelMemory(store::Store& store) : store_(store) {}

  // Everything; empty when nothing was ever remembered.
  Task<Result<std::vector<RememberedModel>>> Load();
  // The table is created if it is missing.
  Task<Status> Remember(const Database& database, size_t table, int64_t at_ms,
                        std::optional<UnfinishedFill> fill);
  // Of a fill that goes on.
  Task<Status> NoteProgress(const Database& database, size_t table, const UnfinishedFill& fill);
  Task<Status> NoteFilled(const Database& database, size_t table);
  Task<Status> Forget(std::string table, std::string model);

 private:
  store::Store& store_;
};

}  // namespace cairn::model
