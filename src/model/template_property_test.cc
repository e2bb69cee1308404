// Templates over random types and values: order, inversion, injectivity, refusal; and arbitrary bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <random>
#include <span>

#include "item/random_item_for_test.h"
#include "model/definition.h"

namespace cairn::model {
namespace {

using item::AttributeValue;
using item::Item;
using item::Number;

constexpr int kRounds = 3000;

const Enum kStatus{.name = "Status", .values = {"BACKLOG", "DOING", "DONE", "DONE_X", "TODO"}};

// One kind of placeholder that keeps the order of its values.
struct Column {
  std::string_view type;
  std::string_view format;
};
constexpr std::array kColumns{
    Column{"id", ""},
    Column{"ulid", ""},
    Column{"uuid", ""},
    Column{"date", ""},
    Column{"instant", ""},
    Column{"instant_ms", ""},
    Column{"epoch_s", ":012d"},
    Column{"int", ":06d"},
    Column{"bool", ":01"},
    Column{"enum:Status", ""},
    Column{"slug", ""},
    Column{"date", ":yyyyMMdd"},
    Column{"instant", ":epoch_ms"},
    Column{"instant_ms", ":epoch_ms"},
    Column{"epoch_s", ":epoch_ms"},
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : engine_(seed) {}

  uint64_t Below(uint64_t bound) { return engine_() % bound; }

  std::string Text(std::string_view alphabet, size_t size) {
    std::string text;
    while (text.size() < size) text += alphabet[Below(alphabet.size())];
    return text;
  }

  // Values that are often equal, or prefixes of each other.
  AttributeValue Value(const ValueType& type) {
    switch (type.kind) {
      case Kind::kId:
        return Text("$%-.09AZaz~", 1 + Below(3));
      case Kind::kUlid:
        return "01ARZ3NDEKTSV4RRFFQ69G5F" + Text("0Z", 2);
      case Kind::kUuid:
        return "9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e" + Text("0f", 2);
      case Kind::kInt:
        return Number(static_cast<int64_t>(Below(2) == 0 ? Below(12) : Below(1000000)));
      case Kind::kBool:
        return AttributeValue(Below(2) == 0);
      case Kind::kEnum:
        return kStatus.values[Below(kStatus.values.size())];
      case Kind::kSlug:
        return Text("ab0", 1 + Below(2)) + (Below(2) == 0 ? "-" + Text("ab", 1) : "");
      default:
        return TimeValue(type.kind, RandomTime());
    }
  }

 private:
  Time RandomTime() {
    constexpr int64_t kMilliseconds2100 = 4'102'444'800'000;
    const auto base = static_cast<int64_t>(Below(3) == 0 ? Below(kMilliseconds2100) : 1'794'771'750'000);
    return Time(std::chrono::milliseconds(base + static_cast<int64_t>(Below(5)) * 1000 +
                                          static_cast<int64_t>(Below(3))));
  }

  std::mt19937_64 engine_;
};

struct RandomTemplate {
  Template key;
  std::vector<std::string> names;
  std::vector<ValueType> types;

  Item Values(Generator& generator) const {
    Item values;
    for (size_t i = 0; i < names.size(); ++i) values.Set(names[i], generator.Value(types[i]));
    return values;
  }
};

RandomTemplate MakeTemplate(Generator& generator) {
  RandomTemplate made;
  std::string text = generator.Below(2) == 0 ? "TASK#" : "";
  const size_t columns = 1 + generator.Below(4);
  std::vector<ValueType> types;
  for (size_t i = 0; i < columns; ++i) {
    const Column& column = kColumns[generator.Below(kColumns.size())];
    made.names.push_back("a" + std::to_string(i));
    made.types.push_back(ParseValueType(column.type).value());
    if (made.types.back().kind == Kind::kEnum) made.types.back().enumeration = &kStatus;
    text += "{" + made.names.back() + std::string(column.format) + "}";
    if (i + 1 < columns) text += generator.Below(4) == 0 ? "#X#" : "#";
  }
  made.key = Template::Parse(text).value();
  const auto bound = made.key.Bind([&](const TemplatePart& part) -> Result<Template::Target> {
    return Template::Target{.type = made.types[static_cast<size_t>(part.attribute[1] - '0')]};
  });
  EXPECT_TRUE(bound) << bound.error().message;
  EXPECT_TRUE(made.key.CheckInvertible()) << text;
  return made;
}

std::strong_ordering CompareValues(const AttributeValue& a, const AttributeValue& b) {
  if (a.is(item::Type::kNumber)) return a.number() <=> b.number();
  if (a.is(item::Type::kBoolean)) return a.boolean() <=> b.boolean();
  return a.string().compare(b.string()) <=> 0;
}

std::strong_ordering CompareTuples(const RandomTemplate& made, const Item& a, const Item& b) {
  for (const std::string& name : made.names) {
    const auto order = CompareValues(*a.Find(name), *b.Find(name));
    if (order != 0) return order;
  }
  return std::strong_ordering::equal;
}

TEST(TemplateProperty, KeyOrderIsValueOrderAndKeysAreInvertible) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  Generator generator(seed);
  for (int round = 0; round < kRounds; ++round) {
    const RandomTemplate made = MakeTemplate(generator);
    const Item x = made.Values(generator), y = made.Values(generator);
    const auto key_x = made.key.Build(x), key_y = made.key.Build(y);
    ASSERT_TRUE(key_x && key_y) << made.key.text();
    const auto key_order = key_x->compare(*key_y) <=> 0;
    ASSERT_EQ(key_order, CompareTuples(made, x, y)) << made.key.text() << "\n" << *key_x << "\n" << *key_y;
    Item read;
    ASSERT_TRUE(made.key.Match(*key_x, read)) << made.key.text() << " " << *key_x;
    ASSERT_EQ(read, x) << made.key.text() << " " << *key_x;
    ASSERT_TRUE(made.key.AlignKey(made.key)) << made.key.text();
    ASSERT_TRUE(made.key.Overlaps(made.key)) << made.key.text();
    ASSERT_EQ(made.key.Match(*key_x, read), true) << "known values agree";
    ASSERT_EQ(made.key.Match(*key_y, read), *key_x == *key_y) << "other values contradict";
  }
}

TEST(TemplateProperty, TwoTemplatesThatMatchOneKeyOverlap) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  Generator generator(seed);
  for (int round = 0; round < kRounds; ++round) {
    const RandomTemplate a = MakeTemplate(generator), b = MakeTemplate(generator);
    const std::string key = a.key.Build(a.Values(generator)).value();
    Item ignored;
    if (b.key.Match(key, ignored)) {
      ASSERT_TRUE(a.key.Overlaps(b.key)) << a.key.text() << " " << b.key.text() << " " << key;
    }
  }
}

TEST(TemplateProperty, DelimitersAndControlCharactersNeverGetThrough) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  Generator generator(seed);
  constexpr std::string_view kTypes[] = {"string",    "id",      "email", "slug", "ref:X",
                                         "enum:Open", "iana_tz", "uuid",  "ulid"};
  const std::string alphabet("a#b\n\x7f\0@.%\x1f", 10);
  for (int round = 0; round < kRounds; ++round) {
    const std::string_view type = kTypes[generator.Below(std::size(kTypes))];
    const bool escape = generator.Below(2) == 0;
    Template key = Template::Parse("K#{a}#{b}").value();
    ASSERT_TRUE(key.Bind([&](const TemplatePart& part) -> Result<Template::Target> {
      return Template::Target{.type = ParseValueType(part.attribute == "a" ? type : "string").value(),
                              .escape = escape ? Escape::kPercent : Escape::kRefuse};
    }));
    const Item values{{"a", generator.Text(alphabet, generator.Below(8))},
                      {"b", generator.Text(alphabet, 1 + generator.Below(3))}};
    const auto built = key.Build(values);
    if (!built) continue;
    ASSERT_EQ(std::ranges::count(*built, '#'), 2) << *built;
    ASSERT_TRUE(std::ranges::none_of(*built, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }));
    Item read;
    ASSERT_TRUE(key.Match(*built, read)) << *built;
    ASSERT_EQ(read, values) << *built;
  }
}

TEST(TemplateProperty, ArbitraryBytesNeverBreakParseOrMatch) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  Generator generator(seed);
  const std::string syntax("{}:.#a0d1yM_~%\xff\0\n", 17);
  const std::string digits("0123456789-T:.Z#%AF\xff", 20);
  for (int round = 0; round < kRounds; ++round) {
    const std::string text = generator.Text(syntax, generator.Below(12));
    if (const auto parsed = Template::Parse(text)) {
      EXPECT_EQ(parsed->text(), text);
      Item values;
      (void)parsed->Match(text, values);
      (void)parsed->Build(values);
      (void)parsed->AlignKey(*parsed);
      (void)parsed->Overlaps(*parsed);
    }
    const RandomTemplate made = MakeTemplate(generator);
    std::string key = made.key.Build(made.Values(generator)).value();
    for (uint64_t n = 1 + generator.Below(3); n > 0; --n)
      key[generator.Below(key.size())] = digits[generator.Below(digits.size())];
    key.resize(generator.Below(key.size() + 1));
    Item read;
    if (made.key.Match(key, read)) {
      EXPECT_EQ(made.key.Build(read).value(), key) << "what matches is what would be built";
    }
  }
}

}  // namespace
}  // namespace cairn::model
