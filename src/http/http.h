// Requests and responses as plain data, and the handler that turns one into the other.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "http/account.h"

namespace cairn::http {

class WebSocketListener;  // websocket.h

inline constexpr size_t kBodyPaddingBytes = 64;  // readable bytes behind every request body (SIMD parsers)

struct HeaderField {
  std::string_view name;
  std::string_view value;
};

// Views into the connection's buffers: valid until the handler's Task has finished.
struct Request {
  std::string_view method;
  std::string_view target;           // as sent: path and query
  std::vector<HeaderField> headers;  // in order of arrival
  std::string_view body;             // decoded (chunks, gzip); followed by kBodyPaddingBytes readable bytes
  std::string_view wire_body;        // without chunks, but before gzip decoding: what a signature covers
  // The client's address, as text and without a port: "192.0.2.7", "2001:db8::1". IPv4 is always written as
  // IPv4. Behind a trusted proxy the one that the proxy tells, else where the connection comes from.
  std::string_view peer;
  bool http_1_0 = false;  // not HTTP/1.1
  // A field that decides who is asking, from where or on what condition, and is there more than once: which
  // one counts would be a guess, so the front door refuses the request. Empty: there is none.
  std::string_view repeated_field;

  std::string_view path() const { return target.substr(0, target.find('?')); }
  // What follows the first '?'; empty when there is none.
  std::string_view query() const;
  // First field of that name, case-insensitive; empty when absent.
  std::string_view Header(std::string_view name) const;
  // Where two readers must not disagree: nothing when there is no field of that name, or more than one.
  std::optional<std::string_view> OnlyHeader(std::string_view name) const;
};

// A body that is made while it is sent, so that the client's speed and not its size decides how much of it is
// in memory.
class BodySource {
 public:
  virtual ~BodySource() = default;
  // The next bytes, 64 KB to 1 MB of them; empty: that was all. Asked for on the connection's event loop, one
  // at a time, once the client has taken those before. A failure ends the connection before the body's end,
  // so that the client sees that something is missing.
  virtual Task<Result<std::string>> Next() = 0;
};

// The server writes Content-Type, Content-Length, Date and Connection itself: fields of these names in
// `headers` are left out. It compresses text above 1 KB for clients that take it, unless `headers` has a
// Content-Encoding already.
struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;  // CR, LF and NUL in values are dropped
  std::string body;
  bool crc32_header =
      false;  // add x-amz-crc32: the CRC-32 of the body as sent (after compression), in decimal
  // With status 101: who hears this client from now on. Made by SwitchToWebSocket (websocket_upgrade.h).
  std::shared_ptr<WebSocketListener> websocket = nullptr;
  std::shared_ptr<BodySource> source = nullptr;  // instead of `body`; sent in chunks
  // Whose share of the memory for unread answers this takes; by default that of the client's address.
  Account account = {};

  // Case-insensitive.
  bool HasHeader(std::string_view name) const;
};

using Handler = std::function<Task<Response>(const Request&)>;

// Whether a request that brings a large body may do so, decided from its head: nothing of what is above
// kSmallBodyBytes has been read by then.
struct BodyAdmission {
  bool admitted = true;
  size_t body_bytes_max = 0;  // of the body, also once it is decoded
  Account account = {};       // whose share of the memory for bodies it takes
  Response refusal = {};      // if it is not admitted, and if it turns out to be larger
};
using BodyAdmitter = std::function<Task<BodyAdmission>(const Request& head)>;

// Up to this size a body is read whoever sends it, before anybody is asked.
inline constexpr size_t kSmallBodyBytes = 64 * 1024;

// ASCII letters compare without regard to case, as in field names.
bool EqualsIgnoreCase(std::string_view a, std::string_view b);

// A token of the standard, as names of fields, methods and cookies are: not empty, no separators.
bool IsToken(std::string_view text);

}  // namespace cairn::http
