#include "expr/tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cairn::expr {
namespace {

struct Expected {
  TokenKind kind;
  std::string_view text;
};

std::vector<Token> All(std::string_view text, Keywords keywords) {
  std::vector<Token> tokens;
  for (Tokenizer tokenizer(text, keywords); !tokenizer.At(TokenKind::kEnd);)
    tokens.push_back(tokenizer.Take());
  return tokens;
}

void ExpectTokens(std::string_view text, Keywords keywords, const std::vector<Expected>& expected) {
  SCOPED_TRACE(text);
  const std::vector<Token> tokens = All(text, keywords);
  ASSERT_EQ(tokens.size(), expected.size());
  for (size_t i = 0; i < tokens.size(); ++i) {
    EXPECT_EQ(tokens[i].kind, expected[i].kind) << i;
    EXPECT_EQ(tokens[i].text, expected[i].text) << i;
  }
}

TEST(Tokenizer, SymbolsAreReadGreedily) {
  ExpectTokens("=<>< <=> >=()[],.+-", Keywords::kNone,
               {{TokenKind::kEqual, "="},
                {TokenKind::kNotEqual, "<>"},
                {TokenKind::kLess, "<"},
                {TokenKind::kLessOrEqual, "<="},
                {TokenKind::kGreater, ">"},
                {TokenKind::kGreaterOrEqual, ">="},
                {TokenKind::kOpen, "("},
                {TokenKind::kClose, ")"},
                {TokenKind::kOpenBracket, "["},
                {TokenKind::kCloseBracket, "]"},
                {TokenKind::kComma, ","},
                {TokenKind::kDot, "."},
                {TokenKind::kPlus, "+"},
                {TokenKind::kMinus, "-"}});
}

TEST(Tokenizer, WordsNamesValuesAndNumbers) {
  ExpectTokens("ab_1 #1x :_y 007b", Keywords::kNone,
               {{TokenKind::kIdentifier, "ab_1"},
                {TokenKind::kName, "#1x"},
                {TokenKind::kValue, ":_y"},
                {TokenKind::kNumber, "007"},
                {TokenKind::kIdentifier, "b"}});
}

TEST(Tokenizer, KeywordsDependOnTheLanguageAndIgnoreCase) {
  ExpectTokens("and Or NOT betWeen in set", Keywords::kCondition,
               {{TokenKind::kAnd, "and"},
                {TokenKind::kOr, "Or"},
                {TokenKind::kNot, "NOT"},
                {TokenKind::kBetween, "betWeen"},
                {TokenKind::kIn, "in"},
                {TokenKind::kIdentifier, "set"}});
  ExpectTokens("set REMOVE Add delete and inn", Keywords::kUpdate,
               {{TokenKind::kSet, "set"},
                {TokenKind::kRemove, "REMOVE"},
                {TokenKind::kAdd, "Add"},
                {TokenKind::kDelete, "delete"},
                {TokenKind::kIdentifier, "and"},
                {TokenKind::kIdentifier, "inn"}});
}

TEST(Tokenizer, StrangeCharactersBecomeTokensOfTheirOwn) {
  ExpectTokens("_a # : ! \xc3\xbc", Keywords::kNone,
               {{TokenKind::kUnknown, "_"},
                {TokenKind::kIdentifier, "a"},
                {TokenKind::kUnknown, "#"},
                {TokenKind::kUnknown, ":"},
                {TokenKind::kUnknown, "!"},
                {TokenKind::kUnknown, "\xc3\xbc"}});
}

TEST(Tokenizer, NearSpansTheTokensAround) {
  Tokenizer tokenizer("a  =\tb c", Keywords::kNone);
  EXPECT_EQ(tokenizer.Near(), "a  =");
  tokenizer.Take();
  EXPECT_EQ(tokenizer.Near(), "a  =\tb");
  tokenizer.Take();
  tokenizer.Take();
  EXPECT_EQ(tokenizer.Near(), "b c");
  tokenizer.Take();
  EXPECT_TRUE(tokenizer.At(TokenKind::kEnd));
  EXPECT_EQ(tokenizer.Near(), "c");
  tokenizer.Take();
  EXPECT_TRUE(tokenizer.At(TokenKind::kEnd));
}

TEST(Tokenizer, EmptyTextEndsAtOnce) {
  Tokenizer tokenizer(" \n", Keywords::kNone);
  EXPECT_TRUE(tokenizer.At(TokenKind::kEnd));
  EXPECT_EQ(tokenizer.Near(), "");
}

}  // namespace
}  // namespace cairn::expr
