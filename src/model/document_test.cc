#include "model/document.h"

#include <gtest/gtest.h>

namespace cairn::model {
namespace {

TEST(ReadToml, EveryKeyAndValueHasItsPlace) {
  const auto document = ReadToml("a = 1\n[b.c]\nd = [ true, 'x' ]\n e.f = 2.5\n", "test.toml");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->members[0].where, (Location{1, 1}));
  EXPECT_EQ(document->members[0].value.where, (Location{1, 5}));
  const Member& c = document->Find("b")->members[0];
  EXPECT_EQ(c.where, (Location{2, 4}));
  const Node& d = *c.value.Find("d");
  EXPECT_EQ(d.where, (Location{3, 5}));
  EXPECT_EQ(d.elements[1].where, (Location{3, 13}));
  EXPECT_EQ(c.value.Find("e")->members[0].where, (Location{4, 4}));
  EXPECT_EQ(c.value.Find("e")->Find("f")->real, 2.5);
}

TEST(ReadToml, KeepsTheOrderOfTheFile) {
  const auto document = ReadToml("z = 1\na = 2\n[m]\n[b]\n", "test.toml");
  ASSERT_TRUE(document);
  std::string names;
  for (const Member& member : document->members) names += member.name;
  EXPECT_EQ(names, "zamb");
}

TEST(ReadJson, EveryKeyAndValueHasItsPlace) {
  const auto document =
      ReadJson("{\n  \"a\": [1, {\"ä\": \"x\", \"b\": null}],\n\t\"c\": -2.5e3}", "test.json");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->where, (Location{1, 1}));
  EXPECT_EQ(document->members[0].where, (Location{2, 3}));
  const Node& list = document->members[0].value;
  EXPECT_EQ(list.where, (Location{2, 8}));
  EXPECT_EQ(list.elements[1].where, (Location{2, 12}));
  EXPECT_EQ(list.elements[1].members[0].value.where, (Location{2, 18}));
  EXPECT_EQ(list.elements[1].members[1].where, (Location{2, 23}));
  EXPECT_EQ(list.elements[1].members[1].value.kind, Node::Kind::kNull);
  EXPECT_EQ(document->Find("c")->real, -2500);
  EXPECT_EQ(document->Find("c")->where, (Location{3, 7}));
}

TEST(ReadJson, MinifiedAndEscaped) {
  const auto document = ReadJson(R"({"a\u0062":"x\ny","c":"\ud83d\ude00"})", "test.json");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->members[0].name, "ab");
  EXPECT_EQ(document->members[0].value.text, "x\ny");
  EXPECT_FALSE(document->members[0].value.verbatim);
  EXPECT_EQ(document->members[1].value.text, "\U0001F600");
}

TEST(ReadJson, RefusesWhatIsNotJson) {
  for (const std::string_view text :
       {"", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":01}", "{\"a\":\"\xff\"}",
        "{\"a\":\"\\x\"}", "{\"a\":nulll}", "{\"a\":[1 2]}", "{\"a\":1}}", "{\"a\":tru}", "\"x\"",
        "{\"a\":1e999}", "{\"a\":\"\\ud800\"}"}) {
    EXPECT_FALSE(ReadJson(text, "test.json")) << text;
  }
}

TEST(Node, OffsetsInTextsAreColumns) {
  const auto document = ReadToml("a = \"äb{c}\"\nb = \"\\u0041{c}\"\nc = \"\"\"\nx{c}\"\"\"\n", "test.toml");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->Find("a")->At(3), (Location{1, 8}));  // "ä" has two bytes and one column
  EXPECT_EQ(document->Find("b")->At(1), (Location{2, 5}));
  EXPECT_EQ(document->Find("c")->At(1), (Location{3, 5}));
}

TEST(CanonicalJson, IsSortedCompactAndTheSameForBothSyntaxes) {
  const auto toml = ReadToml("z = 10.0\na = { y = 'x\"', b = [1, 0.25, -0.0] }\n[m]\n", "test.toml");
  const auto json = ReadJson(R"({ "m": {}, "z": 10, "a": {"b": [1, 0.25, 0], "y": "x\""} })", "test.json");
  ASSERT_TRUE(toml);
  ASSERT_TRUE(json);
  EXPECT_EQ(CanonicalJson(*toml), R"({"a":{"b":[1,0.25,0],"y":"x\""},"m":{},"z":10})");
  EXPECT_EQ(CanonicalJson(*json), CanonicalJson(*toml));
}

TEST(Sha256Hex, KnownDigest) {
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace cairn::model
