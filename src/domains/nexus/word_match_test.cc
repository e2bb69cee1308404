#include "domains/nexus/word_match.h"

#include <gtest/gtest.h>

#include "base/doubling_for_test.h"
#include "base/utf8.h"

namespace cairn::nexus {
namespace {

std::string Folded(std::string_view text) {
  std::string all;
  for (const Word& word : WordsOf(text)) all += (all.empty() ? "" : " ") + word.folded;
  return all;
}

TEST(WordMatch, WordsAreLettersAndDigits) {
  EXPECT_EQ(Folded("Buy milk, 2 eggs; (brown)!"), "buy milk 2 eggs brown");
  EXPECT_EQ(Folded("- [ ] **bold** `code_name`"), "bold code name");
  EXPECT_EQ(Folded(" … — \u3000 \n"), "");
  EXPECT_EQ(Folded("«Ça va?»"), "ca va");
  EXPECT_EQ(Folded("3×4"), "3 4");
}

TEST(WordMatch, CaseAndAccentsDoNotMatter) {
  EXPECT_EQ(Folded("CAFÉ Ångström ŁÓDŹ Čapek İzmir"), "cafe angstrom lodz capek izmir");
  EXPECT_EQ(Folded("Straße Œuvre Æon Þór"), "strasse oeuvre aeon thor");
  EXPECT_EQ(Folded("cafe\u0301"), "cafe") << "an accent on its own";
  EXPECT_EQ(Folded("ΣΟΦΟΣ σοφος σοφοσ"), Folded("σοφοσ σοφοσ σοφοσ"));
  EXPECT_EQ(Folded("ЁЛКА Київ"), Folded("елка київ"));
  EXPECT_EQ(Folded("日本語 メモ"), "日本語 メモ");
}

TEST(WordMatch, WordsKnowWhereTheyStand) {
  const std::string_view text = "an Émile, über";
  const auto words = WordsOf(text);
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(text.substr(words[1].begin, words[1].end - words[1].begin), "Émile");
  EXPECT_EQ(text.substr(words[2].begin, words[2].end - words[2].begin), "über");
}

TEST(WordMatch, BrokenTextIsNoProblem) {
  for (const std::string_view text : {"\xff\xfe", "a\xc3", "\xe2\x82", "\xf0\x9f", "\x80"}) WordsOf(text);
}

int64_t Score(std::string_view query, const Findable& findable) {
  return WordSearch(WordsOf(query)).In(findable).score;
}

TEST(WordMatch, BeginningsOfAllWordsMustBeThere) {
  const Findable note{
      .title = "Shopping list", .body = "Milk, Crème fraîche and bread", .tags = {"home-office"}};
  EXPECT_GT(Score("shop", note), 0);
  EXPECT_GT(Score("CREME milk", note), 0);
  EXPECT_GT(Score("office list bre", note), 0);
  EXPECT_EQ(Score("hopping", note), 0) << "not the middle of a word";
  EXPECT_EQ(Score("milk butter", note), 0);
  EXPECT_EQ(Score("shoppings", note), 0);
}

TEST(WordMatch, TitleBeforeTagBeforeBodyAndWholeBeforeBeginning) {
  const Findable title{.title = "milk", .body = "", .tags = {}};
  const Findable title_beginning{.title = "milky", .body = "", .tags = {}};
  const Findable tag{.title = "x", .body = "", .tags = {"milk"}};
  const Findable body{.title = "x", .body = "some milk", .tags = {}};
  const Findable body_beginning{.title = "x", .body = "a milkshake", .tags = {}};
  EXPECT_GT(Score("milk", title), Score("milk", title_beginning));
  EXPECT_GT(Score("milk", title_beginning), Score("milk", tag));
  EXPECT_GT(Score("milk", tag), Score("milk", body));
  EXPECT_GT(Score("milk", body), Score("milk", body_beginning));
  EXPECT_GT(Score("milk", body_beginning), 0);
}

TEST(WordMatch, SnippetIsAroundWhatWasFound) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "word" + std::to_string(i) + (i % 10 == 9 ? "\n\n" : " ");
  const size_t offset =
      WordSearch(WordsOf("word150")).In({.title = "", .body = text, .tags = {}}).body_offset;
  const std::string snippet = SnippetOf(text, offset);
  EXPECT_NE(snippet.find("word150"), std::string::npos) << snippet;
  EXPECT_TRUE(snippet.starts_with("word")) << snippet;
  EXPECT_LE(snippet.size(), kSnippetBytesMax);
  EXPECT_EQ(snippet.find('\n'), std::string::npos);
  EXPECT_EQ(SnippetOf("", 0), "");
  EXPECT_EQ(SnippetOf("  short  text ", 2), "short text");
}

TEST(WordMatch, SnippetNeverCutsACharacter) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "ä";
  text += "x needle";
  for (size_t offset = 0; offset < text.size(); offset += 2) EXPECT_TRUE(IsUtf8(SnippetOf(text, offset)));
  EXPECT_NE(SnippetOf(text, text.find("needle")).find("needle"), std::string::npos);
}

// Many wanted words that all begin alike cost no more than one: a text is read once.
TEST(WordMatch, WorkDoesNotGrowWithTheWordsWanted) {
  std::string body;
  for (int i = 0; i < 20'000; ++i) body += "word" + std::to_string(i) + " ";
  const double growth = GrowthOf(6, [&](size_t n) {
    std::string query;
    for (size_t i = 0; i < n; ++i) query += "word" + std::to_string(i) + " ";
    return [search = WordSearch(WordsOf(query)), &body] {
      EXPECT_GT(search.In({.title = "", .body = body, .tags = {}}).score, 0);
    };
  });
  EXPECT_LT(growth, 3);
}

TEST(WordMatch, WorkGrowsWithTheText) {
  const double growth = GrowthOf(100'000, [](size_t n) {
    return [search = WordSearch(WordsOf("aaaaaaab")), body = std::string(n, 'a')] {
      EXPECT_EQ(search.In({.title = "", .body = body, .tags = {}}).score, 0);
    };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

}  // namespace
}  // namespace cairn::nexus
