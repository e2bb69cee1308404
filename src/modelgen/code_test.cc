#include "modelgen/code.h"

#include <gtest/gtest.h>

namespace cairn::modelgen {
namespace {

TEST(StringLiteral, QuotesAndControlCharactersAreEscaped) {
  EXPECT_EQ(StringLiteral("plain"), "\"plain\"");
  EXPECT_EQ(StringLiteral("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(StringLiteral("1\n2"), R"("1\0122")");
  EXPECT_EQ(StringLiteral("größer"), "\"größer\"");
}

TEST(RawStringLiteral, DelimiterDoesNotOccurInTheText) {
  EXPECT_EQ(RawStringLiteral("a\nb"), "R\"model(a\nb)model\"");
  EXPECT_EQ(RawStringLiteral("a)model\"b"), "R\"model_(a)model\"b)model_\"");
}

TEST(Code, LinesAreIndentedInsideBlocks) {
  Code code;
  code.Open("class A {");
  code.Label("public:");
  code.Open("void F() {");
  code.Line("G();");
  code.Line();
  code.Close();
  code.Close("};");
  EXPECT_EQ(code.text(), "class A {\n public:\n  void F() {\n    G();\n\n  }\n};\n");
}

TEST(Code, LongCommentsAreWrapped) {
  Code code;
  std::string sentence;
  for (int i = 0; i < 40; ++i) sentence += "word ";
  code.Comment(sentence);
  EXPECT_EQ(code.text().substr(0, 8), "// word ");
  for (size_t begin = 0; begin < code.text().size();) {
    const size_t end = code.text().find('\n', begin);
    EXPECT_LE(end - begin, 110u);
    EXPECT_EQ(code.text().substr(begin, 3), "// ");
    begin = end + 1;
  }
}

TEST(Code, CommentsStayComments) {
  Code code;
  code.Comment("two\nlines \\");
  code.Comment("");
  EXPECT_EQ(code.text(), "// two lines\n");
}

TEST(Code, NoteGoesAboveALineThatIsTooLong) {
  Code code;
  code.Noted("int a;", "short");
  code.Noted("int " + std::string(90, 'b') + ";", "a note for which there is no room");
  EXPECT_EQ(code.text(),
            "int a;  // short\n// a note for which there is no room\nint " + std::string(90, 'b') + ";\n");
}

TEST(Code, LongListsAreBrokenBehindTheBracket) {
  Code code;
  code.List("Call(", {"a", "b"}, ");");
  code.List("Call(", {std::string(60, 'a'), std::string(60, 'b'), "c"}, ");");
  code.List("Call(", {}, ");");
  EXPECT_EQ(code.text(), "Call(a, b);\nCall(\n    " + std::string(60, 'a') + ",\n    " +
                             std::string(60, 'b') + ", c);\nCall();\n");
}

}  // namespace
}  // namespace cairn::modelgen
