// ParseDuration of model/value_type.h.
#include <array>

#include "base/temporal_text.h"
#include "model/value_type.h"

namespace cairn::model {
namespace {

struct Unit {
  char letter;
  bool of_clock;  // stands behind the T
  int64_t seconds;
};

// In the order in which they are written.
constexpr std::array kUnits{Unit{'W', false, 7 * 86400}, Unit{'D', false, 86400}, Unit{'H', true, 3600},
                            Unit{'M', true, 60}, Unit{'S', true, 1}};
constexpr int64_t kSecondsMax = int64_t{10000} * 366 * 86400;

Error Wrong(std::string_view text, std::string_view why) {
  return Invalid("must be a duration such as P31D, PT45M or P1W, not '" + std::string(text.substr(0, 40)) +
                 "': " + std::string(why));
}

}  // namespace

Result<std::chrono::seconds> ParseDuration(std::string_view text) {
  if (!text.starts_with('P')) return Fail(Wrong(text, "it begins with P"));
  std::string_view rest = text.substr(1);
  int64_t total = 0;
  size_t next_unit = 0;
  bool of_clock = false;
  if (rest.empty()) return Fail(Wrong(text, "nothing follows the P"));
  while (!rest.empty()) {
    if (rest[0] == 'T' && !of_clock) {
      of_clock = true;
      rest.remove_prefix(1);
      if (rest.empty()) return Fail(Wrong(text, "nothing follows the T"));
    }
    const size_t digits = rest.find_first_not_of("0123456789");
    if (digits == 0) return Fail(Wrong(text, "a number is missing"));
    if (digits == std::string_view::npos) return Fail(Wrong(text, "a unit is missing at the end"));
    const char letter = rest[digits];
    if (letter == 'Y' || (letter == 'M' && !of_clock)) {
      return Fail(Wrong(text, "years and months have no fixed length, use days"));
    }
    while (next_unit < kUnits.size() &&
           (kUnits[next_unit].letter != letter || kUnits[next_unit].of_clock != of_clock)) {
      ++next_unit;
    }
    if (next_unit == kUnits.size()) {
      return Fail(Wrong(text, "expected W, D, then T and H, M, S, each at most once and in this order"));
    }
    const auto count = ReadDigits(rest.substr(0, digits));
    if (!count || *count > kSecondsMax || total + *count * kUnits[next_unit].seconds > kSecondsMax) {
      return Fail(Wrong(text, "it is too long"));
    }
    total += *count * kUnits[next_unit].seconds;
    ++next_unit;
    rest.remove_prefix(digits + 1);
  }
  return std::chrono::seconds(total);
}

}  // namespace cairn::model
