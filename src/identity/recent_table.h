// RecentTable: entries by name, at most so many; the one that nobody touched for longest makes room. For
// counts that may be forgotten, never for what must be kept. Not thread-safe.
#pragma once

#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace cairn::identity {

template <class Entry>
class RecentTable {
 public:
  explicit RecentTable(size_t entries_max) : entries_max_(entries_max) {}

  // The entry of this name, made if there is none; good until the next call.
  Entry& At(const std::string& name) {
    if (Entry* found = Find(name)) return *found;
    if (order_.size() >= entries_max_) {
      places_.erase(order_.back().first);
      order_.pop_back();
    }
    order_.emplace_front(name, Entry());
    places_.emplace(order_.front().first, order_.begin());
    return order_.front().second;
  }
  // Null when there is none.
  Entry* Find(const std::string& name) {
    const auto found = places_.find(name);
    if (found == places_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return &found->second->second;
  }
  void Forget(const std::string& name) {
    const auto found = places_.find(name);
    if (found == places_.end()) return;
    const auto place = found->second;
    places_.erase(found);
    order_.erase(place);
  }
  size_t size() const { return order_.size(); }

 private:
  using Order = std::list<std::pair<const std::string, Entry>>;

  const size_t entries_max_;
  Order order_;                                                            // the one touched last comes first
  std::unordered_map<std::string_view, typename Order::iterator> places_;  // names lie in order_
};

}  // namespace cairn::identity
