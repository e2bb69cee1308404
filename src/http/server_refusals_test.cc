// What the server refuses by itself: ambiguous framing (request smuggling), limits, timeouts.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "http/client_for_tests.h"
#include "http/gzip.h"
#include "http/server.h"

namespace cairn::http {
namespace {

using std::chrono::milliseconds;

class RefusalTest : public testing::Test {
 protected:
  RefusalTest() {
    options_.port = 0;
    options_.threads = 2;
  }

  void Start() {
    server_ = std::make_unique<Server>(options_, [this](const Request& request) -> Task<Response> {
      ++handled_;
      Response response;
      response.body = std::to_string(request.body.size());
      co_return response;
    });
    port_ = server_->Start().value();
  }

  // Sends `request`, followed by one that must not be executed.
  void ExpectRefused(const std::string& request, int status) {
    SCOPED_TRACE(request.substr(0, 200));
    const int handled_before = handled_;
    TestClient client(port_);
    client.Send(request + "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n");
    const auto reply = client.ReadReply();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, status);
    EXPECT_EQ(reply->Header("Connection"), "close");
    EXPECT_EQ(reply->Header("Content-Type"), "application/json");
    EXPECT_TRUE(reply->body.starts_with(R"({"message":")")) << reply->body;
    EXPECT_TRUE(client.SeesClose());
    EXPECT_EQ(handled_, handled_before);
  }

  ServerOptions options_;
  std::atomic<int> handled_ = 0;
  std::unique_ptr<Server> server_;
  uint16_t port_ = 0;
};

TEST_F(RefusalTest, AmbiguousRequestsAre400AndEndTheConnection) {
  Start();
  const std::string kHeads[] = {
      "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
      "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
      "Content-Length: 5\r\nContent-Length: 5\r\n",
      "Content-Length: 5\r\nContent-Length: 6\r\n",
      "Content-Length: +5\r\n",
      "Content-Length: -5\r\n",
      "Content-Length: 5,5\r\n",
      "Content-Length: 5, 5\r\n",
      "Content-Length: 0x5\r\n",
      "Content-Length: 5 5\r\n",
      "Content-Length: 5.0\r\n",
      "Content-Length:\r\n",
      "Content-Length: 99999999999999999999999\r\n",
      "Content-Length: \xd9\xa5\r\n",
      "Content-Length : 5\r\n",
      "Content-Length\t: 5\r\n",
      "Content-Length: 5\n",
      "Content-Length: 5\rX: y\r\n",
      "Content-Length:\r\n 5\r\n",
      "X: a\r\n folded: b\r\n",
      "X: a\r\n\tfolded\r\n",
      "Transfer-Encoding: gzip\r\n",
      "Transfer-Encoding: gzip, chunked\r\n",
      "Transfer-Encoding: chunked, chunked\r\n",
      "Transfer-Encoding: chunked, identity\r\n",
      "Transfer-Encoding: chunked;q=1\r\n",
      "Transfer-Encoding: \"chunked\"\r\n",
      "Transfer-Encoding: xchunked\r\n",
      "Transfer-Encoding: \x0b"
      "chunked\r\n",
      "Transfer-Encoding:\r\n",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
      "Transfer-Encoding : chunked\r\n",
      std::string("X: a\0b\r\n", 8),
      std::string("X\0: a\r\n", 7),
      "X: a\x01\r\n",
      "No colon\r\n",
      ": no name\r\n",
      "Host: twice\r\n",
  };
  for (const std::string& head : kHeads) {
    ExpectRefused("POST / HTTP/1.1\r\nHost: h\r\n" + head + "\r\n5\r\nhello\r\n0\r\n\r\n", 400);
  }
}

TEST_F(RefusalTest, MalformedRequestLinesAre400) {
  Start();
  for (const char* request :
       {"POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",  // no Host
        "GET / HTTP/2.0\r\nHost: h\r\n\r\n", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", "GET /\r\n\r\n",
        "GET / HTTP/1.1 \r\nHost: h\r\n\r\n", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / http/1.1\r\nHost: h\r\n\r\n", "G@T / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", " GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\nHost: h\n\n", "GET / HTTP/1.1\r\nHost: h\r\n\n", "\x16\x03\x01\x02\r\n\r\n"}) {
    ExpectRefused(request, 400);
  }
}

TEST_F(RefusalTest, BrokenChunksAre400AndEndTheConnection) {
  Start();
  for (const std::string& body :
       {std::string("5\nhello\r\n0\r\n\r\n"), std::string("FFFFFFFFFFFFFFFFF\r\nhello"),
        std::string("5 \r\nhello\r\n"), std::string("0x5\r\nhello\r\n"),
        std::string("5\r\nhelloX\r\n0\r\n\r\n"), std::string("-1\r\n\r\n"),
        "5;" + std::string(100'000, 'e') + "\r\nhello\r\n0\r\n\r\n", std::string("\r\n")}) {
    ExpectRefused("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body, 400);
  }
}

TEST_F(RefusalTest, LargeHeadIs431AndLongTargetIs414) {
  Start();
  const std::string field = "X: " + std::string(1'000, 'x') + "\r\n";
  std::string fields;
  for (int i = 0; i < 15; ++i) fields += field;
  TestClient client(port_);
  EXPECT_EQ(client.Exchange("GET / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n")->status, 200);
  EXPECT_EQ(client.Exchange("GET / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n")->status, 200);
  ExpectRefused("GET / HTTP/1.1\r\nHost: h\r\n" + fields + field + field + "\r\n", 431);
  ExpectRefused("GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(1'000'000, 'x') + "\r\n\r\n", 431);
  ExpectRefused("GET /" + std::string(9'000, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n", 414);
  ExpectRefused("GET /" + std::string(100'000, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n", 414);
}

TEST_F(RefusalTest, LargeBodyIs413BeforeItIsSent) {
  options_.body_bytes_max = 1'000;
  Start();
  TestClient client(port_);
  client.Send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1001\r\n\r\n");
  EXPECT_EQ(client.ReadReply()->status, 413);
  EXPECT_TRUE(client.SeesClose());
  ExpectRefused("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 18446744073709551615\r\n\r\n", 413);
  TestClient fits(port_);
  EXPECT_EQ(
      fits.Exchange("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n" + std::string(1'000, 'b'))
          ->body,
      "1000");
}

TEST_F(RefusalTest, ClientThatSendsItAllStillReadsThe413) {
  options_.body_bytes_max = 1'000;
  Start();
  TestClient client(port_);
  client.Send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n" + std::string(3'000'000, 'b'));
  const auto reply = client.ReadReply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 413);
}

TEST_F(RefusalTest, BodyThatTurnsOutLargeIs413) {
  options_.body_bytes_max = 10'000;
  Start();
  ExpectRefused("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2711\r\n" +
                    std::string(10'001, 'b') + "\r\n0\r\n\r\n",
                413);
  const std::string bomb = Gzip(std::string(10'001, 'b'));
  const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Encoding: gzip\r\nContent-Length: ";
  ExpectRefused(head + std::to_string(bomb.size()) + "\r\n\r\n" + bomb, 413);
}

TEST_F(RefusalTest, BadContentCodingIs400Or415) {
  Start();
  const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Encoding: ";
  ExpectRefused(head + "gzip\r\n\r\nhello", 400);
  ExpectRefused(head + "br\r\n\r\nhello", 415);
  ExpectRefused(head + "gzip, gzip\r\n\r\nhello", 415);
  ExpectRefused(head + "gzip\r\nContent-Encoding: identity\r\n\r\nhello", 415);
}

TEST_F(RefusalTest, BodiesBeyondTheMemoryBudgetAre503) {
  options_.body_memory_bytes_max = 100'000;
  Start();
  TestClient holder(port_);
  holder.Send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 70000\r\n\r\n");
  ASSERT_EQ(holder.ReadReply()->status, 100);
  holder.Send(std::string(60'000, 'b'));
  const std::string large =
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n" + std::string(50'000, 'b');
  ExpectRefused(large, 503);
  EXPECT_EQ(TestClient(port_).Exchange("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nfits")->status,
            200);
  EXPECT_EQ(holder.Exchange(std::string(10'000, 'b'))->body, "70000");
  EXPECT_EQ(TestClient(port_).Exchange(large)->body, "50000");  // the budget is free again
}

TEST_F(RefusalTest, ConnectionsBeyondTheLimitAre503) {
  options_.connections_max = 2;
  Start();
  const std::string request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  TestClient first(port_);
  EXPECT_EQ(first.Exchange(request)->status, 200);
  TestClient second(port_);
  EXPECT_EQ(second.Exchange(request)->status, 200);
  TestClient third(port_);
  EXPECT_EQ(third.ReadReply()->status, 503);
  EXPECT_TRUE(third.SeesClose());
  EXPECT_EQ(first.Exchange(request)->status, 200);
}

TEST_F(RefusalTest, SlowHeadIs408) {
  options_.header_timeout = milliseconds(50);
  Start();
  TestClient client(port_);
  client.Send("GET / HTTP/1.1\r\nHost:");
  EXPECT_EQ(client.ReadReply()->status, 408);
  EXPECT_TRUE(client.SeesClose());
  EXPECT_EQ(handled_, 0);
}

TEST_F(RefusalTest, SlowBodyIs408) {
  options_.body_timeout = milliseconds(50);
  Start();
  for (const char* framing : {"Content-Length: 10", "Content-Length: 100000", "Transfer-Encoding: chunked"}) {
    TestClient client(port_);
    client.Send("POST / HTTP/1.1\r\nHost: h\r\n" + std::string(framing) + "\r\n\r\n1");
    EXPECT_EQ(client.ReadReply()->status, 408);
    EXPECT_TRUE(client.SeesClose());
  }
  EXPECT_EQ(handled_, 0);
}

TEST_F(RefusalTest, IdleConnectionIsClosedWithoutAWord) {
  options_.idle_timeout = milliseconds(50);
  Start();
  TestClient silent(port_);
  EXPECT_TRUE(silent.SeesClose());
  TestClient used(port_);
  EXPECT_EQ(used.Exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")->status, 200);
  EXPECT_TRUE(used.SeesClose());
}

TEST_F(RefusalTest, ReaderThatStopsReadingIsCutOff) {
  options_.write_timeout = milliseconds(50);
  std::atomic<int> answers = 0;
  Server server(options_, [&](const Request&) -> Task<Response> {
    ++answers;
    Response response;
    response.body.assign(50'000'000, 'x');
    co_return response;
  });
  const uint16_t port = server.Start().value();
  TestClient client(port);
  client.Send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  // The server's close reaches the client as a reset or an end in the middle of the body.
  pollfd watched{client.fd(), POLLRDHUP, 0};
  EXPECT_EQ(::poll(&watched, 1, TestClient::kPatienceMs), 1);
  EXPECT_FALSE(client.ReadReply());
  EXPECT_EQ(answers, 1);
}

TEST_F(RefusalTest, RunningOutOfFileDescriptorsIsSurvived) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizers need file descriptors of their own to look at memory";
#endif
  Start();
  const std::string request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  TestClient early(port_);
  EXPECT_EQ(early.Exchange(request)->status, 200);
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 6; ++i) clients.push_back(std::make_unique<TestClient>());
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit scarce = before;
  scarce.rlim_cur =
      static_cast<rlim_t>(clients.back()->fd()) + 3;  // room for two of the six on the server's side
  setrlimit(RLIMIT_NOFILE, &scarce);
  for (const auto& client : clients) {
    EXPECT_TRUE(client->Connect(port_));
    client->Send(request);
  }
  EXPECT_EQ(early.Exchange(request)->status, 200);
  for (const auto& client : clients) {
    EXPECT_EQ(client->ReadReply()->status,
              200);  // as soon as the ones before have given their descriptors back
    client->Close();
  }
  setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace cairn::http
