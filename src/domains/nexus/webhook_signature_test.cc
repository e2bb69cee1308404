#include "domains/nexus/webhook_signature.h"

#include <gtest/gtest.h>

namespace cairn::nexus {
namespace {

// Worked out with: printf '1794819600.{"a":1}' | openssl dgst -sha256 -hmac whsec_test
TEST(WebhookSignature, IsWhatOthersWorkOut) {
  const Time now{std::chrono::seconds(1'794'819'600)};
  EXPECT_EQ(WebhookSignature("whsec_test", now, R"({"a":1})"),
            "t=1794819600,v1=b95d7c82f8742475d0ea5483abb51fb55abaa7823d1121bc081fefae60acc842");
}

TEST(WebhookSecret, DependsOnKeyUserAndSalt) {
  const std::string secret = WebhookSecret("key", "ada", "salt");
  EXPECT_TRUE(secret.starts_with("whsec_"));
  EXPECT_EQ(secret.size(), 49u);
  EXPECT_EQ(secret, WebhookSecret("key", "ada", "salt"));
  EXPECT_NE(secret, WebhookSecret("other", "ada", "salt"));
  EXPECT_NE(secret, WebhookSecret("key", "bob", "salt"));
  EXPECT_NE(secret, WebhookSecret("key", "ada", "other"));
}

}  // namespace
}  // namespace cairn::nexus
