#include "dynamodb/request_json.h"

#include <simdjson.h>

#include <vector>

#include "http/http.h"

namespace cairn::dynamodb {

static_assert(http::kBodyPaddingBytes >= simdjson::SIMDJSON_PADDING, "bodies are parsed in place");

struct RequestJson::Parser {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
};

namespace {

// Kept per thread; a parser that has seen a larger body is not worth its memory.
constexpr size_t kIdleParsersMax = 8;
constexpr size_t kIdleParserBytesMax = 256 * 1024;

template <class Parser>
std::vector<std::unique_ptr<Parser>>& IdleParsers() {
  thread_local std::vector<std::unique_ptr<Parser>> idle;
  return idle;
}

}  // namespace

RequestJson::RequestJson(std::unique_ptr<Parser> parser) : parser_(std::move(parser)) {}
RequestJson::RequestJson(RequestJson&& other) noexcept = default;

RequestJson::~RequestJson() {
  if (parser_ == nullptr || parser_->parser.capacity() > kIdleParserBytesMax) return;
  auto& idle = IdleParsers<Parser>();
  if (idle.size() < kIdleParsersMax) idle.push_back(std::move(parser_));
}

Result<RequestJson> RequestJson::Parse(std::string_view body) {
  auto& idle = IdleParsers<Parser>();
  std::unique_ptr<Parser> parser;
  if (idle.empty()) {
    parser = std::make_unique<Parser>();
  } else {
    parser = std::move(idle.back());
    idle.pop_back();
  }
  RequestJson json(std::move(parser));
  const auto error = json.parser_->parser.parse(body.data(), body.size(), /*realloc_if_needed=*/false)
                         .get(json.parser_->root);
  if (error || !json.parser_->root.is_object()) return Fail(Code::kMalformed, "");
  return json;
}

RequestReader RequestJson::Reader(Findings& findings) const { return RequestReader(parser_->root, findings); }

}  // namespace cairn::dynamodb
