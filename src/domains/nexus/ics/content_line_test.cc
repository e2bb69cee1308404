#include "domains/nexus/ics/content_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"

namespace cairn::nexus::ics {
namespace {

using testing::ElementsAre;

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  LineReader reader(text);
  while (auto line = reader.Next()) lines.push_back(line->text);
  return lines;
}

TEST(LineReader, UnfoldsWhateverTheEndsOfLines) {
  EXPECT_THAT(LinesOf("A:1\r\n 2\r\nB:3\r\n"), ElementsAre("A:12", "B:3"));
  EXPECT_THAT(LinesOf("A:1\n 2\n\tx\nB:3"), ElementsAre("A:12x", "B:3"));
  EXPECT_THAT(LinesOf("A:1\r 2\rB:3\r"), ElementsAre("A:12", "B:3"));
  EXPECT_THAT(LinesOf("\xEF\xBB\xBF"
                      "A:1\n\n  \n\nB:2"),
              ElementsAre("A:1", "B:2"));
  EXPECT_THAT(LinesOf(""), ElementsAre());
}

TEST(LineReader, NumbersLinesOfTheFile) {
  LineReader reader("A:1\r\n 2\r\n\r\nB:3\r\n");
  EXPECT_EQ(reader.Next()->number, 1);
  EXPECT_EQ(reader.Next()->number, 4);
}

TEST(LineReader, PutsTornCharactersTogetherAndReplacesWhatIsNone) {
  EXPECT_THAT(LinesOf("S:\xC3\r\n \xA4"), ElementsAre("S:ä"));
  EXPECT_THAT(LinesOf("S:a\xFF\xC3z"), ElementsAre("S:a\uFFFD\uFFFDz"));
  EXPECT_THAT(LinesOf(std::string_view("S:a\0b\x01\tc", 8)), ElementsAre("S:ab\tc"));
}

TEST(ParseContentLine, NameParametersValue) {
  const auto line = ParseContentLine({7, "dtstart;tzid=\"Europe/Berlin;x:y\";VALUE=DATE-TIME:2026:1"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->name, "DTSTART");
  EXPECT_EQ(line->Parameter("TZID"), "Europe/Berlin;x:y");
  EXPECT_EQ(line->Parameter("VALUE"), "DATE-TIME");
  EXPECT_EQ(line->Parameter("NONE"), "");
  EXPECT_EQ(line->value, "2026:1");
  EXPECT_EQ(line->line, 7);
}

TEST(ParseContentLine, RefusesWhatIsNone) {
  for (const char* text : {"", ":", "no value", ";X=1:2", "A;X:1", "A;X=\"1:2", "ä:1"})
    EXPECT_FALSE(ParseContentLine({1, text})) << text;
}

TEST(AppendContentLine, FoldsAt75OctetsAndNeverInsideACharacter) {
  for (size_t shift = 0; shift < 6; ++shift) {
    std::string text = "SUMMARY:" + std::string(shift, 'x');
    for (int i = 0; i < 100; ++i) text += "ä€𝄞";
    std::string out;
    AppendContentLine(out, text);
    for (std::string_view rest = out; !rest.empty();) {
      const size_t end = rest.find("\r\n");
      ASSERT_NE(end, rest.npos);
      EXPECT_LE(end, 75u);
      EXPECT_TRUE(IsUtf8(rest.substr(0, end)));
      rest.remove_prefix(end + 2);
    }
    EXPECT_THAT(LinesOf(out), ElementsAre(text));
  }
  std::string exactly;
  AppendContentLine(exactly, std::string(75, 'a'));
  EXPECT_EQ(exactly, std::string(75, 'a') + "\r\n");
}

TEST(EscapeText, ThereAndBack) {
  EXPECT_EQ(EscapeText("a\\b;c,d\ne\r\nf\rg:\"h\""), "a\\\\b\\;c\\,d\\ne\\nf\\ng:\"h\"");
  EXPECT_EQ(UnescapeText("a\\\\b\\;c\\,d\\ne\\Nf\\x\\"), "a\\b;c,d\ne\nf\\x\\");
  for (const char* text : {"", "\\", "\\n", "a,b;c", "\n\n", "ä\t€"})
    EXPECT_EQ(UnescapeText(EscapeText(text)), text);
}

TEST(SplitTexts, AtCommasThatAreNotEscaped) {
  EXPECT_THAT(SplitTexts("a,b\\,c,,d\\"), ElementsAre("a", "b,c", "", "d\\"));
  EXPECT_THAT(SplitTexts(""), ElementsAre(""));
}

}  // namespace
}  // namespace cairn::nexus::ics
