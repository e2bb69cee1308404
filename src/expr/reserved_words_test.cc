#include "expr/reserved_words.h"

#include <gtest/gtest.h>

namespace cairn::expr {
namespace {

TEST(ReservedWords, KnownInAnyCase) {
  for (const std::string_view word : {"ABORT", "abort", "Status", "name", "DATA", "zone", "ITEMS", "count",
                                      "ttl", "year", "authorization", "AND", "Attribute"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
}

TEST(ReservedWords, OtherWordsAreFree) {
  for (const std::string_view word :
       {"", "pk", "sk", "ABORTS", "abor", "statu", "zones", "a", "score", "tags", "_name", "9",
        "averyveryverylongattributename", "ABORTABORTABORT"}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
}

}  // namespace
}  // namespace cairn::expr
