// Number: DynamoDB's number. Exact for 38 significant digits, magnitude 1E-130 to 9.99...E+125, and zero.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cairn::item {

class Number {
 public:
  static constexpr int kDigitsMax = 38;

  Number() = default;  // zero
  explicit Number(int64_t value);

  // Accepts what DynamoDB accepts: sign, digits, point, exponent. Fails with DynamoDB's own message when the
  // text is no number, has more than 38 significant digits, or lies outside the range.
  static Result<Number> Parse(std::string_view text);

  // Exact sums. Fail like Parse when the result needs more than 38 digits or leaves the range.
  static Result<Number> Add(const Number& a, const Number& b);
  static Result<Number> Subtract(const Number& a, const Number& b);

  // Plain decimal text without exponent, as DynamoDB prints it: "-0.5", "100".
  std::string ToString() const;
  void AppendTo(std::string& out) const;

  // The value when it is a whole number that fits, else nothing.
  std::optional<int64_t> ToInteger() const;

  // Bytes that memcmp orders like the numbers, and whose end can be found without a length.
  void AppendOrderedTo(std::string& out) const;

  // Size as DynamoDB counts it: about one byte per two significant digits, plus one.
  size_t StoredBytes() const;

  friend bool operator==(const Number& a, const Number& b) = default;
  friend std::strong_ordering operator<=>(const Number& a, const Number& b);

 private:
  __extension__ typedef unsigned __int128 Coefficient;  // __extension__: ISO C++ has no 128-bit integer
  static Result<Number> Make(bool negative, Coefficient coefficient, int exponent);
  Coefficient coefficient() const { return (static_cast<Coefficient>(high_) << 64) | low_; }
  int DigitCount() const;

  // value = (negative_ ? -1 : 1) * coefficient * 10^exponent_. The coefficient has no trailing zero; zero is
  // coefficient 0, exponent 0, not negative. Split in two words to keep the alignment at 8.
  uint64_t high_ = 0;
  uint64_t low_ = 0;
  int16_t exponent_ = 0;
  bool negative_ = false;
};

}  // namespace cairn::item
