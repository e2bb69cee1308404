#include "http/response_head.h"

#include <gtest/gtest.h>

namespace cairn::http {
namespace {

TEST(WriteResponseHead, FieldsComeInOrder) {
  Response response;
  response.headers = {{"x-amzn-RequestId", "R1"}};
  ResponseFraming framing;
  framing.content_length = 12;
  framing.crc32 = 77;
  framing.date = "D";
  std::string head = "left over";
  WriteResponseHead(response, framing, head);
  EXPECT_EQ(head,
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\nDate: D\r\n"
            "x-amzn-RequestId: R1\r\nx-amz-crc32: 77\r\n\r\n");
}

TEST(WriteResponseHead, NothingFromAHandlerEndsALineOrFramesTheBody) {
  Response response;
  response.status = 404;
  response.content_type = "text/plain\r\nEvil: 1";
  response.headers = {{"A", std::string("b\r\nEvil: 1\0", 11)},
                      {"Bad Name", "x"},
                      {"Bad\r\nName", "x"},
                      {"", "x"},
                      {"content-length", "5"},
                      {"Transfer-Encoding", "chunked"}};
  ResponseFraming framing;
  framing.persistence = Persistence::kClose;
  framing.date = "D";
  std::string head;
  WriteResponseHead(response, framing, head);
  EXPECT_EQ(head,
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/plainEvil: 1\r\nContent-Length: 0\r\nDate: D\r\n"
            "A: bEvil: 1\r\nConnection: close\r\n\r\n");
}

TEST(WriteResponseHead, NoContentHasNoLength) {
  Response response;
  response.status = 204;
  ResponseFraming framing;
  framing.date = "D";
  std::string head;
  WriteResponseHead(response, framing, head);
  EXPECT_EQ(head, "HTTP/1.1 204 No Content\r\nDate: D\r\n\r\n");
}

TEST(WriteResponseHead, UpgradeIsAnnouncedForThisHop) {
  Response response;
  response.status = 101;
  response.headers = {{"Sec-WebSocket-Accept", "A"}, {"Connection", "close"}};
  ResponseFraming framing;
  framing.date = "D";
  framing.persistence = Persistence::kUpgrade;
  std::string head;
  WriteResponseHead(response, framing, head);
  EXPECT_EQ(head,
            "HTTP/1.1 101 Switching Protocols\r\nDate: D\r\nSec-WebSocket-Accept: A\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
}

TEST(FormatHttpDate, LooksAsTheStandardAsks) {
  EXPECT_EQ(FormatHttpDate(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(FaultResponse, MessageIsJson) {
  EXPECT_EQ(FaultResponse({400, "say \"x\""}).body, R"({"message":"say \"x\""})");
}

}  // namespace
}  // namespace cairn::http
