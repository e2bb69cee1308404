#include "dynamodb/request_reader.h"

#include "dynamodb/enum_names.h"
#include "dynamodb/request_json.h"
#include "http/http.h"

namespace cairn::dynamodb {
namespace {

// What `read` finds wrong with a request: the error's message, or "" when nothing is wrong.
template <class Read>
Error Found(std::string body, Read read) {
  const size_t size = body.size();
  body.append(http::kBodyPaddingBytes, ' ');
  const auto json = RequestJson::Parse(std::string_view(body).substr(0, size));
  EXPECT_TRUE(json) << body;
  Findings findings;
  read(json->Reader(findings));
  const Status status = findings.Check();
  return status ? Error{Code::kInternal, ""} : status.error();
}

using Reader = const RequestReader&;

TEST(RequestReader, ConstraintMessages) {
  struct Case {
    const char* body;
    void (*read)(Reader);
    const char* message;
  };
  const Case cases[] = {
      {"{}", [](Reader r) { r.String("IndexName", kRequiredName); },
       "1 validation error detected: Value null at 'indexName' failed to satisfy constraint: Member must not "
       "be null"},
      {R"({"IndexName":null})", [](Reader r) { r.String("IndexName", kRequiredName); },
       "1 validation error detected: Value null at 'indexName' failed to satisfy constraint: Member must not "
       "be null"},
      {R"({"IndexName":"h;"})", [](Reader r) { r.String("IndexName", kRequiredName); },
       "2 validation errors detected: Value 'h;' at 'indexName' failed to satisfy constraint: Member must "
       "satisfy "
       "regular expression pattern: [a-zA-Z0-9_.-]+; Value 'h;' at 'indexName' failed to satisfy constraint: "
       "Member "
       "must have length greater than or equal to 3"},
      {R"({"A":"abcd"})", [](Reader r) { r.String("A", {.length_max = 3}); },
       "1 validation error detected: Value 'abcd' at 'a' failed to satisfy constraint: Member must have "
       "length less "
       "than or equal to 3"},
      {R"({"Limit":0})", [](Reader r) { r.Integer("Limit", {.min = 1, .max = 100}); },
       "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have "
       "value "
       "greater than or equal to 1"},
      {R"({"Limit":99999999999})", [](Reader r) { r.Integer("Limit", {.min = 1, .max = 100}); },
       "1 validation error detected: Value '2147483647' at 'limit' failed to satisfy constraint: Member must "
       "have "
       "value less than or equal to 100"},
      {R"({"BillingMode":"FREE"})", [](Reader r) { r.Enum("BillingMode", kBillingModes); },
       "1 validation error detected: Value 'FREE' at 'billingMode' failed to satisfy constraint: Member must "
       "satisfy "
       "enum value set: [PROVISIONED, PAY_PER_REQUEST]"},
      {R"({"List":[]})", [](Reader r) { r.Strings("List", {.length_min = 1}); },
       "1 validation error detected: Value '[]' at 'list' failed to satisfy constraint: Member must have "
       "length "
       "greater than or equal to 1"},
      {R"({"List":["a","b"]})", [](Reader r) { r.Strings("List", {.length_max = 1}); },
       "1 validation error detected: Value '[a, b]' at 'list' failed to satisfy constraint: Member must have "
       "length "
       "less than or equal to 1"},
      {R"({"List":["a","",null]})", [](Reader r) { r.Strings("List", {}, {.length_min = 1}); },
       "2 validation errors detected: Value '' at 'list.2.member' failed to satisfy constraint: Member must "
       "have "
       "length greater than or equal to 1; Value null at 'list.3.member' failed to satisfy constraint: "
       "Member must "
       "not be null"},
      {R"({"Keys":[{"Name":"a"},{"Name":"b","Type":"R"}]})",
       [](Reader r) {
         const auto keys = r.Objects("Keys", "Key", {.length_max = 1});
         for (Reader key : *keys) key.String("Type", {.presence = Presence::kRequired});
       },
       "2 validation errors detected: Value '[Key(name=a), Key(name=b, type=R)]' at 'keys' failed to satisfy "
       "constraint: Member must have length less than or equal to 1; Value null at 'keys.1.member.type' "
       "failed to "
       "satisfy constraint: Member must not be null"},
      {R"({"Outer":{"Inner":{}}})",
       [](Reader r) { r.Object("Outer", "O")->Object("Inner", "I")->Boolean("On", Presence::kRequired); },
       "1 validation error detected: Value null at 'outer.inner.on' failed to satisfy constraint: Member "
       "must not be "
       "null"},
      {R"({"Map":{"t":{}}})",
       [](Reader r) {
         r.ObjectMap("Map", "KeysAndAttributes")->at(0).second.String("Keys", {Presence::kRequired});
       },
       "1 validation error detected: Value null at 'map.t.member.keys' failed to satisfy constraint: Member "
       "must not "
       "be null"},
      {R"({"Map":{}})", [](Reader r) { r.ObjectListMap("Map", "WriteRequest", {.length_min = 1}); },
       "1 validation error detected: Value '{}' at 'map' failed to satisfy constraint: Member must have "
       "length "
       "greater than or equal to 1"},
  };
  for (const Case& c : cases) {
    const Error error = Found(c.body, c.read);
    EXPECT_EQ(error.message, c.message) << c.body;
    EXPECT_EQ(error.code, Code::kInvalidArgument) << c.body;
  }
}

TEST(RequestReader, WrongTypesGiveSerializationMessages) {
  struct Case {
    const char* value;
    void (*read)(Reader);
    const char* message;
  };
  const auto string = [](Reader r) { r.String("A"); };
  const auto integer = [](Reader r) { r.Integer("A"); };
  const auto long_integer = [](Reader r) { r.Integer("A", {.width = NumberWidth::kLong}); };
  const auto boolean = [](Reader r) { r.Boolean("A"); };
  const auto list = [](Reader r) { r.Strings("A"); };
  const auto structure = [](Reader r) { r.Object("A", "Projection"); };
  const auto structures = [](Reader r) { r.Objects("A", "KeySchemaElement"); };
  const auto map = [](Reader r) { r.ObjectMap("A", "KeysAndAttributes"); };
  const Case cases[] = {
      {"true", string, "TRUE_VALUE cannot be converted to String"},
      {"23", string, "NUMBER_VALUE cannot be converted to String"},
      {"-2147483648.5", string, "DECIMAL_VALUE cannot be converted to String"},
      {"[]", string, "Unrecognized collection type class java.lang.String"},
      {"{}", string, "Start of structure or map found where not expected"},
      {"\"1\"", integer, "STRING_VALUE cannot be converted to Integer"},
      {"false", long_integer, "FALSE_VALUE cannot be converted to Long"},
      {"[]", long_integer, "Unrecognized collection type class java.lang.Long"},
      {"\"maybe\"", boolean, "Unexpected token received from parser"},
      {"1", boolean, "NUMBER_VALUE cannot be converted to Boolean"},
      {"\"x\"", list, "Unexpected field type"},
      {"{}", list, "Start of structure or map found where not expected"},
      {"[1]", list, "NUMBER_VALUE cannot be converted to String"},
      {"\"x\"", structure, "Unexpected field type"},
      {"[]", structure, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Projection"},
      {"[3]", structures, "Unexpected value type in payload"},
      {"[[]]", structures,
       "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.KeySchemaElement"},
      {"[]", map,
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.KeysAndAttributes>"},
  };
  for (const Case& c : cases) {
    const Error error = Found(std::string("{\"A\":") + c.value + "}", c.read);
    EXPECT_EQ(error.message, c.message) << c.value;
    EXPECT_EQ(error.code, Code::kMalformed) << c.value;
  }
}

TEST(RequestReader, WrongTypesComeBeforeTableNamesBeforeConstraints) {
  const auto read = [](Reader r) {
    r.Integer("Limit", {.min = 1});
    r.TableName(TableNameKind::kData);
    r.String("Text");
  };
  EXPECT_EQ(Found(R"({"Limit":0,"TableName":"a b","Text":1})", read).message,
            "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(
      Found(R"({"Limit":0,"TableName":"a b"})", read).message,
      "1 validation error detected: Value 'a b' at 'tableName' failed to satisfy constraint: Member must "
      "satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  EXPECT_EQ(Found(R"({"Limit":0})", read).message,
            "2 validation errors detected: Value '0' at 'limit' failed to satisfy constraint: Member must "
            "have value "
            "greater than or equal to 1; Value null at 'tableName' failed to satisfy constraint: Member must "
            "not be "
            "null");
}

TEST(RequestReader, TableNamesOfDataAndControlOperations) {
  struct Case {
    TableNameKind kind;
    std::string body;
    std::string message;
  };
  const std::string long_name(256, 'a');
  const std::string prefix = "1 validation error detected: Value '";
  const std::string at = "' at 'tableName' failed to satisfy constraint: ";
  const Case cases[] = {
      {TableNameKind::kData, R"({"TableName":"a"})", ""},
      {TableNameKind::kData, R"({"TableName":""})",
       prefix + at + "Member must have length greater than or equal to 1"},
      {TableNameKind::kData, "{\"TableName\":\"" + long_name + "\"}",
       prefix + long_name + at + "Member must have length less than or equal to 255"},
      {TableNameKind::kControl, "{}",
       "The parameter 'TableName' is required but was not present in the request"},
      {TableNameKind::kControl, R"({"TableName":"ab"})",
       prefix + "ab" + at + "Member must have length greater than or equal to 3"},
      {TableNameKind::kControl, R"({"TableName":"a;b"})",
       prefix + "a;b" + at + "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
      {TableNameKind::kControl, R"({"TableName":"arn:aws:dynamodb:eu-west-1:000000000000:table/Orders"})",
       ""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Found(c.body, [&](Reader r) { r.TableName(c.kind); }).message, c.message) << c.body;
  }
}

TEST(RequestReader, TableNameOfAnArnIsTheName) {
  Found(R"({"TableName":"arn:aws:dynamodb:eu-west-1:000000000000:table/Orders"})",
        [](Reader r) { EXPECT_EQ(r.TableName(TableNameKind::kData), "Orders"); });
}

TEST(RequestReader, ReadsValues) {
  const Error error = Found(
      R"({"S":"text","I":7,"F":2.9,"D":0.25,"B":true,"T":"false","L":["a","b"],"M":{"x":"1","y":"2"},
          "O":{"S":"inner"},"LM":{"t":[{"S":"1"},{"S":"2"}]}})",
      [](Reader r) {
        EXPECT_EQ(r.String("S"), "text");
        EXPECT_EQ(r.Integer("I"), 7);
        EXPECT_EQ(r.Integer("F"), 2);
        EXPECT_EQ(r.Double("D"), 0.25);
        EXPECT_EQ(r.Double("I"), 7.0);
        EXPECT_EQ(r.Boolean("B"), true);
        EXPECT_EQ(r.Boolean("T"), false);
        EXPECT_EQ(r.Strings("L"), (std::vector<std::string_view>{"a", "b"}));
        EXPECT_EQ(r.StringMap("M")->at(1).second, "2");
        EXPECT_EQ(r.Object("O", "O")->String("S"), "inner");
        EXPECT_EQ(r.ObjectListMap("LM", "W")->at(0).second.at(1).String("S"), "2");
        EXPECT_EQ(r.TextOf("O"), "{S=inner}");
        EXPECT_FALSE(r.String("absent"));
        EXPECT_FALSE(r.Has("absent"));
        EXPECT_EQ(r.Names().size(), 10u);
      });
  EXPECT_EQ(error.message, "");
}

TEST(RequestReader, LengthCountsUtf16Units) {
  const auto read = [](Reader r) { r.String("A", {.length_max = 3}); };
  EXPECT_EQ(Found("{\"A\":\"\xc3\xa4\xc3\xb6\xc3\xbc\"}", read).message, "");  // three umlauts
  EXPECT_NE(Found("{\"A\":\"\xf0\x9f\x98\x80\xf0\x9f\x98\x80\"}", read).message,
            "");  // two emoji, four units
}

TEST(RequestReader, ItemsOfWrongShapeAreFindingsBadValuesAreNot) {
  EXPECT_EQ(Found(R"({"Item":"x"})", [](Reader r) { EXPECT_FALSE(*r.Attributes("Item")); }).code,
            Code::kMalformed);
  const Error error =
      Found(R"({"Item":{"a":{"N":"no number"}},"Values":{":a":{"S":"1"},":b":{"N":"x"}}})", [](Reader r) {
        const auto item = r.Attributes("Item");
        ASSERT_TRUE(item);
        EXPECT_FALSE(*item);
        const auto values = r.ValueMap("Values");
        EXPECT_TRUE(values->at(0).second);
        EXPECT_FALSE(values->at(1).second);
      });
  EXPECT_EQ(error.message, "");
}

TEST(RequestReader, LongListsAreShortenedInMessages) {
  std::string body = "{\"A\":[";
  for (int i = 0; i < 100'000; ++i) body += i == 0 ? "\"abcdefgh\"" : ",\"abcdefgh\"";
  const Error error = Found(body + "]}", [](Reader r) { r.Strings("A", {.length_max = 100}); });
  EXPECT_LT(error.message.size(), 20'000u);
  EXPECT_NE(error.message.find("...]' at 'a'"), error.message.npos);
}

TEST(RequestReader, AtMostTenFindings) {
  std::string body = "{\"A\":[";
  for (int i = 0; i < 20; ++i) body += i == 0 ? "\"\"" : ",\"\"";
  const Error error = Found(body + "]}", [](Reader r) { r.Strings("A", {}, {.length_min = 1}); });
  EXPECT_TRUE(error.message.starts_with("10 validation errors detected: ")) << error.message;
}

TEST(RequestJson, RefusesWhatIsNoObject) {
  for (std::string body : {"", "[]", "\"a\"", "{", "{\"a\":}", "nul", "{}{}"}) {
    const size_t size = body.size();
    body.append(http::kBodyPaddingBytes, ' ');
    const auto json = RequestJson::Parse(std::string_view(body).substr(0, size));
    ASSERT_FALSE(json) << body;
    EXPECT_EQ(json.error().code, Code::kMalformed);
  }
}

}  // namespace
}  // namespace cairn::dynamodb
