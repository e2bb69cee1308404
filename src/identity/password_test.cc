#include "identity/password.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::identity {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr PasswordCost kCheap{.operations = 1, .memory_bytes = 8192};

std::string Complaint(std::string_view password) {
  const Status fine = CheckPasswordRules(password, "ada.lovelace@example.org");
  return fine ? "" : fine.error().message;
}

TEST(PasswordRules, LengthCountsCharacters) {
  EXPECT_EQ(Complaint("7z-Kd.4"), "must have at least 8 characters");
  EXPECT_EQ(Complaint("7z-Kd.4m"), "");
  EXPECT_EQ(Complaint(std::string(200, 'x')), "");
  EXPECT_EQ(Complaint(std::string(201, 'x')), "must have at most 200 characters");
  std::string emojis, umlauts;
  for (int i = 0; i < 200; ++i) emojis += "\xf0\x9f\xa6\x86";
  for (int i = 0; i < 7; ++i) umlauts += "\xc3\xb6";
  EXPECT_EQ(Complaint(emojis), "") << "800 bytes";
  EXPECT_EQ(Complaint(emojis + "\xf0\x9f\xa6\x86"), "must have at most 200 characters");
  EXPECT_EQ(Complaint(umlauts), "must have at least 8 characters") << "14 bytes";
}

TEST(PasswordRules, GuessableOnesAreRefused) {
  for (const std::string_view password :
       {"password", "PassWord1", "12345678", "Qwertyuiop", "iloveyou", "P@ssw0rd"}) {
    EXPECT_THAT(Complaint(password), HasSubstr("everybody tries first")) << password;
  }
  EXPECT_EQ(Complaint("Ada.Lovelace@Example.org"), "must not be the e-mail address");
  EXPECT_EQ(Complaint("ada.lovelace@example.org!"), "");
}

TEST(PasswordRules, BytesThatAreNoTextAreRefused) {
  EXPECT_EQ(Complaint("abcdefg\xff-x"), "must be a text in UTF-8");
}

TEST(Password, HashVerifiesItsOwnPasswordOnly) {
  const auto hash = HashPassword("correct horse", kCheap);
  ASSERT_TRUE(hash);
  EXPECT_THAT(*hash, StartsWith("$argon2id$v=19$m=8,t=1,p=1$"));
  EXPECT_TRUE(PasswordMatches("correct horse", *hash));
  for (const std::string_view other :
       {"correct horsf", "correct hors", "correct horse ", "", "Correct horse"}) {
    EXPECT_FALSE(PasswordMatches(other, *hash)) << other;
  }
  EXPECT_FALSE(PasswordMatches(std::string_view("correct horse\0", 14), *hash));
  EXPECT_NE(*hash, HashPassword("correct horse", kCheap).value()) << "every hash has its own salt";
}

TEST(Password, DefaultCostIsSixtyFourMegabytes) {
  const auto hash = HashPassword("correct horse", {});
  ASSERT_TRUE(hash);
  EXPECT_THAT(*hash, StartsWith("$argon2id$v=19$m=65536,t=2,p=1$"));
  EXPECT_LE(hash->size(), 200u) << "what the model allows";
}

TEST(Password, TextsThatAreNoHashNeverMatch) {
  for (const std::string& text :
       {std::string(), std::string("x"), std::string("$argon2id$"), std::string(300, '$')}) {
    EXPECT_FALSE(PasswordMatches("", text));
    EXPECT_FALSE(PasswordMatches("x", text));
    EXPECT_TRUE(NeedsRehash(text, kCheap));
  }
}

TEST(Password, LongOnesAreNotHashed) {
  EXPECT_FALSE(HashPassword(std::string(kPasswordBytesMax + 1, 'x'), kCheap));
  EXPECT_TRUE(HashPassword(std::string(kPasswordBytesMax, 'x'), kCheap));
}

TEST(Password, OtherCostNeedsRehash) {
  const std::string hash = HashPassword("correct horse", kCheap).value();
  EXPECT_FALSE(NeedsRehash(hash, kCheap));
  EXPECT_TRUE(NeedsRehash(hash, {.operations = 2, .memory_bytes = 8192}));
  EXPECT_TRUE(NeedsRehash(hash, {.operations = 1, .memory_bytes = 16384}));
}

TEST(Password, HashOfNobodyIsTriedLikeAnyOther) {
  const std::string nobody = HashOfNobody(kCheap);
  EXPECT_FALSE(NeedsRehash(nobody, kCheap)) << "libsodium takes it for a hash of this cost";
  EXPECT_FALSE(PasswordMatches("", nobody));
  EXPECT_FALSE(PasswordMatches("correct horse", nobody));
}

TEST(Password, WipedSecretIsGone) {
  std::string secret = "a secret that is longer than the small buffer";
  const char* bytes = secret.data();
  Wipe(secret);
  EXPECT_TRUE(secret.empty());
  EXPECT_EQ(bytes, secret.data());
  EXPECT_EQ(bytes[1], '\0');
}

}  // namespace
}  // namespace cairn::identity
