// Tokens of a PartiQL statement: the first step of parsing. Used by cursor.h only.
//
// Words are keywords or identifiers by PartiQL's own list, which is SQL-92's reserved words and a few more:
// an attribute named like one of them must be written in double quotes, here as in DynamoDB.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cairn::partiql {

enum class TokenKind {
  kEnd,
  kKeyword,           // text in lower case
  kIdentifier,        // text as written
  kQuotedIdentifier,  // text without quotes, doubled quotes undone
  kString,            // likewise
  kNumber,            // text as written, without sign
  kParameter,         // ?
  kSymbol,            // text is the symbol
};

// Where a token stands, counted in characters from 1.
struct Position {
  size_t line = 1;
  size_t column = 1;
  size_t length = 0;
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;
  Position position;
};

// The tokens without comments, closed by one of kind kEnd. Fails with NotWellFormed("") as DynamoDB does for
// text that has no tokens: an unclosed quote or comment, a stray character, an exponent beyond 32 bits.
Result<std::vector<Token>> Tokenize(std::string_view statement);

// "Statement wasn't well formed, can't be processed: " and what exactly.
Error NotWellFormed(std::string_view detail);

// " at 1:8:3": line, column and length, as some messages end.
std::string AtPosition(const Position& position);

}  // namespace cairn::partiql
