// Socket: the live protocol with one client, from the upgrade to the end: who it is, which rooms it is in,
// and for how long it may stay. docs/live.md describes the messages.
//
// Whoever was identified by the upgrade is welcome at once; everybody else must send a token first. The right
// to be here ends with the token, and is asked for again every few seconds, so that a logout or a deleted
// account is felt while the connection lasts. All calls come from the client's event loop (http/websocket.h).
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "http/websocket.h"
#include "live/client_message.h"
#include "live/hub.h"
#include "rest/authenticator.h"

namespace cairn::live {

// For applications, as the standard leaves room for: who this is was not told in time, is wrong, or has
// ended.
inline constexpr uint16_t kCloseUnauthenticated = 4401;

// Whether somebody may listen in a room of the rule's kind. Must not wait.
using MayEnter = std::function<bool(const rest::Identified&, std::string_view room)>;
using RoomRules = std::map<std::string, MayEnter, std::less<>>;  // by kind: the text before the first ':'

struct SocketLimits {
  size_t rooms_max = 100;
  size_t room_bytes_max = 512;  // of a room's name
  int errors_max = 20;          // beyond: closed with 1008
  // What a client may say while its token is being looked at; beyond: closed with 1008.
  size_t waiting_bytes_max = 64 * 1024;
  std::chrono::seconds auth_within{10};
  std::chrono::seconds check_every{3};
};

// What all sockets share. Lives as long as the server whose sockets they are.
struct SocketContext {
  rest::Authenticator& authenticator;
  Hub& hub;
  const Clock& clock;
  RoomRules rules;
  SocketLimits limits;
};

class Socket final : public http::WebSocketListener, public std::enable_shared_from_this<Socket> {
 public:
  // `identified`: as the upgrade says; null when it says nothing.
  Socket(const SocketContext& context, std::shared_ptr<const rest::Identified> identified)
      : context_(context), identified_(std::move(identified)) {}

  void OnOpen(std::shared_ptr<http::WebSocket> socket) override;
  void OnText(std::string_view text) override;
  void OnTick() override;
  void OnClose() override;

 private:
  void Handle(std::string_view text);
  void Handle(Authenticate message);
  void Handle(const Subscribe& message);
  void Handle(const Unsubscribe& message);
  void Handle(const Ping& message);

  void OnIdentified(Result<rest::Identified> identified);
  void Welcome();
  void LeaveForbiddenRooms();
  void HandleWaiting();
  void CheckValidity();
  bool MayBeIn(std::string_view room) const;

  void Refuse(std::string_view code, std::string_view detail, std::string_view room = {});
  void Close(uint16_t code, std::string reason);
  void LeaveHub();

  const SocketContext& context_;
  std::shared_ptr<http::WebSocket> socket_;
  std::shared_ptr<const rest::Identified> identified_;  // null: not yet known
  std::optional<Hub::SubscriberId> subscriber_;
  std::set<std::string, std::less<>> rooms_;
  std::deque<std::string> waiting_;  // said while a token was being looked at
  size_t waiting_bytes_ = 0;
  bool is_identifying_ = false;
  bool is_handling_waiting_ = false;
  bool is_checking_ = false;
  bool is_over_ = false;
  int errors_ = 0;
  Time auth_deadline_;
  Time next_check_;
};

}  // namespace cairn::live
