#include "http/tls.h"

#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "http/websocket_fixture_for_tests.h"

namespace cairn::http {
namespace {

namespace fs = std::filesystem;

// Certificates that `openssl` makes for this test, in a folder of their own.
class TlsTest : public WebSocketServerTest {
 protected:
  TlsTest() {
    std::string name = (fs::temp_directory_path() / "cairn-tls-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~TlsTest() override {
    server_.reset();
    fs::remove_all(folder_);
  }

  TlsFiles NewPair(const std::string& name) {
    const TlsFiles files{.certificate = folder_ / (name + ".crt"), .key = folder_ / (name + ".key")};
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=" +
        name + " -keyout " + files.key + " -out " + files.certificate + " 2>/dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0);
    ::chmod(files.key.c_str(), 0600);
    return files;
  }

  void Serve(const TlsFiles& files) {
    tls_ = TlsServer::Load(files).value();
    options_.tls = tls_.get();
    Start();
  }

  fs::path folder_;
  std::unique_ptr<TlsServer> tls_;
};

// TestClient's part of a conversation inside TLS.
class TlsClient {
 public:
  explicit TlsClient(uint16_t port, int version_max = TLS1_3_VERSION) : socket_(port) {
    SSL_CTX_set_security_level(context_.get(), 0);  // so that it may offer what the server must refuse
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context_.get(), version_max);
    ssl_.reset(SSL_new(context_.get()));
    SSL_set_fd(ssl_.get(), socket_.fd());
    timeval patience{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(socket_.fd(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    is_connected_ = SSL_connect(ssl_.get()) == 1;
  }

  bool is_connected() const { return is_connected_; }
  std::string Certificate() const {
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(SSL_get1_peer_certificate(ssl_.get()),
                                                                  X509_free);
    char name[100];
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name, sizeof name);
    return name;
  }
  bool Send(std::string_view bytes) {
    return SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())) ==
           static_cast<int>(bytes.size());
  }
  // Up to `count` bytes, or until the end.
  std::string Read(size_t count) {
    std::string text;
    char bytes[4096];
    while (text.size() < count) {
      const int got =
          SSL_read(ssl_.get(), bytes, static_cast<int>(std::min(sizeof bytes, count - text.size())));
      if (got <= 0) break;
      text.append(bytes, static_cast<size_t>(got));
    }
    return text;
  }
  std::string ReadHead() {
    std::string head;
    while (!head.ends_with("\r\n\r\n")) {
      const std::string next = Read(1);
      if (next.empty()) break;
      head += next;
    }
    return head;
  }

 private:
  struct Free {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };
  TestClient socket_;
  std::unique_ptr<SSL_CTX, Free> context_{SSL_CTX_new(TLS_client_method())};
  std::unique_ptr<SSL, Free> ssl_;
  bool is_connected_ = false;
};

TEST_F(TlsTest, BadFilesAreNamed) {
  const TlsFiles good = NewPair("good"), other = NewPair("other");
  const auto complaint = [](const TlsFiles& files) {
    const auto loaded = TlsServer::Load(files);
    return loaded ? std::string() : loaded.error().message;
  };
  EXPECT_EQ(complaint(good), "");
  EXPECT_NE(complaint({folder_ / "none", good.key}).find("No such file"), std::string::npos);
  EXPECT_NE(complaint({good.certificate, folder_ / "none"}).find("No such file"), std::string::npos);
  EXPECT_NE(complaint({good.certificate, other.key}).find("does not belong"), std::string::npos);
  EXPECT_NE(complaint({good.key, good.key}).find("is not a certificate"), std::string::npos);
  EXPECT_NE(complaint({good.certificate, good.certificate}).find("chmod"), std::string::npos);
  ::chmod(good.certificate.c_str(), 0600);
  EXPECT_NE(complaint({good.certificate, good.certificate}).find("is not a key"), std::string::npos);
  ::chmod(good.key.c_str(), 0644);
  EXPECT_NE(complaint(good).find("chmod 600"), std::string::npos);
}

TEST_F(TlsTest, SpeaksModernProtocolsOnly) {
  Serve(NewPair("cairn"));
  EXPECT_TRUE(TlsClient(port_, TLS1_3_VERSION).is_connected());
  EXPECT_TRUE(TlsClient(port_, TLS1_2_VERSION).is_connected());
  EXPECT_FALSE(TlsClient(port_, TLS1_1_VERSION).is_connected());
  EXPECT_FALSE(TlsClient(port_, TLS1_VERSION).is_connected());
  TestClient plain(port_);
  EXPECT_FALSE(plain.Exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n"));
}

TEST_F(TlsTest, RequestsAndLargeAnswersPassThrough) {
  tls_ = TlsServer::Load(NewPair("cairn")).value();
  options_.tls = tls_.get();
  server_ = std::make_unique<Server>(options_, [](const Request& request) -> Task<Response> {
    Response response;
    response.content_type = "application/octet-stream";
    response.body = std::string(request.body);
    co_return response;
  });
  port_ = server_->Start().value();
  TlsClient client(port_);
  // One answer after the other on one connection; the last ones are more than a socket takes at once, read
  // after the server had to wait.
  for (const size_t size : {size_t{0}, size_t{10}, size_t{16'384}, size_t{100'000}, size_t{8'000'000}}) {
    std::string body(size, 'x');
    for (size_t i = 0; i < size; i += 997) body[i] = static_cast<char>('a' + i % 26);
    ASSERT_TRUE(
        client.Send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n"));
    ASSERT_TRUE(size == 0 || client.Send(body));
    EXPECT_TRUE(client.ReadHead().starts_with("HTTP/1.1 200"));
    EXPECT_TRUE(client.Read(size) == body) << size;
  }
}

TEST_F(TlsTest, WebSocketsPassThrough) {
  Serve(NewPair("cairn"));
  TlsClient client(port_);
  ASSERT_TRUE(client.Send(kUpgradeRequest));
  EXPECT_TRUE(client.ReadHead().starts_with("HTTP/1.1 101"));
  // Several messages in one record, and one that is larger than the server's buffer: what TLS has decrypted
  // must not wait for the socket.
  const std::string large(60'000, 'y');
  ASSERT_TRUE(client.Send(ClientText("a") + ClientText("b") + ClientText(large) + ClientText("c")));
  EXPECT_EQ(client.Read(3).substr(2), "a");
  EXPECT_EQ(client.Read(3).substr(2), "b");
  EXPECT_TRUE(client.Read(4 + large.size()).substr(4) == large);
  EXPECT_EQ(client.Read(3).substr(2), "c");
  ASSERT_TRUE(client.Send(ClientFrame(Opcode::kClose, CloseCode(1000))));
  EXPECT_EQ(client.Read(4).substr(2), CloseCode(1000));
  EXPECT_EQ(client.Read(1), "");
}

TEST_F(TlsTest, AHandshakeThatDoesNotComeEnds) {
  options_.header_timeout = std::chrono::milliseconds(50);
  Serve(NewPair("cairn"));
  TestClient silent(port_), slow(port_);
  slow.Send("\x16\x03\x01");
  EXPECT_TRUE(silent.SeesClose());
  EXPECT_TRUE(slow.SeesClose());
}

TEST_F(TlsTest, StopsWhileAHandshakeIsUnderWay) {
  Serve(NewPair("cairn"));
  TestClient silent(port_);
  TlsClient done(port_);
  ASSERT_TRUE(done.is_connected());
  server_->Stop(std::chrono::seconds(20));
  EXPECT_TRUE(silent.SeesClose());
}

TEST_F(TlsTest, ANewPairIsTakenAndABadOneIsNot) {
  const TlsFiles files = NewPair("first");
  Serve(files);
  EXPECT_EQ(TlsClient(port_).Certificate(), "first");
  EXPECT_FALSE(tls_->FilesHaveChanged());
  const TlsFiles second = NewPair("second");
  TlsClient before(port_);
  fs::rename(second.certificate, files.certificate);
  EXPECT_TRUE(tls_->FilesHaveChanged());
  EXPECT_FALSE(tls_->Reload());  // only half of it is there
  EXPECT_FALSE(tls_->FilesHaveChanged());
  EXPECT_EQ(TlsClient(port_).Certificate(), "first");
  fs::rename(second.key, files.key);
  EXPECT_TRUE(tls_->FilesHaveChanged());
  EXPECT_TRUE(tls_->Reload());
  EXPECT_EQ(TlsClient(port_).Certificate(), "second");
  ASSERT_TRUE(before.Send("GET / HTTP/1.1\r\nHost: h\r\n\r\n"));  // goes on with the old one
  EXPECT_TRUE(before.ReadHead().starts_with("HTTP/1.1 426"));
}

}  // namespace
}  // namespace cairn::http
