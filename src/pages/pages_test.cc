#include "pages/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace cairn::pages {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr PageFile kFiles[] = {
    {"/index.html", "<html>", "", R"(W/"1")"},
    {"/favicon.svg", "<svg>", "", R"(W/"2")"},
    {"/assets/index-abc.js", "let long = 1", "packed", R"(W/"3")"},
};

struct Ask {
  std::string_view method = "GET";
  std::string_view accept = "text/html,*/*;q=0.8";
  std::string_view encoding = "";
  std::string_view if_none_match = "";
};

std::optional<http::Response> Get(const Pages& pages, std::string_view target, const Ask& ask = {}) {
  http::Request request{.method = ask.method, .target = target, .headers = {}, .body = {}, .wire_body = {}};
  request.headers.push_back({"Accept", ask.accept});
  if (!ask.encoding.empty()) request.headers.push_back({"accept-encoding", ask.encoding});
  if (!ask.if_none_match.empty()) request.headers.push_back({"If-None-Match", ask.if_none_match});
  return pages.Find(request);
}

std::string Field(const http::Response& response, std::string_view name) {
  std::string all;
  for (const auto& [field, value] : response.headers) {
    if (http::EqualsIgnoreCase(field, name)) all += (all.empty() ? "" : ", ") + value;
  }
  return all;
}

class PagesTest : public testing::Test {
 protected:
  const Pages pages_{kFiles, http::PublicScheme::kHttp};
};

TEST_F(PagesTest, AddressesOfTheAppGetTheIndex) {
  for (const std::string_view target : {"/", "/?next=/values", "/values", "/plans/2026-11-16", "/a%20b",
                                        "/values/", "/index.html", "/apis"}) {
    const auto response = Get(pages_, target);
    ASSERT_TRUE(response) << target;
    EXPECT_EQ(response->body, "<html>") << target;
    EXPECT_EQ(response->content_type, "text/html; charset=utf-8");
    EXPECT_EQ(Field(*response, "Cache-Control"), "no-cache");
  }
}

TEST_F(PagesTest, ProgramsAreLeftAlone) {
  for (const std::string_view target : {"/api",
                                        "/api/values",
                                        "/api/nothing",
                                        "/ws",
                                        "/openapi.json",
                                        "/healthz",
                                        "/metrics",
                                        "/models/values",
                                        "/assets/index-old.js",
                                        "/assets/x",
                                        "/robots.txt",
                                        "/a.b",
                                        "//evil",
                                        "//",
                                        "/a//b",
                                        "/api/",
                                        "/a%2fb",
                                        "/%zz",
                                        "*",
                                        ""}) {
    EXPECT_FALSE(Get(pages_, target)) << target;
  }
  for (const std::string_view accept : {"", "*/*", "application/json"}) {
    EXPECT_FALSE(Get(pages_, "/", {.accept = accept})) << accept;
    EXPECT_FALSE(Get(pages_, "/values", {.accept = accept})) << accept;
  }
  for (const std::string_view method : {"POST", "PUT", "DELETE", "OPTIONS"})
    EXPECT_FALSE(Get(pages_, "/", {.method = method})) << method;
}

TEST_F(PagesTest, AssetsNeedNoAcceptAndStayForEver) {
  const auto script = Get(pages_, "/assets/index-abc.js", {.accept = "*/*"});
  ASSERT_TRUE(script);
  EXPECT_EQ(script->body, "let long = 1");
  EXPECT_EQ(script->content_type, "text/javascript; charset=utf-8");
  EXPECT_EQ(Field(*script, "Cache-Control"), "max-age=31536000, immutable");
  EXPECT_EQ(Field(*script, "Content-Encoding"), "");
  EXPECT_EQ(Field(*script, "Vary"), "Accept-Encoding");
  const auto icon = Get(pages_, "/favicon.svg", {.accept = "image/*"});
  ASSERT_TRUE(icon);
  EXPECT_EQ(icon->content_type, "image/svg+xml");
  EXPECT_EQ(Field(*icon, "Cache-Control"), "no-cache");
}

TEST_F(PagesTest, CompressedForThoseWhoTakeIt) {
  const auto packed = Get(pages_, "/assets/index-abc.js", {.encoding = "gzip, br"});
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->body, "packed");
  EXPECT_EQ(Field(*packed, "Content-Encoding"), "gzip");
  EXPECT_EQ(Get(pages_, "/assets/index-abc.js", {.encoding = "br, gzip;q=0"})->body, "let long = 1");
  // What does not shrink is sent as it is.
  const auto plain = Get(pages_, "/favicon.svg", {.encoding = "gzip"});
  EXPECT_EQ(plain->body, "<svg>");
  EXPECT_EQ(Field(*plain, "Content-Encoding"), "");
}

TEST_F(PagesTest, AKnownVersionIsNotSentAgain) {
  const auto known = Get(pages_, "/values", {.if_none_match = R"("x", W/"1")"});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->status, 304);
  EXPECT_EQ(known->body, "");
  EXPECT_EQ(Field(*known, "ETag"), R"(W/"1")");
  EXPECT_EQ(Get(pages_, "/values", {.if_none_match = R"(W/"2")"})->status, 200);
  EXPECT_EQ(Get(pages_, "/assets/index-abc.js", {.encoding = "gzip", .if_none_match = R"(W/"3")"})->status,
            304);
}

TEST_F(PagesTest, HeadIsAnsweredLikeGet) {
  const auto head = Get(pages_, "/", {.method = "HEAD"});
  ASSERT_TRUE(head);
  EXPECT_EQ(head->body, "<html>");  // the connection leaves it out and keeps its length
}

TEST_F(PagesTest, BrowsersAreToldToBeStrict) {
  for (const std::string_view target : {"/", "/assets/index-abc.js"}) {
    const auto response = Get(pages_, target);
    const std::string policy = Field(*response, "Content-Security-Policy");
    EXPECT_THAT(policy, HasSubstr("default-src 'self'"));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
    EXPECT_EQ(Field(*response, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(Field(*response, "Strict-Transport-Security"), "");
  }
  const Pages secure(kFiles, http::PublicScheme::kHttps);
  EXPECT_THAT(Field(*Get(secure, "/"), "Strict-Transport-Security"), HasSubstr("max-age"));
}

TEST(PagesWithoutFiles, TellHowToAddThem) {
  const Pages pages({}, http::PublicScheme::kHttp);
  const auto response = Get(pages, "/");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_THAT(response->body, HasSubstr("./run"));
  EXPECT_EQ(Field(*response, "Cache-Control"), "no-store");
  EXPECT_FALSE(Get(pages, "/", {.accept = "*/*"}));
  EXPECT_FALSE(Get(pages, "/values"));
}

TEST(EmbeddedFiles, AreWellFormed) {
  std::set<std::string_view> paths;
  for (const PageFile& file : EmbeddedFiles()) {
    EXPECT_TRUE(paths.insert(file.path).second) << file.path;
    EXPECT_TRUE(file.path.starts_with('/')) << file.path;
    EXPECT_TRUE(file.tag.starts_with("W/\"") && file.tag.ends_with('"')) << file.tag;
    EXPECT_FALSE(file.content.empty()) << file.path;
    if (!file.gzip.empty()) {
      EXPECT_TRUE(file.gzip.starts_with("\x1f\x8b")) << file.path;
      EXPECT_LT(file.gzip.size(), file.content.size()) << file.path;
    }
  }
  EXPECT_TRUE(paths.empty() || paths.contains("/index.html"));
}

}  // namespace
}  // namespace cairn::pages
