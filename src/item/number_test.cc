#include "item/number.h"

#include "item/random_item_for_test.h"

namespace cairn::item {
namespace {

Number N(std::string_view text) {
  Result<Number> number = Number::Parse(text);
  EXPECT_TRUE(number.has_value()) << text << ": " << number.error().message;
  return number.value_or(Number());
}

std::string Refusal(const Result<Number>& number) { return number ? "accepted" : number.error().message; }

constexpr char kOverflow[] =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
constexpr char kUnderflow[] =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
constexpr char kTooPrecise[] = "Attempting to store more than 38 significant digits in a Number";

TEST(Number, ParsePrintsCanonically) {
  const std::pair<const char*, const char*> cases[] = {
      {"0", "0"},
      {"-0", "0"},
      {"-0.0E9", "0"},
      {"0e100", "0"},
      {"00042", "42"},
      {"1.0", "1"},
      {"3.1400", "3.14"},
      {"1.5E2", "150"},
      {"+3", "3"},
      {".123", "0.123"},
      {"5.", "5"},
      {"-17e5", "-1700000"},
      {"0001.23", "1.23"},
      {"1e+5", "100000"},
      {"-0.5", "-0.5"},
      {"100", "100"},
      {"1E-7", "0.0000001"},
      {"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
      {"1000000000000000000000000000000000000000000", "1000000000000000000000000000000000000000000"},
      {"0.00000000000000000000000000000000000000000012", "0.00000000000000000000000000000000000000000012"},
      {"340282366920938463463.37460743176821145", "340282366920938463463.37460743176821145"},
  };
  for (const auto& [text, printed] : cases) EXPECT_EQ(N(text).ToString(), printed) << text;
}

TEST(Number, ExtremesPrintAsPlainDigits) {
  EXPECT_EQ(N("9.9999999999999999999999999999999999999E+125").ToString(),
            std::string(38, '9') + std::string(88, '0'));
  EXPECT_EQ(N("1E-130").ToString(), "0." + std::string(129, '0') + "1");
  EXPECT_EQ(N("-1.5E-130").ToString(), "-0." + std::string(129, '0') + "15");
}

TEST(Number, ZeroIsZeroWithinTheRange) {
  for (const char* text : {"0e125", "0.0e126", "0e-130", "-0", "0.000", "00", "0e0"}) {
    EXPECT_EQ(N(text).ToString(), "0") << text;
  }
}

TEST(Number, ParseRefusesWhatIsNoNumber) {
  for (const char* text : {"abc", "NaN", "Infinity", "-", "+", ".", "1e", "1e+", "1.2.3", " 1", "1 ", "0x1",
                           "1_0", "--1", "1e9223372036854775808"}) {
    EXPECT_EQ(Refusal(Number::Parse(text)),
              std::string("The parameter cannot be converted to a numeric value: ") + text);
  }
  EXPECT_EQ(Refusal(Number::Parse("")), "The parameter cannot be converted to a numeric value");
}

TEST(Number, ParseRefusesWhatIsOutOfRange) {
  for (const char* text : {"1E+126", "-1E+126", "11e125", "1e100000000", "1e9223372036854775807", "0e126"}) {
    EXPECT_EQ(Refusal(Number::Parse(text)), kOverflow) << text;
  }
  for (const char* text : {"1E-131", "0.9e-130", "-1e-99999999999999", "0e-131"}) {
    EXPECT_EQ(Refusal(Number::Parse(text)), kUnderflow) << text;
  }
  EXPECT_EQ(Refusal(Number::Parse("123456789012345678901234567890123456789")), kTooPrecise);
  EXPECT_EQ(Refusal(Number::Parse("3.14159265358979323846264338327950288419")), kTooPrecise);
  EXPECT_EQ(Refusal(Number::Parse("1." + std::string(5000, '0') + "1")), kTooPrecise);
}

TEST(Number, TrailingAndLeadingZerosAreNotSignificant) {
  EXPECT_EQ(N("1" + std::string(100, '0')), N("1E100"));
  EXPECT_EQ(N("1." + std::string(5000, '0')), N("1"));
  EXPECT_EQ(N("0." + std::string(100, '0') + "7"), N("7E-101"));
}

TEST(Number, AddIsExact) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"1", "2", "3"},
      {"0.1", "0.2", "0.3"},
      {"-5", "5", "0"},
      {"1", "-3", "-2"},
      {"0", "7", "7"},
      {"7", "0", "7"},
      {"99", "1", "100"},
      {"1E20", "1", "100000000000000000001"},
      {"1E-10", "1E-10", "0.0000000002"},
      {"0.5", "0.5", "1"},
      {"5", "-0.5", "4.5"},
      {"-1E38", "1", "-99999999999999999999999999999999999999"},
      {"99999999999999999999999999999999999999", "1", "100000000000000000000000000000000000000"},
  };
  for (const auto& [a, b, sum] : cases) EXPECT_EQ(Number::Add(N(a), N(b)).value(), N(sum)) << a << " + " << b;
}

TEST(Number, SubtractIsExact) {
  EXPECT_EQ(Number::Subtract(N("10000000000000000000000"), N("1")).value(), N("9999999999999999999999"));
  EXPECT_EQ(Number::Subtract(N("0"), N("1")).value(), N("-1"));
  EXPECT_EQ(Number::Subtract(N("3"), N("0")).value(), N("3"));
}

TEST(Number, SumThatDoesNotFitIsAnOverflow) {
  EXPECT_EQ(Refusal(Number::Add(N("9e125"), N("9e125"))), kOverflow);
  EXPECT_EQ(Refusal(Number::Add(N("1e50"), N("1"))), kOverflow);
  EXPECT_EQ(Refusal(Number::Subtract(N("1e50"), N("1"))), kOverflow);
  EXPECT_EQ(Refusal(Number::Add(N("1e38"), N("1"))), kOverflow);
  EXPECT_EQ(Refusal(Number::Subtract(N("2e38"), N("1"))), kOverflow);
  EXPECT_EQ(Refusal(Number::Add(N("99999999999999999999999999999999999999"), N("2"))), kOverflow);
  EXPECT_EQ(Refusal(Number::Subtract(N("1.1E-130"), N("1E-130"))), kUnderflow);
}

TEST(Number, IntegersConvertBothWays) {
  for (const int64_t value :
       {int64_t{0}, int64_t{1}, int64_t{-10}, int64_t{123456000}, INT64_MAX, INT64_MIN}) {
    EXPECT_EQ(Number(value).ToInteger(), value);
    EXPECT_EQ(Number(value), N(std::to_string(value)));
  }
  for (const char* text : {"0.5", "9223372036854775808", "-9223372036854775809", "1E20", "1E125"}) {
    EXPECT_EQ(N(text).ToInteger(), std::nullopt) << text;
  }
}

TEST(Number, StoredBytesCountPairsOfDigits) {
  const std::pair<const char*, size_t> cases[] = {
      {"0", 1},  {"1", 2},   {"12", 2},  {"123", 3},  {"100", 2},
      {"-1", 3}, {"-12", 3}, {"1.2", 3}, {"0.12", 2}, {"12345678901234567890123456789012345678", 20}};
  for (const auto& [text, bytes] : cases) EXPECT_EQ(N(text).StoredBytes(), bytes) << text;
}

TEST(Number, OrderedBytesOrderLikeNumbers) {
  const uint64_t seed = TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomItems random(seed);
  std::vector<Number> numbers = {N("0"),
                                 N("1E-130"),
                                 N("-1E-130"),
                                 N("9.9999999999999999999999999999999999999E125"),
                                 N("-9.9999999999999999999999999999999999999E125"),
                                 N("1E125"),
                                 N("-1E125")};
  for (int i = 0; i < 600; ++i) numbers.push_back(random.RandomNumber());
  std::vector<std::string> bytes;
  for (const Number& number : numbers) number.AppendOrderedTo(bytes.emplace_back());
  for (size_t i = 0; i < numbers.size(); ++i) {
    for (size_t j = 0; j < numbers.size(); ++j) {
      ASSERT_EQ(numbers[i] <=> numbers[j], bytes[i] <=> bytes[j])
          << numbers[i].ToString() << " " << numbers[j].ToString();
      ASSERT_TRUE(i == j || numbers[i] == numbers[j] || !bytes[j].starts_with(bytes[i]))
          << "not self-delimiting";
    }
  }
}

TEST(Number, ComparisonAgreesWithSubtraction) {
  const uint64_t seed = TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomItems random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const Number a = random.RandomNumber();
    const Number b = random.RandomNumber();
    const Result<Number> difference = Number::Subtract(a, b);
    if (!difference) continue;  // not exact in 38 digits
    ASSERT_EQ(a <=> b, *difference <=> Number()) << a.ToString() << " " << b.ToString();
    const Result<Number> back = Number::Add(*difference, b);
    ASSERT_TRUE(back.has_value());
    ASSERT_EQ(*back, a);
    ASSERT_EQ(N(a.ToString()), a);
  }
}

}  // namespace
}  // namespace cairn::item
