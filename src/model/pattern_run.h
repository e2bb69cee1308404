// PatternRun: one page of an access pattern: parameters to key conditions, partitions in turn, items checked
// one by one. Private to the session.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/entity_codec.h"
#include "model/session.h"
#include "store/item_requests.h"

namespace cairn::model {

class PatternRun {
 public:
  PatternRun(Session& session, const Pattern& pattern, PageRequest request);

  Task<Outcome<Page>> Run();

 private:
  // Where the page before ended.
  struct Position {
    size_t partition = 0;
    std::optional<item::Item> after_key;
    int64_t inspected = 0;  // by all pages so far
  };

  Outcome<void> CheckGuard() const;
  Outcome<void> TakeParameters();
  Outcome<void> TakeOwner(const Read& read);
  Outcome<void> TakeLimit();
  Task<Outcome<bool>> RunGet(const Read& read,
                             bool last);  // false: a step found nothing, so there is nothing
  Task<Outcome<void>> RunQuery(const Read& read);
  // Whether the page ends before one more item.
  bool IsFull() const;
  Task<Outcome<void>> ReadPartition(const Read& read, size_t partition, size_t partition_count);
  Result<store::QueryRequest> QueryOf(const Read& read) const;
  Outcome<std::vector<item::AttributeValue>> Windows(const Read& read);
  // Keeps the item if it is the caller's, alive, and of a listed entity.
  void Take(const Read& read, item::PackedItem item);
  bool Keeps(const Read& read, const Entity& entity, const item::PackedItem& item,
             const ItemFacts& facts) const;
  void Prepare(const Read& read);
  void Add(const Entity& entity, item::PackedItem item);
  Outcome<void> CheckBounds();

  bool IsOwn(const Entity& entity, const item::PackedItem& item, const ItemFacts& facts) const;
  bool MixesOwners(const Read& read) const;  // the partition does not name the owner
  std::string Binding() const;
  Result<Position> OpenCursor() const;
  std::string SealCursor(const Position& position) const;
  item::Item StartKey(const Read& read, const item::PackedItem& last) const;
  expr::Projection ProjectionOf(const Read& read) const;

  Session& session_;
  Database& database_;
  const Model& model_;
  const Pattern& pattern_;
  PageRequest request_;
  const Time now_;
  item::Item values_;        // of the placeholders
  std::string owner_;        // the caller's claim; "" for the system acting for nobody
  int64_t limit_ = 0;        // 0: everything
  int64_t seen_before_ = 0;  // inspected by the pages before
  Position position_;
  bool mixes_owners_ = false;                             // of the read at hand
  bool owner_in_key_ = false;                             // and only the items' own keys name the owner
  const std::vector<std::string>* read_names_ = nullptr;  // of items that are read in part
  std::optional<FactReader> facts_;
  const Entity* last_entity_ = nullptr;
  bool last_has_secret_ = false;
  Page page_;
};

}  // namespace cairn::model
