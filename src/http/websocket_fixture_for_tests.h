// A server whose every address is a WebSocket, and listeners that keep a diary, for tests.
#pragma once

#include <gtest/gtest.h>

#include <charconv>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "http/server.h"
#include "http/websocket_client_for_tests.h"
#include "http/websocket_upgrade.h"

namespace cairn::http {

// What all listeners of a test have seen. Thread-safe.
class Diary {
 public:
  void AddSocket(std::shared_ptr<WebSocket> socket) {
    Change([&] { sockets_.push_back(std::move(socket)); });
  }
  void AddText(std::string_view text) {
    Change([&] { texts_.emplace_back(text); });
  }
  void AddTick() {
    Change([&] { ++ticks_; });
  }
  void AddClose() {
    Change([&] { ++closes_; });
  }

  // Wait until there are that many, or the test has waited too long.
  std::vector<std::shared_ptr<WebSocket>> WaitForSockets(size_t count) {
    return WaitFor([&] { return sockets_.size() >= count; }, sockets_);
  }
  int WaitForCloses(int count) {
    return WaitFor([&] { return closes_ >= count; }, closes_);
  }
  int WaitForTicks(int count) {
    return WaitFor([&] { return ticks_ >= count; }, ticks_);
  }
  std::vector<std::string> texts() {
    std::lock_guard lock(mutex_);
    return texts_;
  }
  int closes() {
    std::lock_guard lock(mutex_);
    return closes_;
  }

 private:
  void Change(const std::function<void()>& change) {
    std::lock_guard lock(mutex_);
    change();
    changed_.notify_all();
  }
  template <class T>
  T WaitFor(const std::function<bool()>& condition, const T& value) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::milliseconds(TestClient::kPatienceMs), condition));
    return value;
  }

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<std::shared_ptr<WebSocket>> sockets_;
  std::vector<std::string> texts_;
  int ticks_ = 0;
  int closes_ = 0;
};

// Sends back what it hears; "close 4001" closes with that code, "quiet" is not answered.
class EchoListener : public WebSocketListener {
 public:
  explicit EchoListener(Diary& diary) : diary_(diary) {}

  void OnOpen(std::shared_ptr<WebSocket> socket) override {
    loop_ = Executor::Current();
    EXPECT_NE(loop_, nullptr);
    socket_ = socket;
    diary_.AddSocket(std::move(socket));
  }
  void OnText(std::string_view text) override {
    EXPECT_EQ(Executor::Current(), loop_);
    diary_.AddText(text);
    constexpr std::string_view kClose = "close ";
    if (text.starts_with(kClose)) {
      uint16_t code = 0;
      std::from_chars(text.data() + kClose.size(), text.data() + text.size(), code);
      socket_->Close(code, "as you say");
    } else if (text != "quiet") {
      socket_->Send(std::string(text));
    }
  }
  void OnTick() override {
    EXPECT_EQ(Executor::Current(), loop_);
    diary_.AddTick();
  }
  void OnClose() override {
    EXPECT_EQ(Executor::Current(), loop_);
    EXPECT_FALSE(socket_->Send("too late"));
    diary_.AddClose();
  }

 protected:
  std::shared_ptr<WebSocket> socket_;

 private:
  Diary& diary_;
  Executor* loop_ = nullptr;
};

class WebSocketServerTest : public testing::Test {
 protected:
  WebSocketServerTest() {
    options_.port = 0;
    options_.threads = 2;
    make_listener_ = [this] { return std::make_shared<EchoListener>(diary_); };
  }

  void Start() {
    server_ = std::make_unique<Server>(options_, [this](const Request& request) -> Task<Response> {
      const auto upgrade = ParseUpgrade(request);
      if (!upgrade) co_return ToResponse(upgrade.error());
      co_return SwitchToWebSocket(*upgrade, make_listener_(), upgrade->Offers("v1") ? "v1" : "");
    });
    port_ = server_->Start().value();
  }

  // The client answers the server's close frame; then the server hangs up.
  void ExpectFinished(WebSocketTestClient& client, uint16_t code) {
    client.Send(ClientFrame(Opcode::kClose, CloseCode(code)));
    EXPECT_TRUE(client.SeesClose());
  }

  Diary diary_;
  std::function<std::shared_ptr<WebSocketListener>()> make_listener_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
  uint16_t port_ = 0;
};

}  // namespace cairn::http
