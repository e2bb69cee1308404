#include "dynamodb/request_json.h"

#include <simdjson.h>

#include <utility>
#include <vector>

#include "http/http.h"
#include "http/memory_budget.h"

namespace cairn::dynamodb {

static_assert(http::kBodyPaddingBytes >= simdjson::SIMDJSON_PADDING, "bodies are parsed in place");

struct RequestJson::Parser {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  size_t charged_bytes = 0;
};

namespace {

// Kept per thread; a parser that has seen a larger body is not worth its memory.
constexpr size_t kIdleParsersMax = 8;
constexpr size_t kIdleParserBytesMax = 256 * 1024;
// What all larger bodies may take together once they are parsed: one that is made of short numbers takes ten
// times its size, and keeps that while its operation waits for a commit. The largest body alone fits.
constexpr size_t kParsedBytesMax = 256 * 1024 * 1024;

http::MemoryBudget& ParsedMemory() {
  static http::MemoryBudget memory(kParsedBytesMax);
  return memory;
}

// The tape begins with its own length in words; the index that it was made from takes half as much at most.
size_t ParsedBytes(const simdjson::dom::document& document) {
  const uint64_t words = document.tape[0] & simdjson::internal::JSON_VALUE_MASK;
  return words * (sizeof(uint64_t) + sizeof(uint32_t));
}

template <class Parser>
std::vector<std::unique_ptr<Parser>>& IdleParsers() {
  thread_local std::vector<std::unique_ptr<Parser>> idle;
  return idle;
}

}  // namespace

RequestJson::RequestJson(std::unique_ptr<Parser> parser) : parser_(std::move(parser)) {}
RequestJson::RequestJson(RequestJson&& other) noexcept = default;

RequestJson::~RequestJson() {
  if (parser_ == nullptr) return;
  if (parser_->charged_bytes > 0) ParsedMemory().Return(std::exchange(parser_->charged_bytes, 0));
  if (parser_->parser.capacity() > kIdleParserBytesMax) return;
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
  if (body.size() > kIdleParserBytesMax) {
    const size_t bytes = ParsedBytes(json.parser_->parser.doc);
    if (!ParsedMemory().TryTake(bytes)) {
      return Fail(Code::kOverloaded, "The server holds too many large requests; try again.");
    }
    json.parser_->charged_bytes = bytes;
  }
  return json;
}

RequestReader RequestJson::Reader(Findings& findings) const { return RequestReader(parser_->root, findings); }

}  // namespace cairn::dynamodb
