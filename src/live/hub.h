// Hub: rooms and who listens in them. Change feeds publish events; sockets subscribe to rooms.
//
// A room's name is "<kind>:<...>"; its kind says which feed its events come from. A feed is a sequence of
// numbered records (a table's stream), of which the recent events are kept: a client that comes back with a
// cursor is told what it missed, in order, nothing left out and nothing twice; or that it has been away for
// too long (reset) and must read the state anew. Who may enter a room is the socket's question.
//
// Thread-safe. One mutex guards everything, and nothing waits under it: WebSocket::Send only queues.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "http/websocket.h"
#include "live/feed_cursor.h"
#include "live/recent_events.h"
#include "model/cursor.h"

namespace cairn::live {

struct HubOptions {
  RecentLimits recent = {};  // of each feed
  // What one connection is told of the past, all its rooms together; beyond that: reset. Well below the
  // queue of a socket (http::ServerOptions), or those who come back would be dropped again and again.
  size_t replay_bytes_max = 512 * 1024;
};

struct HubNumbers {
  size_t sockets = 0;    // identified ones
  size_t rooms = 0;      // with somebody in them
  uint64_t events = 0;   // published since the start
  uint64_t dropped = 0;  // sockets that did not take what was sent
};

class Hub {
 public:
  using SubscriberId = uint64_t;

  // The sealer must outlive the hub.
  explicit Hub(const model::CursorSealer& sealer, HubOptions options = {});
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  // Before everything else. Preconditions: a new name, and kinds without ':' that no other feed has.
  void AddFeed(const std::string& feed, const std::vector<std::string>& room_kinds);
  bool HasKind(std::string_view room_kind) const;

  // ---- For whoever reads the stream of a feed. Precondition: the feed was added.

  // The next records come from `stream`, and all from this sequence on will be published. Nothing happens
  // when that continues what was published; otherwise events may be missing: what is kept is forgotten, and
  // everybody in the feed's rooms is told to read the state anew.
  void Cover(std::string_view feed, std::string_view stream, uint64_t from_sequence);
  // The events of the record with this sequence. One that was published before is ignored. Precondition: all
  // of them are for rooms of the feed.
  void Publish(std::string_view feed, uint64_t sequence, std::vector<Event> events);
  // Everything below this sequence has been published.
  void Advance(std::string_view feed, uint64_t next_sequence);

  // ---- For sockets.

  SubscriberId Join(std::string user_id, std::shared_ptr<http::WebSocket> socket);
  void Leave(SubscriberId subscriber);
  // Sends "subscribed", then either what the client has missed since its cursor or, if nobody can tell,
  // "reset". The cursor in "subscribed" stands for what was read before the messages that follow, so a
  // client that loses the connection in between misses nothing. Precondition: HasKind. No effect after Leave,
  // or when the hub has dropped the socket.
  void Subscribe(SubscriberId subscriber, std::string_view room, const std::optional<std::string>& cursor);
  void Unsubscribe(SubscriberId subscriber, std::string_view room);

  HubNumbers Numbers() const;

 private:
  struct Feed {
    std::string name;
    std::string stream;  // "": not covered yet
    Place next;          // everything before has been published
    RecentEvents recent;
  };
  struct Subscriber {
    std::string user_id;
    std::shared_ptr<http::WebSocket> socket;
    size_t replay_bytes_left = 0;
    std::set<std::string, std::less<>> rooms = {};
  };
  using Members = std::set<SubscriberId>;

  // All with the mutex held.
  Feed& FeedOf(std::string_view name);
  Feed& FeedOfRoom(std::string_view room);
  std::string CursorAt(const Feed& feed, Place next, std::string_view user_id) const;
  void Deliver(const Feed& feed, const Event& event, Place after);
  // The messages of a resumed room; nothing when only a reset helps.
  std::optional<std::vector<std::string>> MissedSince(const Feed& feed, const FeedPosition& position,
                                                      std::string_view room, Subscriber& subscriber) const;
  bool SendAll(Subscriber& subscriber, std::vector<std::string> messages);
  void Drop(SubscriberId subscriber);
  void Remove(SubscriberId subscriber);
  void LeaveRoom(SubscriberId subscriber, std::string_view room);

  const model::CursorSealer& sealer_;
  const HubOptions options_;

  mutable std::mutex mutex_;  // guards all below
  std::map<std::string, Feed, std::less<>> feeds_;
  std::map<std::string, Feed*, std::less<>> feed_of_kind_;
  std::map<std::string, Members, std::less<>> rooms_;
  std::unordered_map<SubscriberId, Subscriber> subscribers_;
  SubscriberId next_subscriber_ = 1;
  uint64_t events_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace cairn::live
