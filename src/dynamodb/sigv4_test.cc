#include "dynamodb/sigv4.h"

#include "dynamodb/canonical_text.h"

namespace cairn::dynamodb {
namespace {

using Headers = std::vector<http::HeaderField>;

constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr Signature kSuiteScope = {
    .date = "20150830", .region = "us-east-1", .service = "service", .terminator = "aws4_request"};

// AWS's published Signature Version 4 test suite: same key, date and host for all requests.
TEST(Sign, PublishedTestSuite) {
  struct Case {
    const char* name;
    std::string_view method, url;
    Headers extra;
    std::string_view signed_headers, body, signature;
  };
  const std::string_view kPlain = "host;x-amz-date";
  const Case cases[] = {
      {"get-vanilla",
       "GET",
       "/",
       {},
       kPlain,
       "",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"get-vanilla-query-order-key-case",
       "GET",
       "/?Param2=value2&Param1=value1",
       {},
       kPlain,
       "",
       "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
      {"get-header-key-duplicate",
       "GET",
       "/",
       {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}},
       "host;my-header1;x-amz-date",
       "",
       "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
      {"get-header-value-trim",
       "GET",
       "/",
       {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}},
       "host;my-header1;my-header2;x-amz-date",
       "",
       "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
      {"get-utf8",
       "GET",
       "/\xe1\x88\xb4",
       {},
       kPlain,
       "",
       "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
      {"get-relative",
       "GET",
       "/example/..",
       {},
       kPlain,
       "",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"get-slash",
       "GET",
       "//",
       {},
       kPlain,
       "",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"get-space",
       "GET",
       "/example space/",
       {},
       kPlain,
       "",
       "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
      {"post-vanilla",
       "POST",
       "/",
       {},
       kPlain,
       "",
       "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
      {"post-x-www-form-urlencoded",
       "POST",
       "/",
       {{"Content-Type", "application/x-www-form-urlencoded"}},
       "content-type;host;x-amz-date",
       "Param1=value1",
       "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
  };
  for (const Case& c : cases) {
    http::Request request;
    request.method = c.method;
    request.target = c.url;
    request.headers = {{"Host", "example.amazonaws.com"}, {"X-Amz-Date", "20150830T123600Z"}};
    request.headers.insert(request.headers.end(), c.extra.begin(), c.extra.end());
    request.wire_body = c.body;
    const std::string canonical = CanonicalRequest(request, c.signed_headers);
    EXPECT_EQ(Sign(canonical, "20150830T123600Z", kSuiteScope, kSecret), c.signature) << c.name << "\n"
                                                                                      << canonical;
  }
}

// The worked example of AWS's documentation of the signing process.
TEST(Sign, DocumentedListUsersExample) {
  http::Request request;
  request.method = "GET";
  request.target = "/?Action=ListUsers&Version=2010-05-08";
  request.headers = {{"Host", "iam.amazonaws.com"},
                     {"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"},
                     {"X-Amz-Date", "20150830T123600Z"}};
  Signature scope = kSuiteScope;
  scope.service = "iam";
  const std::string canonical = CanonicalRequest(request, "content-type;host;x-amz-date");
  EXPECT_EQ(Sign(canonical, "20150830T123600Z", scope, kSecret),
            "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7");
}

TEST(CanonicalText, QueriesAreSortedAndEncodedAnew) {
  EXPECT_EQ(CanonicalQuery("b=2&a=%7e&a=%20&c"), "a=%20&a=~&b=2&c=");
  EXPECT_EQ(CanonicalQuery("&&"), "");
  EXPECT_EQ(CanonicalQuery("a=%zz%2"), "a=%25zz%252");
}

TEST(CanonicalText, PathsAreNormalised) {
  EXPECT_EQ(CanonicalPath(""), "/");
  EXPECT_EQ(CanonicalPath("/a/./b/../c//d/"), "/a/c/d/");
  EXPECT_EQ(CanonicalPath("/../.."), "/");
  EXPECT_EQ(CanonicalPath("/a%20b"), "/a%2520b");
}

// A ListTables request as boto3 signs it; every test changes one thing.
class AuthenticateTest : public testing::Test {
 protected:
  // 2026-11-15T19:42:30Z
  const Time signed_at{std::chrono::seconds(1'794'771'750)};
  const Credentials credentials{{"AKIDEXAMPLE", {std::string(kSecret)}}};
  std::string_view authorization =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261115/eu-west-1/dynamodb/aws4_request, "
      "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
      "Signature=e826b943be9896d59ba457522444c69941941b856e4d5afea4871c0021e58f3a";
  std::string_view body = R"({"Limit": 10})";
  std::string_view target = "DynamoDB_20120810.ListTables";
  std::string_view date = "20261115T194230Z";
  std::string_view url = "/";
  Headers extra;
  Time now = signed_at;

  Result<Caller> Run(const Credentials& known) {
    http::Request request;
    request.method = "POST";
    request.target = url;
    request.headers = {{"Host", "localhost:8000"}, {"Content-Type", "application/x-amz-json-1.0"}};
    if (!target.empty()) request.headers.push_back({"X-Amz-Target", target});
    if (!date.empty()) request.headers.push_back({"X-Amz-Date", date});
    if (!authorization.empty()) request.headers.push_back({"Authorization", authorization});
    request.headers.insert(request.headers.end(), extra.begin(), extra.end());
    request.body = request.wire_body = body;
    return Authenticate(request, known, now);
  }

  void ExpectFailure(const Credentials& known, Code code, std::string_view message) {
    const auto caller = Run(known);
    ASSERT_FALSE(caller);
    EXPECT_EQ(caller.error().code, code);
    EXPECT_EQ(caller.error().message, message);
  }

  static constexpr std::string_view kMismatch =
      "The request signature we calculated does not match the signature you provided. Check your AWS Secret "
      "Access "
      "Key and signing method. Consult the service documentation for details.";
};

TEST_F(AuthenticateTest, RightSignaturePasses) {
  const auto caller = Run(credentials);
  ASSERT_TRUE(caller) << caller.error().message;
  EXPECT_EQ(caller->access_key_id, "AKIDEXAMPLE");
  EXPECT_EQ(caller->region, "eu-west-1");
}

TEST_F(AuthenticateTest, AnyChangedPartIsAMismatch) {
  body = R"({"Limit": 11})";
  ExpectFailure(credentials, Code::kInvalidSignature, kMismatch);
  body = R"({"Limit": 10})";
  target = "DynamoDB_20120810.DeleteTable";
  ExpectFailure(credentials, Code::kInvalidSignature, kMismatch);
  target = "DynamoDB_20120810.ListTables";
  url = "/?x=1";
  ExpectFailure(credentials, Code::kInvalidSignature, kMismatch);
  url = "/";
  ExpectFailure({{"AKIDEXAMPLE", {"another secret"}}}, Code::kInvalidSignature, kMismatch);
}

TEST_F(AuthenticateTest, ADuplicatedSignedHeaderIsAMismatch) {
  extra = {{"X-Amz-Target", "DynamoDB_20120810.DeleteTable"}};
  ExpectFailure(credentials, Code::kInvalidSignature, kMismatch);
}

TEST_F(AuthenticateTest, UnknownKeysAndSessionTokensAreRefused) {
  ExpectFailure({{"OTHER", {"x"}}}, Code::kUnknownCredential,
                "The security token included in the request is invalid.");
  extra = {{"X-Amz-Security-Token", "session"}};
  ExpectFailure(credentials, Code::kUnknownCredential,
                "The security token included in the request is invalid.");
}

TEST_F(AuthenticateTest, TheClockMayDifferByFiveMinutes) {
  now = signed_at + std::chrono::minutes(5);
  EXPECT_TRUE(Run(credentials));
  now = signed_at - std::chrono::minutes(5);
  EXPECT_TRUE(Run(credentials));
  now = signed_at + std::chrono::minutes(10);
  ExpectFailure(
      credentials, Code::kInvalidSignature,
      "Signature expired: 20261115T194230Z is now earlier than 20261115T194730Z (20261115T195230Z - 5 min.)");
  now = signed_at - std::chrono::minutes(10);
  ExpectFailure(credentials, Code::kInvalidSignature,
                "Signature not yet current: 20261115T194230Z is still later than 20261115T193730Z "
                "(20261115T193230Z + 5 min.)");
}

TEST_F(AuthenticateTest, HeadersThatMatterMustBeSigned) {
  authorization =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261115/eu-west-1/dynamodb/aws4_request, "
      "SignedHeaders=host;x-amz-date, Signature=00";
  ExpectFailure(credentials, Code::kInvalidSignature,
                "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");
  authorization =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261115/eu-west-1/dynamodb/aws4_request, "
      "SignedHeaders=x-amz-date;x-amz-target, Signature=00";
  ExpectFailure(credentials, Code::kInvalidSignature,
                "'Host' must be a 'SignedHeader' in the AWS Authorization.");
}

TEST_F(AuthenticateTest, TheScopeMustFit) {
  authorization =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261114/eu-west-1/s3/aws4, "
      "SignedHeaders=host;x-amz-date;x-amz-target, Signature=00";
  ExpectFailure(
      credentials, Code::kInvalidSignature,
      "Credential should be scoped to correct service: 'dynamodb'. Credential should be scoped with a valid "
      "terminator: 'aws4_request', not 'aws4'. Date in Credential scope does not match YYYYMMDD from "
      "ISO-8601 version of date from HTTP: '20261114' != '20261115', from '20261115T194230Z'.");
}

TEST_F(AuthenticateTest, MalformedDatesAreIncomplete) {
  for (const std::string_view bad : {"201", "20261315T194230Z", "2026-11-15T19:42:30Z", "20261115T254230Z"}) {
    date = bad;
    ExpectFailure(credentials, Code::kIncompleteSignature,
                  "Date must be in ISO-8601 'basic format'. Got '" + std::string(bad) +
                      "'. See http://en.wikipedia.org/wiki/ISO_8601");
  }
}

TEST_F(AuthenticateTest, MissingAuthorizationIsItsOwnError) {
  for (const std::string_view header : {"", "Basic dXNlcjpwYXNz"}) {
    authorization = header;
    ExpectFailure({}, Code::kUnauthenticated, "Request is missing Authentication Token");
    ExpectFailure(credentials, Code::kUnauthenticated, "Request is missing Authentication Token");
  }
}

TEST_F(AuthenticateTest, MissingPartsAreNamed) {
  authorization = "AWS4-HMAC-SHA256 Signature=b";
  date = "";
  ExpectFailure(
      {}, Code::kIncompleteSignature,
      "Authorization header requires 'Credential' parameter. Authorization header requires 'SignedHeaders' "
      "parameter. Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
      "Authorization=AWS4-HMAC-SHA256 Signature=b");
}

TEST_F(AuthenticateTest, MalformedCredentialsAreNamed) {
  authorization = "AWS4-HMAC-SHA256 Credential=a/b/c/d, SignedHeaders=host, Signature=b";
  ExpectFailure(
      {}, Code::kIncompleteSignature,
      "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got "
      "'a/b/c/d'");
}

TEST_F(AuthenticateTest, RegionThatIsNoTextIsRefused) {
  authorization = "AWS4-HMAC-SHA256 Credential=a/b/\xff/d/e, SignedHeaders=host, Signature=b";
  ExpectFailure(
      {}, Code::kIncompleteSignature,
      "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got "
      "'a/b/\xff/d/e'");
}

TEST_F(AuthenticateTest, WithoutCredentialsAnyWellFormedSignaturePasses) {
  authorization =
      "AWS4-HMAC-SHA256 Credential=any/20200101/mars-1/dynamodb/aws4_request,SignedHeaders=host,Signature=0";
  const auto caller = Run({});
  ASSERT_TRUE(caller);
  EXPECT_EQ(caller->region, "mars-1");
}

TEST_F(AuthenticateTest, PresignedQueriesPassOnlyWithoutCredentials) {
  authorization = "";
  url =
      "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=key%2F20261115%2Feu-west-1%2Fdynamodb%2Faws4_"
      "request"
      "&X-Amz-Date=20261115T194230Z&X-Amz-SignedHeaders=host&X-Amz-Signature=00";
  const auto caller = Run({});
  ASSERT_TRUE(caller) << caller.error().message;
  EXPECT_EQ(caller->access_key_id, "key");
  EXPECT_EQ(caller->region, "eu-west-1");
  ExpectFailure(credentials, Code::kUnauthenticated, "Request is missing Authentication Token");
  url = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256";
  ExpectFailure(
      {}, Code::kIncompleteSignature,
      "AWS query-string parameters must include 'X-Amz-Credential'. AWS query-string parameters must include "
      "'X-Amz-Signature'. AWS query-string parameters must include 'X-Amz-SignedHeaders'. AWS query-string "
      "parameters must include 'X-Amz-Date'. Re-examine the query-string parameters.");
}

TEST_F(AuthenticateTest, HeaderAndQueryTogetherAreRefused) {
  url = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256";
  ExpectFailure({}, Code::kInvalidSignature,
                "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
}

}  // namespace
}  // namespace cairn::dynamodb
