// Request heads, chunked bodies and gzip.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/chunked_decoder.h"
#include "http/gzip.h"
#include "http/request_head.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cairn::http;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  HeadScanner scanner;
  if (scanner.Scan(input) == HeadScanner::Outcome::kComplete) {
    Request request;
    (void)ParseHead(input.substr(0, scanner.head_bytes()), request);
  }
  ChunkedDecoder decoder;
  for (std::string_view rest = input; !rest.empty();) {
    const auto step = decoder.Next(rest);
    rest.remove_prefix(step.consumed);
    if (step.outcome != ChunkedDecoder::Outcome::kData) break;
  }
  (void)Gunzip(input, 1 << 20);
  return 0;
}
