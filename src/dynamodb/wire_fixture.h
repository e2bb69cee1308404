// WireTest: sends requests through Dispatch to a FakeStore. For tests of operations.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/random.h"
#include "dynamodb/dispatch.h"
#include "dynamodb/fake_store.h"

namespace cairn::dynamodb {

class WireTest : public testing::Test {
 protected:
  // 2026-11-15T19:42:30.123Z
  static constexpr Time kStart{std::chrono::milliseconds(1'794'771'750'123)};

  using Headers = std::vector<http::HeaderField>;

  // A well-formed signature that nobody checks.
  static Headers SignedHeaders(std::string_view target) {
    return {{"Host", "localhost:8000"},
            {"Content-Type", "application/x-amz-json-1.0"},
            {"X-Amz-Target", target},
            {"X-Amz-Date", "20261115T194230Z"},
            {"Authorization",
             "AWS4-HMAC-SHA256 Credential=key/20261115/eu-west-1/dynamodb/aws4_request, "
             "SignedHeaders=host;x-amz-date, "
             "Signature=00"}};
  }

  http::Response Send(Dispatch& to, Headers headers, std::string body, std::string_view method = "POST",
                      std::string_view url = "/") {
    const size_t size = body.size();
    body.append(http::kBodyPaddingBytes, ' ');
    http::Request request;
    request.method = method;
    request.target = url;
    request.headers = std::move(headers);
    request.body = request.wire_body = std::string_view(body).substr(0, size);
    return SyncWait(to.Handle(request));
  }

  // The answer to an operation of DynamoDB; `operation` with a dot is a whole target.
  http::Response Call(std::string_view operation, std::string body) {
    std::string target(operation);
    if (target.find('.') == target.npos) target.insert(0, "DynamoDB_20120810.");
    return Send(dispatch, SignedHeaders(target), std::move(body));
  }

  // The body of an answer that must be a success.
  std::string Answer(std::string_view operation, std::string body) {
    const http::Response response = Call(operation, std::move(body));
    EXPECT_EQ(response.status, 200) << response.body;
    return response.body;
  }

  // The message of an answer that must be a ValidationException.
  std::string Refusal(std::string_view operation, std::string body) {
    const http::Response response = Call(operation, std::move(body));
    EXPECT_EQ(response.status, 400) << response.body;
    constexpr std::string_view kStartOfBody =
        R"({"__type":"com.amazon.coral.validate#ValidationException","message":")";
    if (!response.body.starts_with(kStartOfBody)) {
      ADD_FAILURE() << "no ValidationException: " << response.body;
      return response.body;
    }
    return response.body.substr(kStartOfBody.size(), response.body.size() - kStartOfBody.size() - 2);
  }

  FakeStore store;
  FakeClock clock{kStart};
  SeededRandom random{7};
  Dispatch dispatch{store, clock, random};
};

}  // namespace cairn::dynamodb
