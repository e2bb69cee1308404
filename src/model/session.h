// Session: one unit of work for one caller: load, decide, commit.
//
//   Session session(database, Caller::User({{"sub", "alice"}}));
//   auto task = co_await session.Get(entity, key);            // the caller's own, or nothing
//   session.Update(entity, key, {.set = {{"status", "Done"}}});
//   auto committed = co_await session.Commit();               // one transaction, or nothing
//
// Attributes go by their stored names here. The tenant's attribute (userId, tenantId) is filled from the
// caller and need not be given; a different value is as if the item did not exist. There is no way to name
// another tenant's partition, and no Scan. Writes are staged and validated; nothing reaches the store before
// Commit. Not thread-safe; used by one coroutine at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/task.h"
#include "model/caller.h"
#include "model/database.h"
#include "model/failure.h"
#include "model/record.h"

namespace cairn::model {

// A partial update. An attribute appears in one of the three only.
struct Changes {
  item::Item set;
  std::vector<std::string> remove;                        // one that has a default gets it again
  std::vector<std::pair<std::string, item::Number>> add;  // numbers; an absent one counts as 0

  bool empty() const { return set.empty() && remove.empty() && add.empty(); }
};

// What an update or delete expects of the optimistic lock; none: what the session itself reads counts.
using ExpectedVersion = std::optional<item::AttributeValue>;

// A page that has reached this many bytes, as stored, ends there, however few items it has.
inline constexpr size_t kPageBytesMax = 1 << 20;

struct PageRequest {
  item::Item parameters;             // under their names in the pattern
  std::optional<int64_t> limit;      // none: the pattern's default
  std::string cursor;                // of the page before; "": from the beginning
  size_t bytes_max = kPageBytesMax;  // SIZE_MAX: for those who need `limit` items. A page has one at least
};

struct Page {
  std::vector<Record> items;
  std::map<std::string, Record> steps;  // what the earlier get steps of a pattern found, by alias
  std::string next_cursor;              // "": that was all
  bool truncated = false;               // the pattern's max_items cut the result
  int64_t inspected = 0;                // items the store looked at
  size_t bytes = 0;                     // of the items, as stored
};

// What a commit wrote.
struct Committed {
  // In the order of staging: the values of creates and updates as stored (absent for deletes and checks).
  // For an update that needed no read, only what it set.
  std::vector<std::optional<item::Item>> values;
  // Creates of `write = "idempotent"` entities that were there already, and writes that changed nothing.
  std::vector<bool> unchanged;
};

struct Staged;

class Session {
 public:
  Session(Database& database, Caller caller);
  ~Session();

  const Caller& caller() const { return caller_; }
  Database& database() const { return database_; }

  // The item with these key attributes, strongly consistent; nothing when there is none, when it has expired
  // or when it is not the caller's. Remembered: an update of it in this session needs no second read.
  Task<Outcome<std::optional<Record>>> Get(const Entity& entity, item::Item key);
  // One page of a pattern.
  Task<Outcome<Page>> Read(const Pattern& pattern, PageRequest request);

  // Stages a new item: defaults, generated ids and times are filled in, everything is validated, and the
  // completed values are returned. Committing fails with kAlreadyExists if it is there (but see WriteMode).
  Outcome<item::Item> Create(const Entity& entity, item::Item values);
  // Stages a whole new state for an existing item (REST's PUT): what is not given gets its default or is
  // removed, except immutable, automatic and generated attributes.
  Outcome<void> Replace(const Entity& entity, item::Item values, ExpectedVersion expected = {});
  Outcome<void> Update(const Entity& entity, item::Item key, Changes changes, ExpectedVersion expected = {});
  // Entities with a tombstone are marked, others deleted. Tables with delete = "forbid" allow it to the
  // system only.
  Outcome<void> Delete(const Entity& entity, item::Item key, ExpectedVersion expected = {});
  // The commit goes through only if this item exists (and has this version).
  Outcome<void> Check(const Entity& entity, item::Item key, ExpectedVersion expected = {});

  // Everything staged, as one transaction of at most 100 items; a single write as a plain conditional write.
  // Index keys, guards, mirrors and time to live are kept right. On failure nothing was written; the staged
  // writes are gone either way. Writes to best-effort tables follow, and their failures are only logged.
  // `token` makes a repetition of the same commit harmless for ten minutes.
  Task<Outcome<Committed>> Commit(std::string token = "");
  // The same, with everything `other` has staged in the same transaction: both or neither. The other session
  // may be of another model on the same store, but not write to best-effort tables. Of its values nothing is
  // told; a conflict names its entity.
  Task<Outcome<Committed>> CommitWith(Session& other);

  // Many new items of entities that carry no condition (write = once or upsert, without lock, guard or
  // mirror), in batches of 25 with repetition of what the store left over. Not atomic: for partitions nobody
  // reads yet: on failure some are there. `make` gives the values of a position, and is asked again for what
  // the store left over, so what is generated (ids, times) may differ then.
  using MakeValues = std::function<item::Item(size_t position)>;
  Task<Outcome<size_t>> CreateMany(const Entity& entity, size_t count, MakeValues make);
  Task<Outcome<size_t>> CreateMany(const Entity& entity, std::vector<item::Item> values);
  // The same for a partition that repeats most of another one. Where `known` has an item, as it was written
  // there, it is written again under the partition key of `partition` (its attributes) and not made and
  // checked anew; so the entity must have nothing else that tells its partition. `written` gets every item as
  // it is written, for the next time.
  struct Repetition {
    item::Item partition;
    std::vector<const item::PackedItem*> known;  // by position; null: make it
    std::vector<item::PackedItem>& written;
  };
  Task<Outcome<size_t>> CreateMany(const Entity& entity, Repetition repetition, MakeValues make);
  // Deletes by key, likewise. System only where the table forbids deletes.
  Task<Outcome<size_t>> DeleteMany(const Entity& entity, std::vector<item::Item> keys);

 private:
  friend class CommitRun;
  friend class PatternRun;

  Outcome<void> Own(const Entity& entity, item::Item& values) const;
  Outcome<void> MayWrite(const Entity& entity) const;
  Outcome<void> MayCreateMany(const Entity& entity) const;
  Outcome<item::Item> MakeItem(const Entity& entity, std::chrono::seconds ttl_after, item::Item values) const;
  Outcome<void> MayChange(const Entity& entity) const;
  Task<Outcome<Committed>> CommitAll(std::string token, Session* other);

  Database& database_;
  Caller caller_;
  std::vector<Staged> staged_;
  std::map<std::string, Record> loaded_;  // by table, partition and sort key
};

}  // namespace cairn::model
