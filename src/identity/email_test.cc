#include "identity/email.h"

#include <gtest/gtest.h>

namespace cairn::identity {
namespace {

TEST(NormalizedEmail, SpellingsOfOneAddressAreTheSame) {
  for (const std::string_view spelling :
       {"ada@example.org", "  Ada@Example.ORG\r\n", "ADA@EXAMPLE.ORG", "\tada@example.org "}) {
    EXPECT_EQ(NormalizedEmail(spelling), "ada@example.org") << spelling;
  }
}

TEST(NormalizedEmail, LettersBeyondAsciiStay) {
  EXPECT_EQ(NormalizedEmail("\xc3\x89milie@Example.org"), "\xc3\x89milie@example.org");
}

TEST(NormalizedEmail, WhatIsNoAddressIsRefused) {
  for (const std::string_view text :
       {"", " ", "ada", "ada@", "@example.org", "ada@example", "a@b@c.de", "a b@c.de",
        "ada@example.org\nbcc: eve@example.org", "ada@.org", "\xff@example.org"}) {
    EXPECT_EQ(NormalizedEmail(text), std::nullopt) << text;
  }
}

TEST(NormalizedEmail, LengthEndsAt254Bytes) {
  const std::string domain = "@example.org";
  EXPECT_TRUE(NormalizedEmail(std::string(254 - domain.size(), 'a') + domain));
  EXPECT_FALSE(NormalizedEmail(std::string(255 - domain.size(), 'a') + domain));
}

}  // namespace
}  // namespace cairn::identity
