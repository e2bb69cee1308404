#include "model/typed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>

namespace cairn::model::typed {

// By hand what modelgen writes.
enum class Colour { kRed, kDeepBlue };
constexpr std::string_view kColourTexts[] = {"RED", "deep blue"};
static std::span<const std::string_view> TextsOf(Colour) { return kColourTexts; }
static std::string_view ToText(Colour colour) { return kColourTexts[static_cast<size_t>(colour)]; }

struct Point {
  int64_t x = 0;
  std::optional<item::Number> y;
  item::Item ToItem() const;
  Status TakeFrom(const item::Item& item, Reading reading);
  friend bool operator==(const Point&, const Point&) = default;
};
constexpr Member kPointMembers[] = {
    {"x", offsetof(Point, x), kCodec<decltype(Point::x)>},
    {"y", offsetof(Point, y), kCodec<decltype(Point::y)>, Null::kWritten},
};
item::Item Point::ToItem() const { return typed::ToItem(kPointMembers, this); }
Status Point::TakeFrom(const item::Item& item, Reading reading) {
  return typed::TakeFrom("", kPointMembers, item, reading, this);
}

struct Drawing {
  std::string name;
  std::optional<std::string> title;
  std::optional<bool> done;
  std::optional<std::vector<Point>> points;
  std::optional<std::vector<bool>> marks;
  std::optional<std::vector<Set<int64_t>>> groups;
  Set<Colour> colours;
  std::optional<item::Map> extra;
  friend bool operator==(const Drawing&, const Drawing&) = default;
};
constexpr Member kDrawingMembers[] = {
    {"Name", offsetof(Drawing, name), kCodec<decltype(Drawing::name)>},
    {"colours", offsetof(Drawing, colours), kCodec<decltype(Drawing::colours)>},
    {"done", offsetof(Drawing, done), kCodec<decltype(Drawing::done)>},
    {"extra", offsetof(Drawing, extra), kCodec<decltype(Drawing::extra)>},
    {"groups", offsetof(Drawing, groups), kCodec<decltype(Drawing::groups)>},
    {"marks", offsetof(Drawing, marks), kCodec<decltype(Drawing::marks)>},
    {"points", offsetof(Drawing, points), kCodec<decltype(Drawing::points)>},
    {"title", offsetof(Drawing, title), kCodec<decltype(Drawing::title)>, Null::kAbsent},
};

namespace {

using item::AttributeValue;
using item::Item;
using item::Number;

Item ItemOf(const Drawing& drawing) { return ToItem(kDrawingMembers, &drawing); }

Result<Drawing> ReadStored(const Item& item, Reading reading) {
  const Model model;
  const Entity entity;
  const Record record(model, entity, item::PackedItem::Pack(item));
  KeyReader keys;
  Drawing drawing = {.name = "before", .title = "before", .colours = {}};
  RETURN_IF_ERROR(TakeFrom("Drawing", kDrawingMembers, Stored{record, keys}, reading, &drawing));
  return drawing;
}

// As an item and as it is stored: both the same.
Result<Drawing> Read(const Item& item, Reading reading = Reading::kWhole) {
  Drawing drawing;
  const Status taken = TakeFrom("Drawing", kDrawingMembers, item, reading, &drawing);
  const Result<Drawing> stored = ReadStored(item, reading);
  EXPECT_EQ(taken.has_value(), stored.has_value());
  if (taken && stored && reading == Reading::kWhole) {
    EXPECT_TRUE(drawing == *stored);
  } else if (!taken && !stored) {
    EXPECT_EQ(taken.error().message, stored.error().message);
  }
  RETURN_IF_ERROR(taken);
  return drawing;
}

std::string Fault(const Item& item) {
  const auto read = Read(item);
  if (read) return "none";
  EXPECT_EQ(read.error().code, Code::kDamaged);
  return read.error().message;
}

Drawing Example() {
  Drawing drawing{.name = "tree"};
  drawing.done = false;
  drawing.points = {{.x = 1, .y = Number(2)}, {.x = 3}};
  drawing.marks = {true, false};
  drawing.groups = {{1, 2}, {3}};
  drawing.colours = {Colour::kRed, Colour::kDeepBlue};
  drawing.extra = item::Map{{"a", Number(1)}};
  return drawing;
}

TEST(TypedValue, EveryTypeHasItsStoredForm) {
  const Item expected{
      {"Name", "tree"},
      {"done", AttributeValue(false)},
      {"points",
       item::List{Item{{"x", Number(1)}, {"y", Number(2)}}, Item{{"x", Number(3)}, {"y", item::Null{}}}}},
      {"marks", item::List{AttributeValue(true), AttributeValue(false)}},
      {"groups", item::List{item::NumberSet{{Number(1), Number(2)}}, item::NumberSet{{Number(3)}}}},
      {"colours", item::StringSet{{"RED", "deep blue"}}},
      {"extra", Item{{"a", Number(1)}}}};
  EXPECT_TRUE(ItemOf(Example()) == expected);
  const auto read = Read(expected);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == Example());
}

TEST(TypedValue, EmptySetsAreLeftOut) {
  Drawing drawing = Example();
  drawing.colours.clear();
  EXPECT_FALSE(ItemOf(drawing).Contains("colours"));
}

TEST(TypedValue, NullIsAbsentWhereItMayStand) {
  Item item = ItemOf(Example());
  item.Set("title", item::Null{});
  EXPECT_EQ(Read(item)->title, std::nullopt);
  item.Set("done", item::Null{});
  EXPECT_EQ(Fault(item), "Drawing.done must be true or false, but is NULL");
}

TEST(TypedValue, FaultsAreNamedByTheirPath) {
  Item item = ItemOf(Example());
  item.Set("Name", Number(1));
  EXPECT_EQ(Fault(item), "Drawing.Name must be a text, but is N");
  item = ItemOf(Example());
  item.Find("points")->list()[1].map().Set("x", *Number::Parse("0.5"));
  EXPECT_EQ(Fault(item), "Drawing.points[1].x must be a whole number of 64 bits, but is 0.5");
  item = ItemOf(Example());
  item.Find("marks")->list()[0] = "yes";
  EXPECT_EQ(Fault(item), "Drawing.marks[0] must be true or false, but is S");
  item = ItemOf(Example());
  item.Set("colours", item::StringSet{{"GREEN"}});
  EXPECT_EQ(Fault(item), "Drawing.colours[0] must be one of RED, deep blue, but is 'GREEN'");
  item.Set("colours", item::List{});
  EXPECT_EQ(Fault(item), "Drawing.colours must be a set, but is L");
  item = ItemOf(Example());
  item.Set("points", item::List{AttributeValue("p")});
  EXPECT_EQ(Fault(item), "Drawing.points[0] must be a map, but is S");
}

TEST(TypedValue, MissingIsDamageOnlyInAWholeItem) {
  Item item = ItemOf(Example());
  item.Remove("Name");
  EXPECT_EQ(Fault(item), "Drawing.Name is missing");
  const auto part = Read(item, Reading::kPart);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->name, "");
}

TEST(TypedValue, ReadingForgetsWhatWasThere) {
  Drawing drawing = Example();
  ASSERT_TRUE(TakeFrom("Drawing", kDrawingMembers,
                       Item{{"Name", "bare"}, {"colours", item::StringSet{{"RED"}}}}, Reading::kWhole,
                       &drawing));
  EXPECT_EQ(drawing.points, std::nullopt);
  EXPECT_EQ(drawing.colours.size(), 1u);
}

TEST(TypedValue, NumbersOfAnyWritingAreRead) {
  Item item = ItemOf(Example());
  for (const std::string_view text :
       {"0", "-1", "9223372036854775807", "-9223372036854775808", "1E2", "100000000000000000000"}) {
    item.Set("points", item::List{Item{{"x", *Number::Parse(text)}, {"y", item::Null{}}}});
    (void)Read(item);  // both ways alike
  }
}

TEST(ChangeSet, LastWordCounts) {
  ChangeSet changes;
  changes.Set("a", std::string("one"));
  changes.Remove("a");
  changes.Remove("b");
  changes.Set("b", Colour::kDeepBlue);
  changes.SetNull("c");
  EXPECT_TRUE(changes.changes().set == (Item{{"b", "deep blue"}, {"c", item::Null{}}}));
  EXPECT_THAT(changes.changes().remove, testing::ElementsAre("a"));
}

TEST(ChangeSet, SettingAnEmptySetRemoves) {
  ChangeSet changes;
  changes.Set("tags", Set<std::string>());
  EXPECT_THAT(changes.changes().remove, testing::ElementsAre("tags"));
  EXPECT_TRUE(changes.changes().set.empty());
}

TEST(ChangeSet, AdditionsAddUp) {
  ChangeSet changes;
  changes.Add("a", 5);
  changes.Add("a", -2);
  changes.Set("b", int64_t{10});
  changes.Add("b", 1);
  changes.Remove("c");
  changes.Add("c", 7);
  ASSERT_EQ(changes.changes().add.size(), 1u);
  EXPECT_EQ(changes.changes().add.front(), std::pair(std::string("a"), Number(3)));
  EXPECT_TRUE(changes.changes().set == (Item{{"b", Number(11)}, {"c", Number(7)}}));
  EXPECT_TRUE(changes.changes().remove.empty());
}

TEST(ChangeSet, SetAfterAddReplaces) {
  ChangeSet changes;
  changes.Add("a", 5);
  changes.Set("a", int64_t{1});
  EXPECT_TRUE(changes.changes().add.empty());
  EXPECT_TRUE(changes.changes().set == (Item{{"a", Number(1)}}));
}

TEST(KeyPart, EmptyOneIsAProgrammingError) {
  EXPECT_EQ(KeyPart(std::optional<std::string>("x")), "x");
  EXPECT_DEATH(KeyPart(std::optional<std::string>()), "the key of an entity is known");
}

}  // namespace
}  // namespace cairn::model::typed
