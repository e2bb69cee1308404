#include "base/base64url.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(Base64Url, EveryLengthComesBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(DecodeBase64Url(EncodeBase64Url(bytes)), bytes);
    bytes += static_cast<char>(i * 37);
  }
}

TEST(Base64Url, KnownTexts) {
  EXPECT_EQ(EncodeBase64Url(""), "");
  EXPECT_EQ(EncodeBase64Url("f"), "Zg");
  EXPECT_EQ(EncodeBase64Url("fo"), "Zm8");
  EXPECT_EQ(EncodeBase64Url("foo"), "Zm9v");
  EXPECT_EQ(EncodeBase64Url("\xfb\xff"), "-_8");
}

TEST(Base64Url, SecondSpellingsAreRefused) {
  for (const char* text : {"Zg==", "Zh", "Zm9", "Z", "Zm9vZ", "+_8", "Zm 9", "Zm9v\n", "Zm\xc3\xa9"}) {
    EXPECT_FALSE(DecodeBase64Url(text)) << text;
  }
}

}  // namespace
}  // namespace cairn
