#include "live/recent_events.h"

#include <utility>

namespace cairn::live {
namespace {

// What an event costs beside its texts: two entries in containers.
constexpr size_t kOverheadBytes = 200;

size_t CostOf(const Event& event) {
  return kOverheadBytes + 2 * event.room.size() + event.name.size() + event.data_json.size();
}

}  // namespace

void RecentEvents::Restart(Place from) {
  events_.clear();
  arrivals_.clear();
  bytes_ = 0;
  complete_from_ = from;
}

void RecentEvents::Add(Place place, Place after, Event event) {
  bytes_ += CostOf(event);
  std::tuple key(event.room, place);
  arrivals_.push_back(events_.emplace(std::move(key), Kept{std::move(event), after}).first);
  while (arrivals_.size() > limits_.events_max || bytes_ > limits_.bytes_max) DropOldest();
}

void RecentEvents::DropOldest() {
  const Events::iterator oldest = arrivals_.front();
  arrivals_.pop_front();
  bytes_ -= CostOf(oldest->second.event);
  complete_from_ = oldest->second.after;
  events_.erase(oldest);
}

std::vector<const RecentEvents::Kept*> RecentEvents::Find(std::string_view room, Place from) const {
  std::vector<const Kept*> found;
  for (auto at = events_.lower_bound(std::tuple(room, from));
       at != events_.end() && std::get<std::string>(at->first) == room; ++at) {
    found.push_back(&at->second);
  }
  return found;
}

}  // namespace cairn::live
