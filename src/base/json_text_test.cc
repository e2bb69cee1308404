#include "base/json_text.h"

#include "base/json_escape.h"

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

TEST(JsonText, FindsEscapesAtEveryPlace) {
  for (int special = 0; special < 256; ++special) {
    const auto c = static_cast<char>(special);
    const bool plain = special >= 0x20 && c != '"' && c != '\\';
    for (const size_t length : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 31, 32, 33, 40}) {
      for (size_t at = 0; at < length; ++at) {
        for (const char other : {'a', '!', '#', '[', ']', '\x7f', '\xff'}) {
          std::string text(length, other);
          text[at] = c;
          std::string escape;
          AppendJsonString(escape, std::string_view(&c, 1));
          const std::string expected = '"' + std::string(at, other) + escape.substr(1, escape.size() - 2) +
                                       std::string(length - at - 1, other) + '"';
          std::string written;
          AppendJsonString(written, text);
          ASSERT_EQ(written, expected) << special << " at " << at << " of " << length;
          ASSERT_EQ(escape.size() == 3, plain);
          ASSERT_EQ(NeedsJsonEscape(text), !plain) << special << " at " << at << " of " << length;
        }
      }
    }
  }
}

}  // namespace
}  // namespace cairn
