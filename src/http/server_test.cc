#include "http/server.h"

#include <gtest/gtest.h>

#include <coroutine>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "http/client_for_tests.h"
#include "http/gate_for_tests.h"
#include "http/gzip.h"

namespace cairn::http {
namespace {

ServerOptions AnyPort() {
  ServerOptions options;
  options.port = 0;
  options.threads = 2;
  return options;
}

// Says what arrived.
Task<Response> Echo(const Request& request) {
  Response response;
  response.content_type = "text/plain";
  response.body = std::string(request.method) + " " + std::string(request.target) + " ";
  response.body += request.target == "/peer" ? request.peer : request.body;
  for (size_t i = 0; i < kBodyPaddingBytes; ++i) {  // must be readable: the sanitizer watches
    if (request.body.data()[request.body.size() + i] == 'Z') response.status = 299;
  }
  co_return response;
}

std::string Post(std::string_view body, std::string_view fields = "") {
  return "POST /p HTTP/1.1\r\nHost: h\r\n" + std::string(fields) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

class ServerTest : public testing::Test {
 protected:
  void Start(Handler handler = Echo, ServerOptions options = AnyPort()) {
    server_ = std::make_unique<Server>(options, std::move(handler));
    port_ = server_->Start().value();
  }

  std::unique_ptr<Server> server_;
  uint16_t port_ = 0;
};

TEST_F(ServerTest, KeepAliveServesOneRequestAfterTheOther) {
  Start();
  TestClient client(port_);
  for (int i = 0; i < 50; ++i) {
    const auto reply = client.Exchange(Post(std::to_string(i)));
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 200);
    EXPECT_EQ(reply->body, "POST /p " + std::to_string(i));
    EXPECT_EQ(reply->Header("Connection"), "");
    EXPECT_EQ(reply->Header("Date").size(), 29u);
  }
}

TEST_F(ServerTest, RequestNamesItsPeer) {
  Start();
  TestClient client(port_);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(client.Exchange("GET /peer HTTP/1.1\r\nHost: h\r\n\r\n")->body, "GET /peer 127.0.0.1");
  }
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrder) {
  Start();
  TestClient client(port_);
  std::string requests;
  for (int i = 0; i < 500; ++i) requests += Post(std::to_string(i));
  client.Send(requests);
  for (int i = 0; i < 500; ++i) {
    const auto reply = client.ReadReply();
    ASSERT_TRUE(reply) << i;
    EXPECT_EQ(reply->body, "POST /p " + std::to_string(i));
  }
}

TEST_F(ServerTest, PipelinedBodiesOfAllSizesKeepTheirBounds) {
  Start();
  TestClient client(port_);
  const size_t kSizes[] = {0, 1, 3'000, 8'000, 9'000, 70'000, 5, 200'000, 0, 4'096};
  std::thread sender([&] {
    for (const size_t size : kSizes) client.Send(Post(std::string(size, 'b')));
  });
  for (const size_t size : kSizes) {
    const auto reply = client.ReadReply();
    ASSERT_TRUE(reply) << size;
    EXPECT_EQ(reply->body, "POST /p " + std::string(size, 'b'));
  }
  sender.join();
}

TEST_F(ServerTest, RequestInSingleBytesArrives) {
  Start();
  TestClient client(port_);
  const std::string request = Post("body") + "\r\n" + Post("next");
  for (const char byte : request) client.Send(std::string_view(&byte, 1));
  EXPECT_EQ(client.ReadReply()->body, "POST /p body");
  EXPECT_EQ(client.ReadReply()->body, "POST /p next");
}

TEST_F(ServerTest, ConnectionCloseIsHonoured) {
  Start();
  TestClient client(port_);
  const auto reply = client.Exchange(Post("a", "Connection: close\r\n") + Post("never"));
  EXPECT_EQ(reply->Header("Connection"), "close");
  EXPECT_TRUE(client.SeesClose());
}

TEST_F(ServerTest, Http10ClosesUnlessAskedNotTo) {
  Start();
  TestClient closing(port_);
  EXPECT_EQ(closing.Exchange("GET /x HTTP/1.0\r\n\r\n")->body, "GET /x ");
  EXPECT_TRUE(closing.SeesClose());
  TestClient staying(port_);
  EXPECT_EQ(staying.Exchange("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")->Header("Connection"),
            "keep-alive");
  EXPECT_EQ(staying.Exchange("GET /y HTTP/1.0\r\n\r\n")->body, "GET /y ");
}

TEST_F(ServerTest, HalfClosedClientStillGetsItsAnswer) {
  Start();
  TestClient client(port_);
  client.Send(Post("last"));
  client.FinishSending();
  EXPECT_EQ(client.ReadReply()->body, "POST /p last");
  EXPECT_TRUE(client.SeesClose());
}

TEST_F(ServerTest, HeadIsAnsweredWithoutBody) {
  Start();
  TestClient client(port_);
  client.Send("HEAD /abc HTTP/1.1\r\nHost: h\r\n\r\n");
  const auto head = client.ReadReply(/*to_head_request=*/true);
  EXPECT_EQ(head->Header("Content-Length"), "10");
  EXPECT_EQ(client.Exchange(Post("next"))->body, "POST /p next");
}

TEST_F(ServerTest, ChunkedBodyIsPutTogether) {
  Start();
  TestClient client(port_);
  std::string request = "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n";
  std::string expected;
  for (const size_t size : {1u, 15u, 5'000u, 70'000u, 3u}) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%zx", size);
    expected.append(size, static_cast<char>('a' + size % 20));
    request += std::string(digits) + "\r\n" + std::string(size, static_cast<char>('a' + size % 20)) + "\r\n";
  }
  request += "0\r\nSome-Trailer: x\r\n\r\n" + Post("next") +
             "POST /e HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  std::thread sender([&] { client.Send(request); });
  EXPECT_EQ(client.ReadReply()->body, "POST /c " + expected);
  EXPECT_EQ(client.ReadReply()->body, "POST /p next");
  EXPECT_EQ(client.ReadReply()->body, "POST /e ");
  sender.join();
}

TEST_F(ServerTest, ExpectContinueIsInvitedBeforeTheBody) {
  Start();
  TestClient client(port_);
  client.Send("POST /p HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
  EXPECT_EQ(client.ReadReply()->status, 100);
  EXPECT_EQ(client.Exchange("hello")->body, "POST /p hello");
  // A client that does not wait needs no invitation.
  EXPECT_EQ(client.Exchange(Post("eager", "Expect: 100-continue\r\n"))->body, "POST /p eager");
}

TEST_F(ServerTest, GzipRequestIsDecodedAndKeptAsSent) {
  Start([](const Request& request) -> Task<Response> {
    Response response;
    response.body = std::string(request.body) + "|" + std::to_string(Crc32(request.wire_body));
    co_return response;
  });
  TestClient client(port_);
  const std::string packed = Gzip("first ") + Gzip("second");
  const auto reply = client.Exchange(Post(packed, "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(reply->body, "first second|" + std::to_string(Crc32(packed)));
  EXPECT_EQ(client.Exchange(Post("x", "Content-Encoding: identity\r\n"))->body,
            "x|" + std::to_string(Crc32("x")));
}

TEST_F(ServerTest, LargeTextIsCompressedForClientsThatTakeIt) {
  const std::string text(10'000, 't');
  Start([&](const Request& request) -> Task<Response> {
    Response response;
    response.body = request.target == "/small" ? "small" : text;
    response.crc32_header = true;
    if (request.target == "/picture") response.content_type = "image/png";
    if (request.target == "/encoded") response.headers = {{"Content-Encoding", "br"}};
    co_return response;
  });
  TestClient client(port_);
  const auto get = [&](const std::string& target, const std::string& accepts) {
    return *client.Exchange("GET " + target + " HTTP/1.1\r\nHost: h\r\nAccept-Encoding: " + accepts +
                            "\r\n\r\n");
  };
  const Reply packed = get("/", "gzip, br");
  EXPECT_EQ(packed.Header("Content-Encoding"), "gzip");
  EXPECT_EQ(packed.Header("x-amz-crc32"), std::to_string(Crc32(packed.body)));
  EXPECT_EQ(*Gunzip(packed.body, text.size()), text);
  const Reply plain = get("/", "gzip;q=0");
  EXPECT_EQ(plain.Header("Content-Encoding"), "");
  EXPECT_EQ(plain.Header("x-amz-crc32"), std::to_string(Crc32(text)));
  EXPECT_EQ(plain.body, text);
  EXPECT_EQ(get("/", "identity").body, text);
  EXPECT_EQ(get("/small", "gzip").body, "small");
  EXPECT_EQ(get("/picture", "gzip").body, text);
  EXPECT_EQ(get("/encoded", "gzip").body, text);
}

TEST_F(ServerTest, LargeResponseWaitsForASlowReader) {
  const std::string large(30'000'000, 'r');
  Start([&](const Request&) -> Task<Response> {
    Response response;
    response.body = large;
    co_return response;
  });
  TestClient client(port_);
  client.Send(Post("") + Post(""));
  EXPECT_EQ(client.ReadReply()->body, large);
  EXPECT_EQ(client.ReadReply()->body, large);
}

TEST_F(ServerTest, HandlerCompletedThroughItsExecutorContinuesOnItsThread) {
  Gate gate;
  std::thread::id before;
  std::thread::id after;
  Start([&](const Request& request) -> Task<Response> {
    before = std::this_thread::get_id();
    if (request.target == "/wait") co_await gate.Pass();
    after = std::this_thread::get_id();
    Response response;
    response.body = request.target;
    co_return response;
  });
  TestClient client(port_);
  client.Send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\nGET /next HTTP/1.1\r\nHost: h\r\n\r\n");
  gate.WaitForHandler();
  gate.Release();
  EXPECT_EQ(client.ReadReply()->body, "/wait");
  EXPECT_EQ(client.ReadReply()->body, "/next");
  EXPECT_EQ(before, after);
}

TEST_F(ServerTest, HandlerCompletedOnAnotherThreadIsAnswered) {
  Start([](const Request& request) -> Task<Response> {
    struct OtherThread {
      bool await_ready() const { return false; }
      void await_suspend(std::coroutine_handle<> handle) const {
        std::thread([handle] { handle.resume(); }).detach();
      }
      void await_resume() const {}
    };
    co_await OtherThread();
    Response response;
    response.body = request.body;
    co_return response;
  });
  TestClient client(port_);
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += Post(std::to_string(i));
  client.Send(requests);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client.ReadReply()->body, std::to_string(i));
}

TEST_F(ServerTest, ManyClientsAtOnceGetTheirOwnAnswers) {
  Start();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      TestClient client(port_);
      for (int i = 0; i < 100; ++i) {
        const std::string body = std::to_string(t) + "/" + std::to_string(i);
        const auto reply = client.Exchange(Post(body));
        ASSERT_TRUE(reply);
        EXPECT_EQ(reply->body, "POST /p " + body);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ServerTest, PortInUseIsSaidInOneSentence) {
  Start();
  ServerOptions options = AnyPort();
  options.port = port_;
  Server second(options, Echo);
  EXPECT_EQ(second.Start().error().message,
            "cannot listen on 127.0.0.1:" + std::to_string(port_) + ": address already in use");
}

TEST_F(ServerTest, UnknownHostIsSaidInOneSentence) {
  ServerOptions options = AnyPort();
  options.host = "999.999.999.999.invalid";
  EXPECT_TRUE(Server(options, Echo)
                  .Start()
                  .error()
                  .message.starts_with("cannot listen on 999.999.999.999.invalid:0: "));
}

TEST_F(ServerTest, Ipv6AddressIsServed) {
  ServerOptions options = AnyPort();
  options.host = "[::1]";
  Server server(options, Echo);
  const Result<uint16_t> port = server.Start();
  if (!port) GTEST_SKIP() << port.error().message;  // a machine without IPv6
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(*port);
  address.sin6_addr = in6addr_loopback;
  const int fd = ::socket(AF_INET6, SOCK_STREAM, 0);
  ASSERT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const std::string request = "GET /peer HTTP/1.0\r\n\r\n";
  ASSERT_EQ(::send(fd, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  std::string answer;
  char bytes[1024];
  for (ssize_t count; (count = ::recv(fd, bytes, sizeof bytes, 0)) > 0;)
    answer.append(bytes, static_cast<size_t>(count));
  EXPECT_TRUE(answer.ends_with("GET /peer ::1")) << answer;
  ::close(fd);
}

}  // namespace
}  // namespace cairn::http
