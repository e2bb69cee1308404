// SnapshotCache: contents of revisions that were read or written lately. A revision never changes, so what is
// here is never stale. Bounded by the bytes it holds, each entry's own included: the least used go first.
// Thread-safe.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace cairn::values {

template <class Content>
class SnapshotCache {
 public:
  explicit SnapshotCache(size_t bytes_max) : bytes_max_(bytes_max) {}

  // Null when it is not here. Keys name user and revision.
  std::shared_ptr<const Content> Find(const std::string& key) {
    std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->content;
  }

  // What keeping anything takes, be its content empty: the entry, its key twice, the places of both.
  static constexpr size_t kEntryBytes = 300;

  // `bytes`: what the content takes, about.
  void Put(const std::string& key, std::shared_ptr<const Content> content, size_t bytes) {
    bytes += kEntryBytes + 2 * key.size();
    std::lock_guard lock(mutex_);
    if (bytes > bytes_max_ || places_.contains(key)) return;
    entries_.push_front({key, std::move(content), bytes});
    places_.emplace(key, entries_.begin());
    bytes_ += bytes;
    while (bytes_ > bytes_max_) {
      bytes_ -= entries_.back().bytes;
      places_.erase(entries_.back().key);
      entries_.pop_back();
    }
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const Content> content;
    size_t bytes;
  };
  const size_t bytes_max_;
  std::mutex mutex_;          // guards what follows
  std::list<Entry> entries_;  // last used first
  std::unordered_map<std::string, typename std::list<Entry>::iterator> places_;
  size_t bytes_ = 0;
};

}  // namespace cairn::values
