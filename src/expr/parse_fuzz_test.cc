// Texts that nobody would write: the parsers answer every one of them with a tree or a validation error, and
// what they accept can be evaluated, applied and printed.
#include <gtest/gtest.h>

#include "expr/expression_for_test.h"
#include "expr/print.h"
#include "expr/same_tree.h"
#include "item/random_item_for_test.h"

namespace cairn::expr {
namespace {

constexpr int kRounds = 5'000;

class ParseFuzz : public testing::Test {
 protected:
  void Try(std::string_view text) {
    SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed_) + " text: " + std::string(text));
    Placeholders placeholders = placeholders_;
    const Result<ConditionPtr> condition = ParseCondition("FilterExpression", text, placeholders);
    CheckError(condition, "Invalid FilterExpression: ");
    if (condition) {
      ++accepted_;
      EvaluateCondition(**condition, item_);
      Placeholders printed;
      const std::string again = PrintCondition(**condition, printed);
      const Result<ConditionPtr> reread = ParseCondition("FilterExpression", again, printed);
      ASSERT_TRUE(reread.has_value() && SameTree(**condition, **reread)) << again;
    }
    const Result<Update> update = ParseUpdate(text, placeholders);
    CheckError(update, "Invalid UpdateExpression: ");
    if (update) {
      ++accepted_;
      (void)ApplyUpdate(*update, item_);
    }
    const Result<Projection> projection = ParseProjection(text, placeholders);
    CheckError(projection, "Invalid ProjectionExpression: ");
    if (projection) Project(*projection, item_);
    (void)ParseKeyCondition(text, placeholders);
  }

  template <class T>
  void CheckError(const Result<T>& result, std::string_view prefix) {
    if (result) return;
    EXPECT_EQ(result.error().code, Code::kInvalidArgument);
    EXPECT_TRUE(result.error().message.starts_with(prefix)) << result.error().message;
  }

  const uint64_t seed_ = item::TestSeed();
  item::RandomItems random_{seed_};
  const item::Item item_ =
      ItemOf(R"({"a": {"N": "1"}, "b": {"M": {"a": {"SS": ["x"]}}}, "c": {"L": [{"N": "2"}]}})");
  const Placeholders placeholders_ =
      Given({{"#a", "a"}, {"#b", "b"}},
            R"({":n": {"N": "1"}, ":s": {"S": "x"}, ":l": {"L": []}, ":ss": {"SS": ["x"]}})");
  int accepted_ = 0;
};

TEST_F(ParseFuzz, RandomBytes) {
  for (int round = 0; round < kRounds; ++round) {
    std::string text;
    for (uint64_t size = random_.Below(40); size > 0; --size) text += static_cast<char>(random_.Below(256));
    Try(text);
    if (HasFatalFailure()) return;
  }
}

TEST_F(ParseFuzz, RandomTokens) {
  static constexpr auto kTokens = std::to_array<std::string_view>({"a",
                                                                   "b",
                                                                   "c",
                                                                   "#a",
                                                                   "#b",
                                                                   "#x",
                                                                   ":n",
                                                                   ":s",
                                                                   ":l",
                                                                   ":ss",
                                                                   ":x",
                                                                   "(",
                                                                   "(",
                                                                   ")",
                                                                   ")",
                                                                   "[",
                                                                   "]",
                                                                   "[0]",
                                                                   ".",
                                                                   ",",
                                                                   "=",
                                                                   "<>",
                                                                   "<",
                                                                   "<=",
                                                                   ">",
                                                                   ">=",
                                                                   "+",
                                                                   "-",
                                                                   "AND",
                                                                   "OR",
                                                                   "NOT",
                                                                   "BETWEEN",
                                                                   "IN",
                                                                   "SET",
                                                                   "REMOVE",
                                                                   "ADD",
                                                                   "DELETE",
                                                                   "size",
                                                                   "contains",
                                                                   "begins_with",
                                                                   "attribute_exists",
                                                                   "attribute_type",
                                                                   "if_not_exists",
                                                                   "list_append",
                                                                   "status",
                                                                   "7",
                                                                   "!",
                                                                   "\xc3\xa9"});
  for (int round = 0; round < kRounds; ++round) {
    std::string text;
    for (uint64_t size = 1 + random_.Below(14); size > 0; --size) {
      text += kTokens[random_.Below(kTokens.size())];
      if (random_.Below(3) > 0) text += ' ';
    }
    Try(text);
    if (HasFatalFailure()) return;
  }
}

// Texts one slip away from a good one: most of the interesting rules lie there.
TEST_F(ParseFuzz, DamagedExpressions) {
  static constexpr auto kGood = std::to_array<std::string_view>(
      {"#a = :n AND (b.a <> :s OR NOT size(c[0]) > :n)", "a BETWEEN :n AND :n AND b IN (:s, :n, c)",
       "attribute_exists(b.a) AND begins_with(c, :s) OR contains(b.a, :s)",
       "SET a = a + :n, c[1] = if_not_exists(#b, :s), b.q = list_append(c, :l) REMOVE c[0] ADD d :n DELETE "
       "b.a :ss",
       "a, b.a, c[0]"});
  for (int round = 0; round < kRounds; ++round) {
    std::string text(kGood[random_.Below(kGood.size())]);
    for (uint64_t slips = random_.Below(3); slips > 0 && !text.empty(); --slips) {
      const size_t position = random_.Below(text.size());
      switch (random_.Below(3)) {
        case 0:
          text.erase(position, 1 + random_.Below(4));
          break;
        case 1:
          text.insert(position, 1, "()[].,:#=<>+- ab0"[random_.Below(17)]);
          break;
        default:
          text.insert(position, text.substr(random_.Below(text.size()), random_.Below(12)));
      }
    }
    Try(text);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(accepted_, kRounds / 10);
}

}  // namespace
}  // namespace cairn::expr
