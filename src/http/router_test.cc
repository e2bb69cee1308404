#include "http/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::http {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Task<Response> Echo(std::string text) {
  co_return Response{.status = 200, .headers = {}, .body = std::move(text)};
}

// Answers with its own pattern and what the placeholders stand for.
Route Shown(std::string method, std::string pattern, std::vector<std::string> names = {}) {
  auto handler = [=](const Request&, const PathParameters& parameters) {
    std::string text = method + " " + pattern;
    for (const std::string& name : names) text += " " + name + "=" + parameters.Get(name);
    for (const std::string& segment : parameters.tail()) text += " [" + segment + "]";
    return Echo(text);
  };
  return {method, pattern, handler};
}

const Router& TestRouter() {
  static const Router router({
      Shown("GET", "/"),
      Shown("GET", "/api/m"),
      Shown("GET", "/api/m/{model}", {"model"}),
      Shown("GET", "/api/m/{model}/openapi.json", {"model"}),
      Shown("POST", "/api/m/{model}/{entity}", {"model", "entity"}),
      Shown("GET", "/api/m/{model}/{entity}", {"model", "entity"}),
      Shown("GET", "/api/m/{model}/{entity}/{key...}", {"model", "entity"}),
      Shown("DELETE", "/api/m/{model}/{entity}/{key...}", {"model", "entity"}),
      Shown("GET", "/api/m/{model}/patterns/{pattern}", {"model", "pattern"}),
      Shown("GET", "/x/fixed/end"),
      Shown("GET", "/x/{any}/other", {"any"}),
  });
  return router;
}

Response Send(std::string_view method, std::string_view target) {
  const Request request{.method = method, .target = target, .headers = {}, .body = {}, .wire_body = {}};
  return SyncWait(TestRouter().Handle(request));
}

struct Case {
  std::string_view method, target;
  int status;
  std::string_view body;  // part of it
};

TEST(Router, FindsTheRoute) {
  const Case cases[] = {
      {"GET", "/", 200, "GET /"},
      {"HEAD", "/", 200, "GET /"},
      {"GET", "/api/m", 200, "GET /api/m"},
      {"GET", "/api/m?x=1", 200, "GET /api/m"},
      {"GET", "/api/m/shop", 200, "GET /api/m/{model} model=shop"},
      {"GET", "/api/m/shop/openapi.json", 200, "/openapi.json model=shop"},
      {"POST", "/api/m/shop/Order", 200, "POST /api/m/{model}/{entity} model=shop entity=Order"},
      {"GET", "/api/m/shop/Order/1", 200, "model=shop entity=Order [1]"},
      {"GET", "/api/m/shop/Order/1/2/3", 200, "entity=Order [1] [2] [3]"},
      {"GET", "/api/m/shop/patterns/byDay", 200,
       "GET /api/m/{model}/patterns/{pattern} model=shop pattern=byDay"},
      {"GET", "/api/m/shop/patterns/a/b", 200, "entity=patterns [a] [b]"},
      {"GET", "/api/m/sh%6fp", 200, "model=shop"},
      {"GET", "/api/m/a%20b+c", 200, "model=a b+c"},
      {"GET", "/api/m/%23%25", 200, "model=#%"},
      {"GET", "/api/m/a%2Fb", 200, "model=a/b"},
      {"GET", "/api/m/shop/Order/a%2fb/c", 200, "entity=Order [a/b] [c]"},
      {"GET", "/api/m/%C3%A9", 200, "model=\xc3\xa9"},
      {"GET", "/api/m/..", 200, "model=.."},
      {"GET", "/x/fixed/end", 200, "GET /x/fixed/end"},
      {"GET", "/x/fixed/other", 200, "GET /x/{any}/other any=fixed"},
      // Nothing there.
      {"GET", "/api", 404, "not-found"},
      {"GET", "/api/", 404, "not-found"},
      {"GET", "/api/m/", 404, "not-found"},
      {"GET", "/api/m//", 404, "not-found"},
      {"GET", "//api/m", 404, "not-found"},
      {"GET", "/api/m/shop/Order/", 404, "not-found"},
      {"GET", "/api/m/shop/Order//1", 404, "not-found"},
      {"GET", "/API/m", 404, "not-found"},
      {"GET", "/x/fixed", 404, "not-found"},
      // Bad paths.
      {"GET", "", 400, "malformed"},
      {"GET", "api/m", 400, "malformed"},
      {"GET", "*", 400, "malformed"},
      {"GET", "/a%2Fb", 400, "encoded '/'"},
      {"GET", "/api%2fm", 400, "encoded '/'"},
      {"GET", "/x%2Ffixed/end", 400, "encoded '/'"},
      {"GET", "/api/m/a%00", 400, "NUL"},
      {"GET", "/api/m/%", 400, "two digits"},
      {"GET", "/api/m/%4", 400, "two digits"},
      {"GET", "/api/m/%zz", 400, "two digits"},
      {"GET", "/api/m/%ff", 400, "not UTF-8"},
      {"GET", "/api/m/%C0%AF", 400, "not UTF-8"},
      {"GET", "/api/m/%ED%A0%80", 400, "not UTF-8"},
  };
  for (const Case& c : cases) {
    const Response response = Send(c.method, c.target);
    EXPECT_EQ(response.status, c.status) << c.method << " " << c.target;
    EXPECT_THAT(response.body, HasSubstr(std::string(c.body))) << c.method << " " << c.target;
  }
}

TEST(Router, OtherMethodsAreToldWhatIsAllowed) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"/", "GET, HEAD"},
      {"/api/m/shop/Order", "POST, GET, HEAD"},
      {"/api/m/shop/Order/1", "GET, HEAD, DELETE"},
      {"/api/m/shop/patterns/byDay", "GET, HEAD"},
  };
  for (const auto& [target, allowed] : cases) {
    for (const std::string_view method : {"PUT", "get", "TRACE"}) {
      const Response response = Send(method, target);
      EXPECT_EQ(response.status, 405) << target;
      EXPECT_EQ(response.content_type, "application/problem+json");
      EXPECT_THAT(response.headers, testing::Contains(testing::Pair("Allow", std::string(allowed))))
          << target;
    }
  }
}

TEST(Router, LargeBodiesAreWhatTheRouteSays) {
  Route large = Shown("POST", "/large");
  large.admit = [](const Request&) -> Task<BodyAdmission> { co_return AdmitUpTo(1'000'000); };
  const Router router({Shown("POST", "/small"), large});
  const auto admitted = [&](std::string_view method, std::string_view target) {
    const Request head{.method = method, .target = target, .headers = {}, .body = {}, .wire_body = {}};
    return SyncWait(router.AdmitBody(head));
  };
  EXPECT_TRUE(admitted("POST", "/large").admitted);
  EXPECT_EQ(admitted("POST", "/large").body_bytes_max, 1'000'000u);
  EXPECT_TRUE(admitted("POST", "/small").admitted);
  EXPECT_EQ(admitted("POST", "/small").body_bytes_max, kSmallBodyBytes);
  EXPECT_EQ(admitted("POST", "/small").refusal.status, 413);
  EXPECT_THAT(admitted("POST", "/small").refusal.body, HasSubstr("at most 65536 bytes here"));
  EXPECT_FALSE(admitted("POST", "/nothing").admitted);
  EXPECT_EQ(admitted("POST", "/nothing").refusal.status, 404);
  EXPECT_FALSE(admitted("PUT", "/large").admitted);
  EXPECT_EQ(admitted("PUT", "/large").refusal.status, 405);
}

TEST(SplitPath, SegmentsAreDecodedOneByOne) {
  EXPECT_THAT(SplitPath("/").value(), ElementsAre());
  EXPECT_THAT(SplitPath("/a/b%3Fc/").value(), ElementsAre("a", "b?c", ""));
  EXPECT_THAT(SplitPath("/a%2Fb/c").value(), ElementsAre("a/b", "c"));
}

}  // namespace
}  // namespace cairn::http
