// The head of a response as it goes over the wire. Used by Connection only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/fault.h"
#include "http/http.h"

namespace cairn::http {

enum class Persistence {
  kKeepAlive,           // HTTP/1.1 says nothing
  kKeepAliveAnnounced,  // HTTP/1.0 wants to be told
  kClose,
  kUpgrade,  // what follows is a WebSocket
};

struct ResponseFraming {
  size_t content_length = 0;
  bool chunked = false;      // instead of a length
  bool until_close = false;  // neither: the body ends with the connection
  Persistence persistence = Persistence::kKeepAlive;
  bool gzip = false;              // the server has compressed the body
  std::optional<uint32_t> crc32;  // for x-amz-crc32
  std::string_view date;          // as in the Date field
};

// Replaces `out` with status line, fields and empty line. Nothing a handler puts into fields can end a line.
void WriteResponseHead(const Response& response, const ResponseFraming& framing, std::string& out);

// 1xx, 204 and 304 have neither body nor Content-Length.
bool HasBody(int status);

// {"message":"..."}
Response FaultResponse(Fault fault);

// "Sun, 15 Nov 2026 19:42:30 GMT"
std::string FormatHttpDate(int64_t epoch_seconds);

}  // namespace cairn::http
