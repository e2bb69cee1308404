// UsageMeter: how much each user keeps: bytes and items, by application. Counted from the streams of the
// tables, some milliseconds after a commit: no commit waits for it, and nothing is written for one. What was
// counted is kept in an item for each user (Usage of the platform's model) every ten seconds, with the place
// in the stream; after a crash the records from there on are counted again. A store that has no such items
// yet is counted once at the start.
//
// Bytes are those of items as DynamoDB counts them, without their index rows.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/task.h"
#include "live/change_feed.h"
#include "model/database.h"

namespace cairn::quotas {

struct Usage {
  int64_t bytes = 0, items = 0;
  friend bool operator==(const Usage&, const Usage&) = default;
};

// An application whose items are counted: those of the first table of its model.
struct Product {
  std::string name;  // "values"; also that of its feed
  const model::Database* database;
};

class UsageMeter final : public live::FeedObserver {
 public:
  // Is told of what users write, in bytes, whether they keep it or not.
  using Written = std::function<void(std::string_view user_id, int64_t bytes)>;

  // `streams` is the products' store, without a count of what requests ask of it. Precondition: tables with a
  // tenant, and a stream. Everything passed in outlives this.
  UsageMeter(model::Database& platform, store::Store& streams, const Clock& clock,
             std::vector<Product> products, Written written);

  // Before anybody writes: finds out how far was counted, or counts.
  Task<Status> Open();
  // Keeps what was counted. After the feed has stopped.
  Task<Status> Close() {
    CountSeen();
    return Flush();
  }

  const std::vector<Product>& products() const { return products_; }
  // In the order of the products; nothing as long as it is not known. Then it soon is. Never waits.
  std::optional<std::vector<Usage>> Find(std::string_view user_id);
  // The same, read if need be.
  Task<Result<std::vector<Usage>>> Read(std::string user_id);
  // What users keep who were active since the start, as Prometheus reads it: together, and the one with most.
  std::string MetricsText();
  // Of an account that is erased: what is kept of it goes, and nothing is kept any more.
  Task<Status> Forget(std::string user_id);

  // ---- live::FeedObserver
  std::optional<uint64_t> WantedFrom(const std::string& feed) override;
  void Seen(const std::string& feed, const store::StreamRecord& record) override;
  void Advanced(const std::string& feed, uint64_t next_sequence) override;
  Task<Status> Turn() override;

 private:
  static constexpr size_t kShards = 64;

  // A record of a user who is not known yet.
  struct Change {
    size_t product;
    uint64_t sequence;
    Usage by;
  };
  struct User {
    bool is_known = false;
    bool is_dirty = false;    // not kept as it is
    bool is_written = false;  // just now
    bool is_erased = false;
    std::vector<Usage> usage;
    std::vector<Change> changes;  // while it is not known
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  struct alignas(64) Shard {
    std::mutex mutex;  // guards what follows
    std::unordered_map<std::string, User, Hash, std::equal_to<>> users;
    std::vector<std::string> wanted;  // to be read
  };
  // How far the stream of a product was counted.
  struct Place {
    std::string label;
    uint64_t position = 0;    // records before it are counted
    uint64_t valid_from = 0;  // what was kept before is not valid: everything was counted again then
  };

  Shard& ShardOf(std::string_view user_id) { return shards_[Hash()(user_id) % kShards]; }
  User& UserIn(Shard& shard, std::string_view user_id);
  size_t ProductOf(const std::string& feed) const;
  // Whose item it is; "" of nobody's.
  std::string OwnerOf(size_t product, std::string_view pk) const;
  void Apply(User& user, const Change& change);
  void CountSeen();
  Task<Result<bool>> FindPlace(size_t product);
  Task<Status> CountAll(size_t product);
  Task<Status> Load(std::string user_id);
  Task<Status> LoadWanted();
  Task<Status> Flush();
  Task<Status> Keep(std::string user_id, std::vector<Usage> usage, std::vector<uint64_t> positions);
  Task<Status> KeepPlaces();

  model::Database& platform_;
  store::Store& streams_;
  const Clock& clock_;
  const std::vector<Product> products_;
  const Written written_;
  const Time began_;
  std::array<Shard, kShards> shards_;
  std::atomic<bool> is_dirty_ = false;
  // Of whoever pumps.
  bool is_open_ = false;  // else nothing is counted: nobody knows from where on
  std::vector<Place> places_;
  Time flush_at_{};
  std::string last_pk_, last_owner_;
  size_t last_product_ = 0;
  std::vector<Change> seen_;  // of last_owner_, not counted yet
  int64_t seen_written_ = 0;
};

}  // namespace cairn::quotas
