#include "design/cost.h"

#include <algorithm>
#include <cmath>

#include "design/findings.h"
#include "design/item_bytes.h"
#include "design/key_facts.h"
#include "design/text_table.h"

namespace cairn::design {
namespace {

// What one partition key takes in a second.
constexpr double kKeyWriteUnits = 1000;
constexpr double kKeyReadUnits = 3000;
constexpr double kGuardUnits = 1;  // an item of a key and little else

double IndexEntryBytes(const model::Model& model, const model::Entity& entity, const model::EntityIndex& in,
                       const ItemSize& size) {
  // A measured or declared size is that of the whole item.
  if (model.TableOf(entity).indexes[in.index].project_all) return size.bytes;
  return std::min(EstimateIndexEntry(model, entity, in).usual, size.bytes);
}

// Whether an update can change what the index key or its rule read.
bool CanMove(const model::Entity& entity, const model::EntityIndex& in) {
  return std::any_of(in.dependencies.begin(), in.dependencies.end(), [&](const std::string& stored_name) {
    const model::Attribute* attribute = entity.FindStored(stored_name);
    if (attribute == nullptr || attribute->immutable || attribute->automatic == model::Auto::kCreate)
      return false;
    for (const model::Template* key : {&entity.pk, &entity.sk}) {
      for (const model::TemplatePart& part : key->parts()) {
        if (AttributeOf(entity, part) == attribute) return false;
      }
    }
    return true;
  });
}

bool MayUpdate(const model::Entity& entity) {
  return entity.write == model::WriteMode::kMutable || entity.write == model::WriteMode::kUpsert;
}

bool MayDelete(const model::Model& model, const model::Entity& entity) {
  return entity.write != model::WriteMode::kAppend &&
         model.TableOf(entity).delete_policy == model::DeletePolicy::kAllow && !entity.tombstone;
}

struct Mirrored {
  const model::Entity* mirror;
  std::string attribute;
};

std::vector<Mirrored> MirrorsOf(const model::Model& model, const model::Entity& entity) {
  std::vector<Mirrored> mirrors;
  for (const model::Entity& other : model.entities) {
    if (other.mirror && other.mirror->entity == entity.name)
      mirrors.push_back({&other, other.mirror->attribute});
  }
  return mirrors;
}

// Item and index rows of a create, not doubled.
double PlainCreate(const model::Model& model, const model::Entity& entity, const ItemSize& size) {
  double units = WriteUnits(size.bytes);
  for (const model::EntityIndex& in : entity.indexes)
    units += WriteUnits(IndexEntryBytes(model, entity, in, size));
  return units;
}

// The check that the parent is the caller's, inside a transaction; creates make it, updates and deletes do
// not.
double ParentCheck(const model::Model& model, const model::Entity& entity, const MeasuredSizes& measured) {
  const model::Entity* parent = entity.owner_parent.empty() ? nullptr : model.FindEntity(entity.owner_parent);
  return parent == nullptr ? 0 : 2 * WriteUnits(SizeOf(model, *parent, measured).bytes);
}

void AddUpdates(const model::Model& model, const model::Entity& entity, WriteCost& cost) {
  double update = WriteUnits(cost.size.bytes), move = update;
  bool can_move = false;
  for (const model::EntityIndex& in : entity.indexes) {
    const double row = WriteUnits(IndexEntryBytes(model, entity, in, cost.size));
    const double stays = model.TableOf(entity).indexes[in.index].project_all ? row : 0;
    const bool moves = CanMove(entity, in);
    can_move |= moves;
    update += stays;
    move += moves ? 2 * row : stays;
  }
  cost.update = update;
  if (can_move) cost.move = move;
}

void AddRemarks(const model::Model& model, const model::Entity& entity, const MeasuredSizes& measured,
                WriteCost& cost) {
  if (entity.mirror) {
    cost.remarks.push_back("written with " + entity.mirror->entity + "." + entity.mirror->attribute);
  } else if (cost.transaction) {
    cost.remarks.push_back("created in a transaction");
  }
  if (!entity.owner_parent.empty()) cost.remarks.push_back("checks its " + entity.owner_parent);
  if (!entity.uniques.empty()) {
    cost.remarks.push_back("a new unique value costs twice and +" + ShortNumber(4 * kGuardUnits));
  }
  for (const Mirrored& mirrored : MirrorsOf(model, entity)) {
    const double link = 2 * PlainCreate(model, *mirrored.mirror, SizeOf(model, *mirrored.mirror, measured)) +
                        ParentCheck(model, *mirrored.mirror, measured);
    cost.remarks.push_back("a change of " + mirrored.attribute + " costs twice and +" + ShortNumber(link) +
                           " for each new element");
  }
}

WriteCost CostOfWrites(const model::Model& model, const model::Entity& entity,
                       const MeasuredSizes& measured) {
  WriteCost cost{.entity = &entity, .size = SizeOf(model, entity, measured)};
  // One write alone is no transaction: an update that touches neither guards nor mirrors is plain.
  cost.transaction = entity.mirror || !entity.uniques.empty() || !entity.owner_parent.empty();
  const double times = cost.transaction ? 2 : 1;
  const double create = PlainCreate(model, entity, cost.size);
  const double guards = 2 * kGuardUnits * static_cast<double>(entity.uniques.size());
  cost.create = times * create + guards + ParentCheck(model, entity, measured);
  if (MayUpdate(entity)) AddUpdates(model, entity, cost);
  const bool removes_more = entity.mirror || !entity.uniques.empty();
  if (MayDelete(model, entity)) cost.remove = (removes_more ? 2 : 1) * create + guards;
  cost.writes_per_second = std::floor(kKeyWriteUnits / (times * WriteUnits(cost.size.bytes)));
  AddRemarks(model, entity, measured, cost);
  return cost;
}

// Bytes of the largest entity that a read may return, as the place it reads from keeps it: nobody knows how
// many of each there are, and a page of the larger ones is what it may cost.
double LargestBytes(const model::Model& model, const model::Read& read, const MeasuredSizes& measured) {
  double largest = 0;
  for (const size_t position : read.entities) {
    const model::Entity& entity = model.entities[position];
    const ItemSize size = SizeOf(model, entity, measured);
    const model::EntityIndex* in = read.index ? FindIndex(entity, *read.index) : nullptr;
    largest = std::max(largest, in == nullptr ? size.bytes : IndexEntryBytes(model, entity, *in, size));
  }
  return largest;
}

// Whether the condition names one item: the table's whole key. An index may have several under one key.
bool NamesOneItem(const model::Model& model, const model::Read& read) {
  if (read.get) return true;
  if (read.index) return false;
  return model.tables[read.table].sk_attribute.empty() || read.sk.op == model::SortOperator::kEqual;
}

ReadCost CostOfReads(const model::Model& model, const model::Pattern& pattern,
                     const MeasuredSizes& measured) {
  ReadCost cost{.pattern = &pattern};
  double strong = 0, strong_20 = 0;
  bool indexed = false, queried = false;
  for (const model::Read& read : pattern.steps) {
    if (!cost.calls.empty()) cost.calls += ", ";
    cost.calls += read.get ? "GetItem" : "Query";
    if (read.index) cost.calls += " " + model.tables[read.table].indexes[*read.index].name;
    const double bytes = LargestBytes(model, read, measured);
    const bool one = NamesOneItem(model, read);
    const double items = one ? 1 : static_cast<double>(pattern.limit_default);
    strong += ReadUnits(items * bytes);
    strong_20 += ReadUnits((one ? 1 : 20) * bytes);
    indexed |= read.index.has_value();
    queried |= !one;
    cost.consistent = read.consistent;
    cost.item_bytes = bytes;
    cost.page_items = items;
    if (read.all_pages) {
      cost.remarks.push_back(
          "reads all pages" +
          (pattern.max_items ? ", up to " + ShortNumber(static_cast<double>(*pattern.max_items)) + " items"
                             : std::string()));
    }
  }
  cost.eventual = strong / 2;
  if (!indexed) cost.strong = strong;
  if (queried) cost.eventual_20 = strong_20 / 2;
  if (pattern.fanout) cost.remarks.push_back("once for every " + pattern.fanout->parameter);
  if (pattern.scope == model::Scope::kCaller) cost.remarks.push_back("pays for other owners' items too");
  return cost;
}

void AddHotKeys(const model::Model& model, const model::Entity& entity, const MeasuredSizes& measured,
                std::vector<HotKey>& hot_keys) {
  const ItemSize size = SizeOf(model, entity, measured);
  const auto add = [&](const model::Template& partition, std::string subject, double bytes) {
    const Spread spread = SpreadOf(model, entity, partition);
    if (spread == Spread::kMany) return;
    hot_keys.push_back({.subject = std::move(subject),
                        .partition = partition.text(),
                        .writes_per_second = std::floor(kKeyWriteUnits / WriteUnits(bytes)),
                        .reads_per_second = std::floor(2 * kKeyReadUnits / ReadUnits(bytes)),
                        .time_bucket = spread == Spread::kTimeBucket});
  };
  add(entity.pk, entity.name, size.bytes);
  for (const model::EntityIndex& in : entity.indexes) {
    add(in.pk, SubjectOf(entity, model.TableOf(entity).indexes[in.index]),
        IndexEntryBytes(model, entity, in, size));
  }
}

}  // namespace

ItemSize SizeOf(const model::Model& model, const model::Entity& entity, const MeasuredSizes& measured) {
  if (const auto found = measured.find(entity.name); found != measured.end()) {
    return {found->second, SizeSource::kMeasured};
  }
  if (entity.item_bytes) return {static_cast<double>(*entity.item_bytes), SizeSource::kDeclared};
  return {EstimateItem(model, entity).bytes.usual, SizeSource::kEstimated};
}

double ReadUnits(double bytes) { return std::max(1.0, std::ceil(bytes / 4096)); }

double WriteUnits(double bytes) { return std::max(1.0, std::ceil(bytes / 1024)); }

CostReport EstimateCost(const model::Model& model, const MeasuredSizes& measured) {
  CostReport report;
  for (const model::Pattern& pattern : model.patterns)
    report.reads.push_back(CostOfReads(model, pattern, measured));
  for (const model::Entity& entity : model.entities) {
    report.writes.push_back(CostOfWrites(model, entity, measured));
    AddHotKeys(model, entity, measured, report.hot_keys);
  }
  return report;
}

}  // namespace cairn::design
