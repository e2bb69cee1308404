#include "identity/email.h"

#include <gtest/gtest.h>

#include <vector>

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

TEST(NewEmail, AddressesThatMailReachesAreTaken) {
  const std::string label(63, 'a'), name(64, 'a');
  for (const std::string& text : std::vector<std::string>{
           "ada@example.org", "a@b.co", "first.last@example.org", "user+tag@sub.example.co.uk",
           "x_y-z@a-b.example.org", "1@2.example", "!#$%&'*+-/=?^_`{|}~@example.org", "o'brien@example.ie",
           "ada@xn--bcher-kva.example", "ada@example.xn--p1ai", "a@1.2.3.4a", name + "@example.org",
           "a@" + label + ".org"}) {
    EXPECT_EQ(NewEmail(text), text);
  }
  EXPECT_EQ(NewEmail("  Ada.L@Example.ORG\n"), "ada.l@example.org");
}

TEST(NewEmail, WhatIsNoPlainAddressIsRefused) {
  for (const std::string text : {"<a@x.org>",
                                 "Ada <ada@example.org>",
                                 "\"ada\"@example.org",
                                 "\"a b\"@example.org",
                                 "ada@[192.0.2.1]",
                                 "ada@192.0.2.1",
                                 "ada@localhost",
                                 "ada@example",
                                 ".ada@example.org",
                                 "ada.@example.org",
                                 "a..b@example.org",
                                 "ada@.example.org",
                                 "ada@example.org.",
                                 "ada@example..org",
                                 "ada@-a.org",
                                 "ada@a-.org",
                                 "ada@exam_ple.org",
                                 "ada@exa mple.org",
                                 "a,b@example.org",
                                 "a;b@example.org",
                                 "a:b@example.org",
                                 "(c)ada@example.org",
                                 "ada@example.org(c)",
                                 "a\\b@example.org",
                                 "ada@example.org,eve@example.org",
                                 "mailto:ada@example.org",
                                 "ada@example.org>",
                                 "ada@exa%6dple.org",
                                 "\xc3\x89milie@example.org",
                                 "ada@b\xc3\xbc"
                                 "cher.example",
                                 "ada@@example.org",
                                 "",
                                 "ada",
                                 "@example.org",
                                 "ada@"}) {
    EXPECT_EQ(NewEmail(text), std::nullopt) << text;
  }
  const std::string name(65, 'a');
  EXPECT_FALSE(NewEmail(name + "@example.org"));
  EXPECT_FALSE(NewEmail("a@" + std::string(64, 'a') + ".org"));
  EXPECT_FALSE(NewEmail("a@" + std::string(63, 'a') + "." + std::string(63, 'a') + "." +
                        std::string(63, 'a') + "." + std::string(61, 'a') + ".org"))
      << "beyond 254 bytes";
}

}  // namespace
}  // namespace cairn::identity
