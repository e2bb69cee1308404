// RequestJson: the parsed JSON text of one request.
//
// Parsers own large buffers, so they are kept for reuse: one list per thread, a parser belongs to its request
// while the operation runs (several operations are in flight on one thread).
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "dynamodb/findings.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {

class RequestJson {
 public:
  // `body` is followed by at least http::kBodyPaddingBytes readable bytes and lives longer than this.
  // Fails with kMalformed when it is no JSON object, with kOverloaded when too many large ones are in use.
  static Result<RequestJson> Parse(std::string_view body);

  RequestJson(RequestJson&& other) noexcept;
  ~RequestJson();

  // A reader of the whole object, valid as long as this.
  RequestReader Reader(Findings& findings) const;

 private:
  struct Parser;
  explicit RequestJson(std::unique_ptr<Parser> parser);
  std::unique_ptr<Parser> parser_;
};

}  // namespace cairn::dynamodb
