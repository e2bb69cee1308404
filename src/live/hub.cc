#include "live/hub.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "live/server_message.h"

namespace cairn::live {
namespace {

// A message beside the event's own texts: names of members and the cursor.
constexpr size_t kMessageOverheadBytes = 250;

size_t MessageBytes(const Event& event) {
  return kMessageOverheadBytes + event.room.size() + event.name.size() + event.data_json.size();
}

std::string_view KindOf(std::string_view room) { return room.substr(0, room.find(':')); }

// A cursor that no feed has: with it a client is told to read the state anew.
constexpr std::string_view kNoStream = "";

}  // namespace

Hub::Hub(const model::CursorSealer& sealer, HubOptions options) : sealer_(sealer), options_(options) {}

// ---- feeds ----

void Hub::AddFeed(const std::string& feed, const std::vector<std::string>& room_kinds) {
  std::lock_guard lock(mutex_);
  const auto [added, is_new] =
      feeds_.try_emplace(feed, Feed{.name = feed, .stream = {}, .recent = RecentEvents(options_.recent)});
  CHECK(is_new, "feeds have different names");
  for (const std::string& kind : room_kinds) {
    CHECK(feed_of_kind_.try_emplace(kind, &added->second).second, "rooms of one kind belong to one feed");
  }
}

bool Hub::HasKind(std::string_view room_kind) const {
  std::lock_guard lock(mutex_);
  return feed_of_kind_.contains(room_kind);
}

Hub::Feed& Hub::FeedOf(std::string_view name) {
  const auto feed = feeds_.find(name);
  CHECK(feed != feeds_.end(), "a feed is added before it is used");
  return feed->second;
}

Hub::Feed& Hub::FeedOfRoom(std::string_view room) {
  const auto feed = feed_of_kind_.find(KindOf(room));
  CHECK(feed != feed_of_kind_.end(), "rooms are of a kind that a feed has");
  return *feed->second;
}

std::string Hub::CursorAt(const Feed& feed, Place next, std::string_view user_id) const {
  return SealPosition(sealer_, {.feed = feed.name, .stream = feed.stream, .next = next}, user_id);
}

void Hub::Cover(std::string_view feed_name, std::string_view stream, uint64_t from_sequence) {
  std::lock_guard lock(mutex_);
  Feed& feed = FeedOf(feed_name);
  const Place from{.sequence = from_sequence};
  if (feed.stream == stream && from <= feed.next) return;
  feed.stream = stream;
  feed.next = from;
  feed.recent.Restart(from);
  std::vector<SubscriberId> failed;
  for (const auto& [room, members] : rooms_) {
    if (&FeedOfRoom(room) != &feed) continue;
    for (const SubscriberId member : members) {
      Subscriber& subscriber = subscribers_.at(member);
      const std::string cursor = CursorAt(feed, feed.next, subscriber.user_id);
      if (!subscriber.socket->Send(ResetMessage(room, cursor))) failed.push_back(member);
    }
  }
  for (const SubscriberId member : failed) Drop(member);
}

void Hub::Publish(std::string_view feed_name, uint64_t sequence, std::vector<Event> events) {
  std::lock_guard lock(mutex_);
  Feed& feed = FeedOf(feed_name);
  if (Place{.sequence = sequence} < feed.next) return;
  feed.next = {.sequence = sequence + 1};
  for (size_t i = 0; i < events.size(); ++i) {
    CHECK(&FeedOfRoom(events[i].room) == &feed, "a feed has events for its own rooms only");
    const Place after = i + 1 == events.size() ? feed.next : Place{sequence, i + 1};
    Deliver(feed, events[i], after);
    feed.recent.Add(Place{sequence, i}, after, std::move(events[i]));
    ++events_;
  }
}

void Hub::Advance(std::string_view feed_name, uint64_t next_sequence) {
  std::lock_guard lock(mutex_);
  Feed& feed = FeedOf(feed_name);
  feed.next = std::max(feed.next, Place{.sequence = next_sequence});
}

void Hub::Deliver(const Feed& feed, const Event& event, Place after) {
  const auto room = rooms_.find(event.room);
  if (room == rooms_.end()) return;
  std::map<std::string_view, std::string> messages;  // by user: a cursor is sealed once for all their sockets
  std::vector<SubscriberId> failed;
  for (const SubscriberId member : room->second) {
    Subscriber& subscriber = subscribers_.at(member);
    std::string& message = messages[subscriber.user_id];
    if (message.empty()) message = EventMessage(event, CursorAt(feed, after, subscriber.user_id));
    if (!subscriber.socket->Send(message)) failed.push_back(member);
  }
  for (const SubscriberId member : failed) Drop(member);
}

// ---- sockets ----

Hub::SubscriberId Hub::Join(std::string user_id, std::shared_ptr<http::WebSocket> socket) {
  std::lock_guard lock(mutex_);
  const SubscriberId id = next_subscriber_++;
  subscribers_.emplace(id, Subscriber{.user_id = std::move(user_id),
                                      .socket = std::move(socket),
                                      .replay_bytes_left = options_.replay_bytes_max});
  return id;
}

void Hub::Leave(SubscriberId subscriber) {
  std::lock_guard lock(mutex_);
  Remove(subscriber);
}

void Hub::Subscribe(SubscriberId id, std::string_view room, const std::optional<std::string>& cursor) {
  std::lock_guard lock(mutex_);
  const auto found = subscribers_.find(id);
  if (found == subscribers_.end()) return;
  Subscriber& subscriber = found->second;
  Feed& feed = FeedOfRoom(room);
  rooms_[std::string(room)].insert(id);
  subscriber.rooms.emplace(room);

  const std::string current = CursorAt(feed, feed.next, subscriber.user_id);
  std::vector<std::string> messages;
  if (!cursor) {
    messages.push_back(SubscribedMessage(room, current));
  } else {
    const auto position = OpenPosition(sealer_, *cursor, subscriber.user_id);
    auto missed = position ? MissedSince(feed, *position, room, subscriber) : std::nullopt;
    if (missed) {
      messages = *std::move(missed);
      messages.insert(messages.begin(), SubscribedMessage(room, *cursor));
    } else {
      // Should the connection end between the two, the first cursor leads to a reset again.
      const FeedPosition nowhere{.feed = feed.name, .stream = std::string(kNoStream)};
      messages.push_back(SubscribedMessage(room, SealPosition(sealer_, nowhere, subscriber.user_id)));
      messages.push_back(ResetMessage(room, current));
    }
  }
  if (!SendAll(subscriber, std::move(messages))) Drop(id);
}

std::optional<std::vector<std::string>> Hub::MissedSince(const Feed& feed, const FeedPosition& position,
                                                         std::string_view room,
                                                         Subscriber& subscriber) const {
  if (position.feed != feed.name || position.stream != feed.stream || feed.stream == kNoStream ||
      position.next < feed.recent.complete_from() || position.next > feed.next) {
    return std::nullopt;
  }
  const std::vector<const RecentEvents::Kept*> missed = feed.recent.Find(room, position.next);
  size_t bytes = 0;
  for (const RecentEvents::Kept* kept : missed) bytes += MessageBytes(kept->event);
  if (bytes > subscriber.replay_bytes_left) return std::nullopt;
  subscriber.replay_bytes_left -= bytes;
  std::vector<std::string> messages;
  messages.reserve(missed.size() + 1);
  for (const RecentEvents::Kept* kept : missed) {
    messages.push_back(EventMessage(kept->event, CursorAt(feed, kept->after, subscriber.user_id)));
  }
  return messages;
}

void Hub::Unsubscribe(SubscriberId id, std::string_view room) {
  std::lock_guard lock(mutex_);
  const auto found = subscribers_.find(id);
  if (found == subscribers_.end()) return;
  const auto at = found->second.rooms.find(room);
  if (at == found->second.rooms.end()) return;
  found->second.rooms.erase(at);
  LeaveRoom(id, room);
}

bool Hub::SendAll(Subscriber& subscriber, std::vector<std::string> messages) {
  for (std::string& message : messages) {
    if (!subscriber.socket->Send(std::move(message))) return false;
  }
  return true;
}

void Hub::Drop(SubscriberId id) {
  if (!subscribers_.contains(id)) return;
  ++dropped_;
  Remove(id);
}

void Hub::Remove(SubscriberId id) {
  const auto found = subscribers_.find(id);
  if (found == subscribers_.end()) return;
  for (const std::string& room : found->second.rooms) LeaveRoom(id, room);
  subscribers_.erase(found);
}

void Hub::LeaveRoom(SubscriberId id, std::string_view room) {
  const auto found = rooms_.find(room);
  if (found == rooms_.end()) return;
  found->second.erase(id);
  if (found->second.empty()) rooms_.erase(found);
}

HubNumbers Hub::Numbers() const {
  std::lock_guard lock(mutex_);
  return {.sockets = subscribers_.size(), .rooms = rooms_.size(), .events = events_, .dropped = dropped_};
}

}  // namespace cairn::live
