// The head of a request: from its first byte to the empty line.
//
// HeadScanner finds where it ends while bytes arrive; ParseHead splits the complete head into views and
// decides how the body is framed. Both are stricter than the standard asks: whatever two servers in a row
// could read differently (request smuggling) is refused. Used by Connection only.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "http/fault.h"
#include "http/http.h"

namespace cairn::http {

inline constexpr size_t kTargetBytesMax = 8 * 1024;

class HeadScanner {
 public:
  enum class Outcome { kIncomplete, kComplete, kBroken };

  // `input` starts at the first byte of the request and has only grown since the last call: no byte is read
  // twice. Broken: a line that ends without CR, or a continuation line.
  Outcome Scan(std::string_view input);

  size_t head_bytes() const { return line_start_; }  // once complete: with the empty line
  bool in_first_line() const { return line_start_ == 0; }

 private:
  size_t line_start_ = 0;
  size_t scanned_ = 0;
};

// How the body follows, and what else the transport needs to know from the head.
struct Framing {
  uint64_t content_length = 0;
  bool chunked = false;
  bool keep_alive = true;
  bool http_1_0 = false;
  bool expects_continue = false;
  std::string_view content_encoding;
  std::string_view accept_encoding;
  std::string_view host;  // empty: HTTP/1.0 without the field, or a field without a value
};

// `head` is complete (see HeadScanner). Fills method, target, headers and version of `request`; its vector
// keeps its capacity.
Result<Framing, Fault> ParseHead(std::string_view head, Request& request);

}  // namespace cairn::http
