#include "item/number.h"

#include <array>
#include <bit>
#include <charconv>

namespace cairn::item {
namespace {

__extension__ typedef unsigned __int128 Wide;  // __extension__: ISO C++ has no 128-bit integer

constexpr int kMagnitudeMax = 125;     // of the first digit: 9.9E+125 is the largest
constexpr int kMagnitudeMin = -130;    // 1E-130 is the smallest
constexpr int kExponentCap = 100'000;  // an exponent beyond this is out of range whatever the digits are

constexpr auto kPowersOfTen = [] {
  std::array<Wide, 39> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

int BitCount(Wide value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<uint64_t>(value));
}

int CountDigits(Wide value) {
  if (value == 0) return 0;
  const int estimate = BitCount(value) * 1233 >> 12;  // log10(2) is about 1233/4096; at most one too low
  if (estimate >= static_cast<int>(kPowersOfTen.size())) return estimate;
  return estimate + (value >= kPowersOfTen[estimate] ? 1 : 0);
}

// Decimal digits of `value` into `out` (39 are enough for 128 bits); returns how many.
int WriteDigits(Wide value, char* out) {
  constexpr uint64_t kTenTo19 = 10'000'000'000'000'000'000u;
  if (value >> 64 == 0)
    return static_cast<int>(std::to_chars(out, out + 20, static_cast<uint64_t>(value)).ptr - out);
  char low[20];
  const int high_count = WriteDigits(value / kTenTo19, out);
  const auto low_end = std::to_chars(low, low + sizeof low, static_cast<uint64_t>(value % kTenTo19)).ptr;
  const auto low_count = low_end - low;
  std::fill_n(out + high_count, 19 - low_count, '0');
  std::copy(low, low_end, out + high_count + 19 - low_count);
  return high_count + 19;
}

std::unexpected<Error> NotNumeric(std::string_view text) {
  std::string message = "The parameter cannot be converted to a numeric value";
  if (!text.empty()) message.append(": ").append(text);
  return Fail(Invalid(std::move(message)));
}
std::unexpected<Error> Overflow() {
  return Fail(
      Invalid("Number overflow. Attempting to store a number with magnitude larger than supported range"));
}
std::unexpected<Error> Underflow() {
  return Fail(
      Invalid("Number underflow. Attempting to store a number with magnitude smaller than supported range"));
}
std::unexpected<Error> TooPrecise() {
  return Fail(Invalid("Attempting to store more than 38 significant digits in a Number"));
}

// Collects digits as they come. Zeros are held back until another digit follows, so that neither leading nor
// trailing zeros count as significant.
struct DigitCollector {
  Wide coefficient = 0;
  int64_t significant = 0;  // digits in the coefficient
  int64_t held_zeros = 0;   // zeros seen since the last other digit

  void Add(int digit) {
    if (digit == 0) {
      if (significant > 0) ++held_zeros;
      return;
    }
    significant += held_zeros + 1;
    if (significant <= Number::kDigitsMax) {
      coefficient =
          coefficient * kPowersOfTen[static_cast<size_t>(held_zeros) + 1] + static_cast<unsigned>(digit);
    }
    held_zeros = 0;
  }
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// [eE][+-]digits up to the end of the text; nothing if it is not that.
std::optional<int> ParseExponent(const char* p, const char* end) {
  bool negative = false;
  if (p != end && (*p == '+' || *p == '-')) negative = *p++ == '-';
  if (p == end) return std::nullopt;
  int64_t exponent = 0;
  for (; p != end; ++p) {
    if (!IsDigit(*p)) return std::nullopt;
    const int digit = *p - '0';
    if (exponent > (INT64_MAX - digit) / 10) return std::nullopt;  // no number for DynamoDB either
    exponent = exponent * 10 + digit;
  }
  const auto capped = static_cast<int>(std::min<int64_t>(exponent, kExponentCap));
  return negative ? -capped : capped;
}

// The base-100 digits DynamoDB stores: pairs of decimal digits aligned to an even power of ten.
struct PairedDigits {
  std::array<uint8_t, 20> pairs;
  int count = 0;
  int exponent = 0;  // value = 0.pairs * 100^exponent
};

PairedDigits PairDigits(Wide coefficient, int digit_count, int first_digit_power) {
  char digits[44];
  WriteDigits(coefficient, digits + 1);
  const int point = first_digit_power + 1;  // value = 0.digits * 10^point
  const bool pad = (point & 1) != 0;
  const char* first = digits + (pad ? 0 : 1);
  if (pad) digits[0] = '0';
  digits[digit_count + 1] = '0';  // completes the last pair
  PairedDigits result;
  result.exponent = (point + (pad ? 1 : 0)) / 2;
  result.count = (digit_count + (pad ? 2 : 1)) / 2;
  for (int i = 0; i < result.count; ++i) {
    result.pairs[static_cast<size_t>(i)] =
        static_cast<uint8_t>((first[2 * i] - '0') * 10 + (first[2 * i + 1] - '0'));
  }
  return result;
}

}  // namespace

Number::Number(int64_t value) {
  if (value == 0) return;
  negative_ = value < 0;
  low_ = negative_ ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  for (; low_ % 10 == 0; low_ /= 10) ++exponent_;
}

int Number::DigitCount() const { return CountDigits(coefficient()); }

Result<Number> Number::Make(bool negative, Coefficient coefficient, int exponent) {
  Number number;
  if (coefficient == 0) return number;
  while (coefficient % 10 == 0) {
    coefficient /= 10;
    ++exponent;
  }
  const int digits = CountDigits(coefficient);
  const int magnitude = exponent + digits - 1;
  if (magnitude > kMagnitudeMax) return Overflow();
  if (magnitude < kMagnitudeMin) return Underflow();
  if (digits > kDigitsMax) return TooPrecise();
  number.high_ = static_cast<uint64_t>(coefficient >> 64);
  number.low_ = static_cast<uint64_t>(coefficient);
  number.exponent_ = static_cast<int16_t>(exponent);
  number.negative_ = negative;
  return number;
}

Result<Number> Number::Parse(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  Number number;
  if (p != end && (*p == '-' || *p == '+')) number.negative_ = *p++ == '-';

  DigitCollector digits;
  const char* const start = p;
  for (; p != end && IsDigit(*p); ++p) digits.Add(*p - '0');
  int64_t seen = p - start;
  int64_t fraction = 0;
  if (p != end && *p == '.') {
    const char* const after_point = ++p;
    for (; p != end && IsDigit(*p); ++p) digits.Add(*p - '0');
    fraction = p - after_point;
    seen += fraction;
  }
  if (seen == 0) return NotNumeric(text);
  int exponent = 0;
  if (p != end) {
    const auto parsed = *p == 'e' || *p == 'E' ? ParseExponent(p + 1, end) : std::nullopt;
    if (!parsed) return NotNumeric(text);
    exponent = *parsed;
  }
  if (digits.significant == 0) {
    // DynamoDB holds zero to the range, too, by the exponent it is written with: 0e126 is too large, 0.0e126
    // is not.
    if (exponent - fraction > kMagnitudeMax) return Overflow();
    if (exponent != 0 && exponent - fraction < kMagnitudeMin) return Underflow();
    return Number();
  }

  const int64_t scale = exponent + digits.held_zeros - fraction;
  const int64_t magnitude = scale + digits.significant - 1;
  if (magnitude > kMagnitudeMax) return Overflow();
  if (magnitude < kMagnitudeMin) return Underflow();
  if (digits.significant > kDigitsMax) return TooPrecise();
  number.high_ = static_cast<uint64_t>(digits.coefficient >> 64);
  number.low_ = static_cast<uint64_t>(digits.coefficient);
  number.exponent_ = static_cast<int16_t>(scale);
  return number;
}

Result<Number> Number::Add(const Number& a, const Number& b) {
  if (a.coefficient() == 0) return b;
  if (b.coefficient() == 0) return a;
  const Number& coarse = a.exponent_ >= b.exponent_ ? a : b;
  const Number& fine = a.exponent_ >= b.exponent_ ? b : a;
  const int shift = coarse.exponent_ - fine.exponent_;
  const int digits = coarse.DigitCount() + shift;
  // With a shift the last digit of the exact result is not zero, so nothing can be stripped from it. Only a
  // difference such as 1E38 - 1 comes back from 39 digits to 38, and then its larger part is below 2E38.
  const bool same_sign = coarse.negative_ == fine.negative_;
  const Coefficient leading = coarse.coefficient();
  const bool too_wide = digits > kDigitsMax + 1 || (digits == kDigitsMax + 1 && shift > 0 &&
                                                    (same_sign || leading >= 2 * kPowersOfTen[38 - shift]));
  // DynamoDB calls a sum that is too precise an overflow as well.
  if (too_wide) return Overflow();
  const Coefficient wide = leading * kPowersOfTen[static_cast<size_t>(shift)];
  const Coefficient narrow = fine.coefficient();
  Result<Number> sum = same_sign        ? Make(coarse.negative_, wide + narrow, fine.exponent_)
                       : wide >= narrow ? Make(coarse.negative_, wide - narrow, fine.exponent_)
                                        : Make(fine.negative_, narrow - wide, fine.exponent_);
  if (!sum && sum.error().message.starts_with("Attempting")) return Overflow();
  return sum;
}

Result<Number> Number::Subtract(const Number& a, const Number& b) {
  Number negated = b;
  if (negated.coefficient() != 0) negated.negative_ = !negated.negative_;
  return Add(a, negated);
}

std::string Number::ToString() const {
  std::string out;
  AppendTo(out);
  return out;
}

void Number::AppendTo(std::string& out) const {
  if (coefficient() == 0) {
    out += '0';
    return;
  }
  if (negative_) out += '-';
  char digits[40];
  const int count = WriteDigits(coefficient(), digits);
  const int whole = count + exponent_;  // digits before the point
  if (exponent_ >= 0) {
    out.append(digits, static_cast<size_t>(count));
    out.append(static_cast<size_t>(exponent_), '0');
  } else if (whole > 0) {
    out.append(digits, static_cast<size_t>(whole));
    out += '.';
    out.append(digits + whole, static_cast<size_t>(count - whole));
  } else {
    out += "0.";
    out.append(static_cast<size_t>(-whole), '0');
    out.append(digits, static_cast<size_t>(count));
  }
}

std::optional<int64_t> Number::ToInteger() const {
  if (exponent_ < 0 || high_ != 0 || exponent_ > 18) return std::nullopt;
  const Coefficient magnitude = coefficient() * kPowersOfTen[static_cast<size_t>(exponent_)];
  const Coefficient limit = static_cast<Coefficient>(INT64_MAX) + (negative_ ? 1 : 0);
  if (magnitude > limit) return std::nullopt;
  const auto bits = static_cast<uint64_t>(magnitude);
  return static_cast<int64_t>(negative_ ? 0 - bits : bits);
}

// Lead byte: sign and base-100 exponent (-64 to 63), 0x80 and up for positive numbers, mirrored below for
// negative ones. Then each pair of digits as 1 to 100 (negative: 101 to 2), then a byte below (negative:
// above) every pair. Zero is the smallest positive exponent without pairs.
void Number::AppendOrderedTo(std::string& out) const {
  if (coefficient() == 0) {
    out.append("\x80\0", 2);
    return;
  }
  const int digit_count = DigitCount();
  const PairedDigits paired = PairDigits(coefficient(), digit_count, exponent_ + digit_count - 1);
  const auto lead = static_cast<uint8_t>(0xc0 + paired.exponent);
  char bytes[22];
  char* p = bytes;
  *p++ = static_cast<char>(negative_ ? ~lead : lead);
  for (int i = 0; i < paired.count; ++i) {
    const uint8_t pair = paired.pairs[static_cast<size_t>(i)];
    *p++ = static_cast<char>(negative_ ? 101 - pair : pair + 1);
  }
  *p++ = negative_ ? 102 : 0;
  out.append(bytes, p);
}

size_t Number::StoredBytes() const {
  if (coefficient() == 0) return 1;
  const int digit_count = DigitCount();
  const int point = exponent_ + digit_count;
  const int pairs = (digit_count + ((point & 1) != 0 ? 2 : 1)) / 2;
  return static_cast<size_t>(1 + pairs + (negative_ ? 1 : 0));
}

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  const auto a_digits = a.coefficient();
  const auto b_digits = b.coefficient();
  const int a_sign = a_digits == 0 ? 0 : a.negative_ ? -1 : 1;
  const int b_sign = b_digits == 0 ? 0 : b.negative_ ? -1 : 1;
  if (a_sign != b_sign) return a_sign <=> b_sign;
  if (a_sign == 0) return std::strong_ordering::equal;
  const int a_count = CountDigits(a_digits);
  const int b_count = CountDigits(b_digits);
  std::strong_ordering magnitude = a_count + a.exponent_ <=> b_count + b.exponent_;
  if (magnitude == 0) {
    const auto a_scaled =
        a_count < b_count ? a_digits * kPowersOfTen[static_cast<size_t>(b_count - a_count)] : a_digits;
    const auto b_scaled =
        b_count < a_count ? b_digits * kPowersOfTen[static_cast<size_t>(a_count - b_count)] : b_digits;
    magnitude = a_scaled < b_scaled   ? std::strong_ordering::less
                : a_scaled > b_scaled ? std::strong_ordering::greater
                                      : std::strong_ordering::equal;
  }
  return a_sign > 0 ? magnitude : 0 <=> magnitude;
}

}  // namespace cairn::item
