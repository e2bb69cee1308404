#include "outbound/fetch_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "outbound/listener_for_test.h"

namespace cairn::outbound {
namespace {

using testing::HasSubstr;

std::string FailureOf(const Result<std::string>& document) {
  return document ? "(none)" : document.error().message;
}

TEST(DocumentUrl, HttpsAndThisMachineOnly) {
  for (const char* url :
       {"https://good.example/jwks.json", "https://good.example:8443/a?b=c", "http://127.0.0.1:80/x",
        "http://127.8.9.1/x", "http://localhost:8080/x", "http://[::1]:8080/x", "HTTPS://good.example/"}) {
    EXPECT_TRUE(CheckDocumentUrl(url)) << url;
  }
  for (const char* url :
       {"", "good.example/jwks", "http://good.example/jwks.json", "http://10.0.0.1/",
        "http://169.254.169.254/", "http://127.0.0.1.evil.example/", "http://localhost.evil.example/",
        "http://localhost@evil.example/", "https://user:secret@good.example/", "https://user@good.example/",
        "file:///etc/passwd", "ftp://good.example/x", "gopher://127.0.0.1/", "http://[::ffff:10.0.0.1]/",
        "http://0.0.0.0/", "http://"}) {
    EXPECT_FALSE(CheckDocumentUrl(url)) << url;
    EXPECT_FALSE(FetchDocument(url)) << url;
  }
}

TEST(FetchDocument, BringsTheBody) {
  ListenerForTest server;
  server.Answer([] { return ListenerForTest::Ok(R"({"keys":[]})"); });
  const auto document = FetchDocument(server.url());
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(*document, R"({"keys":[]})");
}

TEST(FetchDocument, RedirectsAreNotFollowed) {
  ListenerForTest target, server;
  server.Answer(
      [&] { return "HTTP/1.1 302 Found\r\nLocation: " + target.url() + "\r\nContent-Length: 0\r\n\r\n"; });
  EXPECT_THAT(FailureOf(FetchDocument(server.url())), HasSubstr("the answer was 302"));
  EXPECT_FALSE(target.WasContacted());
}

TEST(FetchDocument, OtherStatusesAreFailures) {
  ListenerForTest server;
  server.Answer([] { return std::string("HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\n{}"); });
  EXPECT_THAT(FailureOf(FetchDocument(server.url())), HasSubstr("503"));
}

TEST(FetchDocument, SizeIsBounded) {
  ListenerForTest server;
  size_t size = kDocumentBytesMax;
  server.Answer([&] { return ListenerForTest::Ok(std::string(size, 'x')); });
  EXPECT_EQ(FetchDocument(server.url()).value_or("").size(), kDocumentBytesMax);
  ++size;
  EXPECT_THAT(FailureOf(FetchDocument(server.url())), HasSubstr("too large"));
}

TEST(FetchDocument, ServerThatNeverAnswersIsGivenUp) {
  ListenerForTest server;
  server.Answer([] { return std::string(); });
  EXPECT_THAT(FailureOf(FetchDocument(server.url(), std::chrono::milliseconds(100))), HasSubstr("imeout"));
}

TEST(FetchDocument, NobodyThereIsAFailure) {
  std::string url;
  {
    ListenerForTest gone;
    url = gone.url();
  }
  EXPECT_FALSE(FetchDocument(url));
}

TEST(ReadDocument, FilesAreBounded) {
  const std::string path = testing::TempDir() + "cairn-document-" + std::to_string(getpid());
  std::ofstream(path) << std::string(kDocumentBytesMax, 'x');
  EXPECT_EQ(ReadDocument(path).value_or("").size(), kDocumentBytesMax);
  std::ofstream(path) << std::string(kDocumentBytesMax + 1, 'x');
  EXPECT_THAT(FailureOf(ReadDocument(path)), HasSubstr("too large"));
  std::filesystem::remove(path);
  EXPECT_THAT(FailureOf(ReadDocument(path)), HasSubstr("cannot read"));
  EXPECT_THAT(FailureOf(ReadDocument(testing::TempDir())), HasSubstr("cannot read"));
}

}  // namespace
}  // namespace cairn::outbound
