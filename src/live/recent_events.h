// RecentEvents: the last events of one feed, so that a client which was away for a while can be told what it
// has missed. Bounded in number and bytes; the oldest go first. Used by the hub, under its mutex.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace cairn::live {

// Something that clients in a room want to know.
struct Event {
  std::string room;       // "plan:01JC...:2026-11-16"
  std::string name;       // "head_changed"
  std::string data_json;  // one JSON object
};

// Where an event stands in its feed: the sequence of its record, and which event of the record it is.
struct Place {
  uint64_t sequence = 0;
  uint64_t index = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

struct RecentLimits {
  size_t events_max = 10'000;
  size_t bytes_max = 4 * 1024 * 1024;
};

class RecentEvents {
 public:
  explicit RecentEvents(RecentLimits limits) : limits_(limits) {}

  // Forgets everything; complete from this place on.
  void Restart(Place from);
  // `after` is where whoever has seen the event goes on. Precondition: places ascend.
  void Add(Place place, Place after, Event event);

  // Every event at or behind this place is here.
  Place complete_from() const { return complete_from_; }

  struct Kept {
    Event event;
    Place after;
  };
  // Those of a room at or behind a place, in their order; valid until the next change.
  std::vector<const Kept*> Find(std::string_view room, Place from) const;

 private:
  using Events = std::map<std::tuple<std::string, Place>, Kept, std::less<>>;  // by room, then in order

  void DropOldest();

  const RecentLimits limits_;
  Events events_;
  std::deque<Events::iterator> arrivals_;  // oldest first
  size_t bytes_ = 0;
  Place complete_from_;
};

}  // namespace cairn::live
