#include "base/json_text.h"

namespace cairn {
namespace {

std::string Quoted(std::string_view text) {
  std::string out = "x";
  AppendJsonString(out, text);
  return out;
}

TEST(JsonText, EscapesOnlyWhatJsonRequires) {
  EXPECT_EQ(Quoted(""), R"(x"")");
  EXPECT_EQ(Quoted("plain / \xc3\xa9"), "x\"plain / \xc3\xa9\"");
  EXPECT_EQ(Quoted("a\"b\\c\nd\re\tf\bg\fh"), R"(x"a\"b\\c\nd\re\tf\bg\fh")");
  EXPECT_EQ(Quoted(std::string_view("\0\x1f", 2)), R"(x"\u0000\u001f")");
}

}  // namespace
}  // namespace cairn
