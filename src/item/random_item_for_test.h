// Random numbers, values and items for property tests. The seed comes from CAIRN_TEST_SEED or the clock and
// is printed by the test (SCOPED_TRACE), so that a failure can be replayed.
#pragma once

#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "item/attribute_value.h"

namespace cairn::item {

inline uint64_t TestSeed() {
  if (const char* given = std::getenv("CAIRN_TEST_SEED")) return std::strtoull(given, nullptr, 10);
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

class RandomItems {
 public:
  explicit RandomItems(uint64_t seed) : engine_(seed) {}

  uint64_t Below(uint64_t bound) { return engine_() % bound; }

  // Numbers of all magnitudes, often close to each other.
  std::string NumberText() {
    if (Below(20) == 0) return "0";
    std::string text = Below(2) == 0 ? "-" : "";
    const uint64_t digits = Below(4) == 0 ? 38 : 1 + Below(5);
    text += static_cast<char>('1' + Below(9));
    for (uint64_t i = 1; i < digits; ++i) text += static_cast<char>('0' + (Below(3) == 0 ? 0 : Below(10)));
    // The first digit stands at 10^power, which keeps the number in range.
    const int64_t power =
        Below(3) == 0 ? static_cast<int64_t>(Below(256)) - 130 : static_cast<int64_t>(Below(5)) - 2;
    return text + "E" + std::to_string(power - static_cast<int64_t>(digits) + 1);
  }
  Number RandomNumber() { return Number::Parse(NumberText()).value(); }

  std::string Text(size_t bytes_max) {
    static constexpr std::string_view kAlphabet("ab\0\xff\"\\\n\x01z", 9);
    std::string text;
    for (uint64_t size = Below(bytes_max + 1); size > 0; --size) text += kAlphabet[Below(kAlphabet.size())];
    return text;
  }

  AttributeValue Value(int depth_left) {
    switch (Below(depth_left > 0 ? 10 : 8)) {
      case 0:
        return Utf8();
      case 1:
        return RandomNumber();
      case 2:
        return Binary{Text(40)};
      case 3:
        return AttributeValue(Below(2) == 0);
      case 4:
        return Null{};
      case 5:
        return StringSet{{Utf8(), Utf8(), "x"}};
      case 6:
        return NumberSet{{RandomNumber(), RandomNumber()}};
      case 7:
        return BinarySet{{Text(5), Text(5)}};
      case 8:
        return RandomItem(depth_left - 1);
      default: {
        List list;
        for (uint64_t size = Below(4); size > 0; --size) list.push_back(Value(depth_left - 1));
        return list;
      }
    }
  }

  Item RandomItem(int depth_left) {
    Item item;
    for (uint64_t size = Below(8); size > 0; --size)
      item.Set("n" + Utf8(), Value(depth_left));  // a name is never empty
    return item;
  }

 private:
  // JSON carries only UTF-8.
  std::string Utf8() {
    static const std::vector<std::string> kPieces = {
        "a", "b", "Z", "\"", "\\", "\n", "\x01", "\xc3\xa9", "\xf0\x9f\x8c\x8a"};
    std::string text;
    for (uint64_t size = Below(12); size > 0; --size) text += kPieces[Below(kPieces.size())];
    return text;
  }

  std::mt19937_64 engine_;
};

}  // namespace cairn::item
