// Cost: what the patterns and writes of a model consume in DynamoDB's units, worked out from the model alone.
//
// A read unit is 4 KB read strongly consistent, or 8 KB eventually; a write unit 1 KB. A query is rounded up
// as a whole. Index rows are written along with their item: an update that changes an index key deletes one
// row and puts another. Everything in a transaction counts twice. Streams, backups and storage are not
// counted.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/definition.h"

namespace cairn::design {

// Mean bytes of an item, by entity name.
using MeasuredSizes = std::map<std::string, double>;
// From a file: {"Task": 812.5, "Goal": 300}. Names must be entities of the model.
Result<MeasuredSizes> ParseSizes(std::string_view json, const model::Model& model);

enum class SizeSource { kMeasured, kDeclared, kEstimated };

struct ItemSize {
  double bytes = 0;
  SizeSource source = SizeSource::kEstimated;
};
// Measured if known, else item_bytes of the entity, else worked out from its types (design/item_bytes.h).
ItemSize SizeOf(const model::Model& model, const model::Entity& entity, const MeasuredSizes& measured);

double ReadUnits(double bytes);  // strongly consistent
double WriteUnits(double bytes);

struct ReadCost {
  const model::Pattern* pattern = nullptr;
  std::string calls;                  // "GetItem", "Query GSI1", "GetItem, Query"
  bool consistent = false;            // how the pattern itself reads its last step
  double page_items = 1;              // one page of the default limit; 1 where the whole key is given
  double item_bytes = 0;              // of the largest entity that may come back
  double eventual = 0;                // read units of that page
  std::optional<double> strong;       // none: indexes have no consistent reads
  std::optional<double> eventual_20;  // of 20 items; none for gets
  std::vector<std::string> remarks;
};

struct WriteCost {
  const model::Entity* entity = nullptr;
  ItemSize size;
  bool transaction = false;  // of a create: a guard, a mirrored list or a parent's check goes along
  double create = 0;
  std::optional<double> update;  // that changes no index key; none: the entity never changes
  std::optional<double> move;    // that changes every index key it can; none: it can change none
  std::optional<double> remove;  // none: it is never deleted
  double writes_per_second = 0;  // of one partition key of the table
  std::vector<std::string> remarks;
};

// A partition key that few values share: how much it can take.
struct HotKey {
  std::string subject;    // "Task.GSI1"
  std::string partition;  // its template
  double writes_per_second = 0;
  double reads_per_second = 0;  // of single items, eventually consistent
  bool time_bucket = false;
};

struct CostReport {
  std::vector<ReadCost> reads;
  std::vector<WriteCost> writes;
  std::vector<HotKey> hot_keys;
};

CostReport EstimateCost(const model::Model& model, const MeasuredSizes& measured = {});
// For a terminal.
std::string ToText(const CostReport& report);

}  // namespace cairn::design
