// AdoptModel: may this model be served over what the store holds? Compares it with the model that the store
// remembers (model/compare.h) and looks at stored items where the difference could matter to them:
//
//   nothing follows       -> it is served, and remembered
//   only index keys       -> it is served; they are filled while it serves (model/index_fill.h)
//   items do not fit it   -> it is not served: some would no longer be found, or break its rules
//
// Where nothing is remembered and items are there, everything counts as changed.
#pragma once

#include <string>
#include <vector>

#include "model/index_fill.h"

namespace cairn::model {

enum class OnMisfit { kRefuse, kAccept };
// What items mean that do not fit a model of which nothing is remembered: the same, or a warning in the log.
enum class OnUnknown { kRefuse, kWarn };

struct AdoptOptions {
  OnMisfit on_misfit = OnMisfit::kRefuse;
  OnUnknown on_unknown = OnUnknown::kRefuse;
  // When the server started: the same for all models that it serves; none: now.
  std::optional<Time> started;
};

struct Adoption {
  std::vector<std::string> misfits;               // sentences; not empty: refused, and nothing was changed
  std::vector<std::unique_ptr<IndexFill>> fills;  // to be run
};

// Creates what tables and indexes are missing (Database::CreateTables) unless it is refused. Blocks like
// that, and while items are looked at. The database outlives the fills.
Task<Result<Adoption>> AdoptModel(Database& database, AdoptOptions options = {});

}  // namespace cairn::model
