// The Authorization header: input is the header's value, an optional query behind the first newline.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dynamodb/sigv4.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cairn;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t line = input.find('\n');
  const std::string target = "/?" + std::string(line == std::string_view::npos ? "" : input.substr(line + 1));
  http::Request request{.method = "POST", .target = target, .headers = {}, .body = "{}", .wire_body = "{}"};
  request.headers = {{"Host", "127.0.0.1:8000"},
                     {"X-Amz-Date", "20261115T000000Z"},
                     {"X-Amz-Target", "DynamoDB_20120810.GetItem"},
                     {"Authorization", input.substr(0, line)}};
  const Time now = Time(std::chrono::seconds(1'794'700'800));
  (void)dynamodb::Authenticate(request, {}, now);
  (void)dynamodb::Authenticate(request, {{"AKID", {"secret"}}}, now);
  return 0;
}
