// A server with /ws, an authenticator that knows the tokens of a test, and a client that speaks the protocol.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/random.h"
#include "http/cookies.h"
#include "http/gate_for_tests.h"
#include "http/router.h"
#include "http/server.h"
#include "http/websocket_client_for_tests.h"
#include "live/recording_socket_for_test.h"
#include "live/socket_api.h"

namespace cairn::live {

// Tokens are "<user> <number>": good for an hour unless Expire says something else. The cookie "session" has
// the same form. Thread-safe.
class FakeAuthenticator : public rest::Authenticator {
 public:
  explicit FakeAuthenticator(const Clock& clock) : clock_(clock) {}

  void ExpireAt(const std::string& token, Time when) {
    std::lock_guard lock(mutex_);
    expiries_.insert_or_assign(token, when);
  }
  // From now on whoever used it is no longer valid.
  void Revoke(const std::string& user) {
    std::lock_guard lock(mutex_);
    revoked_.insert(user);
  }
  void FailWith(Error error) {
    std::lock_guard lock(mutex_);
    failure_ = std::move(error);
  }
  // The next token, or the next question whether somebody is still valid, waits there.
  void HoldTokensAt(http::Gate& gate) { token_gate_ = &gate; }
  void HoldChecksAt(http::Gate& gate) { check_gate_ = &gate; }
  int checks() const {
    std::lock_guard lock(mutex_);
    return checks_;
  }

  Task<Result<rest::Identified>> Identify(const http::Request& request) override {
    std::string_view token = request.Header("Authorization");
    const rest::Proof proof = token.empty() ? rest::Proof::kCookie : rest::Proof::kToken;
    if (proof == rest::Proof::kCookie) token = http::FindCookie(request, "session").value_or("");
    auto found = Find(std::string(token));
    if (found) found->proof = proof;
    co_return found;
  }
  Task<Result<rest::Identified>> IdentifyToken(std::string token) override {
    if (http::Gate* gate = token_gate_.exchange(nullptr)) co_await gate->Pass();
    co_return Find(token);
  }
  Task<bool> IsStillValid(const rest::Identified& identified) override {
    if (http::Gate* gate = check_gate_.exchange(nullptr)) co_await gate->Pass();
    std::lock_guard lock(mutex_);
    ++checks_;
    co_return !revoked_.contains(identified.user_id);
  }

 private:
  Result<rest::Identified> Find(const std::string& token) const {
    std::lock_guard lock(mutex_);
    if (failure_) return Fail(*failure_);
    const std::string user = token.substr(0, token.find(' '));
    if (user == token || revoked_.contains(user)) return Fail(Code::kUnauthenticated, "No such token.");
    rest::Identified identified;
    identified.user_id = user;
    const auto expiry = expiries_.find(token);
    identified.expires = expiry == expiries_.end() ? clock_.Now() + std::chrono::hours(1) : expiry->second;
    identified.session_id = token.substr(token.find(' ') + 1);
    return identified;
  }

  const Clock& clock_;
  std::atomic<http::Gate*> token_gate_ = nullptr;
  std::atomic<http::Gate*> check_gate_ = nullptr;
  mutable std::mutex mutex_;  // guards all below
  std::map<std::string, Time> expiries_;
  std::set<std::string> revoked_;
  std::optional<Error> failure_;
  int checks_ = 0;
};

class LiveClient : public http::WebSocketTestClient {
 public:
  using http::WebSocketTestClient::WebSocketTestClient;

  // `fields`: further header fields, each with its line end. Returns the status.
  int Connect(std::string_view fields, std::string_view target = "/ws") {
    const auto reply =
        Exchange("GET " + std::string(target) +
                 " HTTP/1.1\r\nHost: cairn.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
                 std::string(fields) + "\r\n");
    return reply ? reply->status : 0;
  }
  void Say(std::string_view text) { Send(http::ClientText(text)); }
  void SayAuth(std::string_view token) { Say(R"({"type":"auth","token":")" + std::string(token) + "\"}"); }
  void SaySubscribe(std::string_view room) {
    Say(R"({"type":"subscribe","room":")" + std::string(room) + "\"}");
  }
  void SaySubscribe(std::string_view room, std::string_view cursor) {
    Say(R"({"type":"subscribe","room":")" + std::string(room) + R"(","cursor":")" + std::string(cursor) +
        "\"}");
  }
  // The next message; for a close frame "close 4401".
  std::string Hear() {
    const auto frame = ReadFrame();
    if (!frame) return "(nothing)";
    if (frame->opcode == http::Opcode::kText) return frame->payload;
    if (frame->opcode != http::Opcode::kClose || frame->payload.size() < 2) return "(another frame)";
    const int code = static_cast<uint8_t>(frame->payload[0]) << 8 | static_cast<uint8_t>(frame->payload[1]);
    return "close " + std::to_string(code);
  }
  std::string HearShort() {
    const std::string text = Hear();
    return text.starts_with('{') ? Short(text) : text;
  }
};

// Rooms are "own:<user>:..." of the user alone, and "staff:..." of users whose session is called staff.
class LiveSocketTest : public testing::Test {
 protected:
  LiveSocketTest() {
    log::SetLevel(log::Level::kOff);
    hub_.AddFeed("feed", {"own", "staff"});
    hub_.Cover("feed", "stream", 0);
    options_.public_origin = "https://cairn.example";
    options_.cookie_name = "session";
  }
  ~LiveSocketTest() override { server_.reset(); }

  void Start() {
    const RoomRules rules = {
        {"own", [](const rest::Identified& who,
                   std::string_view room) { return room.starts_with("own:" + who.user_id + ":"); }},
        {"staff", [](const rest::Identified& who, std::string_view) { return who.session_id == "staff"; }},
    };
    api_ = std::make_unique<SocketApi>(options_, authenticator_, hub_, clock_, rules);
    router_ = std::make_unique<http::Router>(api_->Routes());
    http::ServerOptions settings{.port = 0, .threads = threads_};
    settings.body_timeout = std::chrono::milliseconds(40);  // a tick every 10 ms
    server_ = std::make_unique<http::Server>(
        settings, [this](const http::Request& request) { return router_->Handle(request); });
    port_ = server_->Start().value();
  }
  std::unique_ptr<LiveClient> Connected(std::string token) {
    auto client = std::make_unique<LiveClient>(port_);
    EXPECT_EQ(client->Connect("Authorization: " + token + "\r\n"), 101);
    EXPECT_EQ(client->HearShort(), "welcome");
    return client;
  }
  void Publish(std::string room) { hub_.Publish("feed", sequence_++, {{std::move(room), "changed", "{}"}}); }

  FakeClock clock_{Time(std::chrono::seconds(1'800'000'000))};  // 2027-01-15T08:00:00Z
  SeededRandom random_{7};
  model::CursorSealer sealer_{"secret", random_};
  Hub hub_{sealer_};
  FakeAuthenticator authenticator_{clock_};
  SocketApiOptions options_;
  int threads_ = 2;
  std::unique_ptr<SocketApi> api_;
  std::unique_ptr<http::Router> router_;
  std::unique_ptr<http::Server> server_;
  uint16_t port_ = 0;
  uint64_t sequence_ = 1;
};

}  // namespace cairn::live
