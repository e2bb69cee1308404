// The promise of cursors under load: whoever comes back with the last cursor it has seen misses nothing and
// gets nothing twice.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "live/hub.h"
#include "live/recording_socket_for_test.h"

namespace cairn::live {
namespace {

constexpr int kFeeds = 8;
constexpr int kEventsPerFeed = 300;
constexpr int kClients = 12;

std::string FeedName(int feed) { return "feed" + std::to_string(feed); }
std::string RoomName(int feed) { return "kind" + std::to_string(feed) + ":room"; }

// Events are named 0, 1, 2, ... in each feed; sequences have holes, as those of a table among others have.
void PublishAll(Hub& hub, int feed, unsigned seed) {
  std::mt19937 random(seed);
  uint64_t sequence = 1;
  for (int i = 0; i < kEventsPerFeed;) {
    std::vector<Event> events;
    for (unsigned left = random() % 3; left > 0 && i < kEventsPerFeed; --left) {
      events.push_back({RoomName(feed), std::to_string(i++), "{}"});
    }
    hub.Publish(FeedName(feed), sequence, std::move(events));
    sequence += 1 + random() % 3;
    if (random() % 4 == 0) hub.Advance(FeedName(feed), sequence);
  }
}

struct Client {
  std::string user;
  int feed = 0;
  std::string cursor;
};

// Somebody who has been in the room before anything happened there.
Client NewClient(Hub& hub, int number) {
  Client client{.user = "user" + std::to_string(number % 5), .feed = number % kFeeds, .cursor = {}};
  auto socket = std::make_shared<RecordingSocket>();
  const Hub::SubscriberId id = hub.Join(client.user, socket);
  hub.Subscribe(id, RoomName(client.feed), std::nullopt);
  hub.Leave(id);
  client.cursor = socket->last_cursor();
  return client;
}

// Reads the room to its end over many connections; each ends at some moment, and what was sent after it is
// lost. Returns what went wrong.
std::string ReadWithInterruptions(Hub& hub, Client client, unsigned seed) {
  std::mt19937 random(seed);
  int expected = 0;
  while (expected < kEventsPerFeed) {
    auto socket = std::make_shared<RecordingSocket>();
    const Hub::SubscriberId id = hub.Join(client.user, socket);
    hub.Subscribe(id, RoomName(client.feed), client.cursor);
    const auto left = static_cast<size_t>(kEventsPerFeed - expected);
    const size_t wanted = 1 + random() % std::min<size_t>(left + 1, 40);
    const std::vector<std::string> messages = socket->WaitFor(wanted);
    hub.Leave(id);
    for (size_t i = 0; i < wanted; ++i) {
      const std::string type = Member(messages[i], "type");
      if (type != (i == 0 ? "subscribed" : "event")) return "unexpected: " + messages[i];
      if (i > 0 && Member(messages[i], "event") != std::to_string(expected++)) {
        return "expected " + std::to_string(expected - 1) + ", got " + messages[i];
      }
      client.cursor = Member(messages[i], "cursor");
    }
  }
  return "";
}

TEST(HubResume, NothingIsMissedOrDoubledUnderLoad) {
  std::random_device device;
  const unsigned seed = device();
  SCOPED_TRACE("seed " + std::to_string(seed));
  SeededRandom nonces(seed);
  const model::CursorSealer sealer("secret", nonces);
  Hub hub(sealer, {.recent = {}, .replay_bytes_max = 100'000'000});
  for (int feed = 0; feed < kFeeds; ++feed) {
    hub.AddFeed(FeedName(feed), {"kind" + std::to_string(feed)});
    hub.Cover(FeedName(feed), "stream", 0);
  }
  std::vector<Client> clients;
  for (int i = 0; i < kClients; ++i) clients.push_back(NewClient(hub, i));
  std::vector<std::string> problems(kClients);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < clients.size(); ++i) {
    threads.emplace_back(
        [&, i] { problems[i] = ReadWithInterruptions(hub, clients[i], seed + static_cast<unsigned>(i)); });
  }
  for (int feed = 0; feed < kFeeds; ++feed) {
    threads.emplace_back([&, feed] { PublishAll(hub, feed, seed + 100 + static_cast<unsigned>(feed)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& problem : problems) EXPECT_EQ(problem, "");
  EXPECT_EQ(hub.Numbers().events, static_cast<uint64_t>(kFeeds * kEventsPerFeed));
  EXPECT_EQ(hub.Numbers().sockets, 0u);
}

}  // namespace
}  // namespace cairn::live
