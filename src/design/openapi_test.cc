#include "design/openapi.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <set>
#include <string>

#include "model/load.h"

namespace cairn::design {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::string_view kModel = R"(
format = "cairn-model/1"
name   = "shop"
doc    = "A shop."

[enum]
Status = ["NEW", "PAID"]
Color  = { values = ["red"], open = true }

[shape.Line]
sku   = "id!"
count = { type = "int", min = 1, default = 1 }

[table.t]
name      = "Test"
pk        = "PK"
sk        = "SK"
type_attr = "kind"
tenant    = { param = "userId", leading = "U#{userId}", claim = "sub" }
index.GSI1 = { pk = "GSI1PK", sk = "GSI1SK", project = [] }

[entity.Order]
doc  = "An order."
type = "ORDER"
pk   = "U#{userId}"
sk   = "ORDER#{day}#{number:04d}"
lock = { version = "version" }
index.GSI1 = { pk = "U#{userId}#{status}", sk = "{day}" }
[entity.Order.attr]
userId = { type = "id", required = true, stored = false }
day    = "date!"
number = { type = "int", required = true, min = 0, max = 9999 }
status = { type = "enum:Status", default = "NEW" }
color  = "enum:Color"
note   = { type = "string", max_length = 20, nullable = true, doc = "For the shop." }
lines  = "list<shape:Line>"
tags   = "set<string>"
pin    = { type = "string", secret = true }
added  = { type = "instant", auto = "create", immutable = true }

[entity.Wallet]
type = "WALLET"
pk   = "U#{userId}"
sk   = "WALLET"
[entity.Wallet.attr]
userId = { type = "id", required = true, stored = false }
cents  = "int!"

[entity.Entry]
type  = "ENTRY"
pk    = "U#{userId}"
sk    = "ENTRY#{entryId}"
write = "append"
[entity.Entry.attr]
userId  = { type = "id", required = true, stored = false }
entryId = { type = "ulid", generate = true }

[entity.Hidden]
type  = "HIDDEN"
pk    = "HIDDEN"
sk    = "{day}"
scope = "global"
[entity.Hidden.attr]
day = "date!"

[pattern.ordersByStatus]
on    = "GSI1"
query = ["Order"]
pk    = "U#{userId}#{status}"
sk.gte = "{from}"

[pattern.all]
query = ["Order", "Wallet"]
pk    = "U#{userId}"
limit = { default = 7, max = 9 }
)";

class OpenApiTest : public testing::Test {
 protected:
  void SetUp() override {
    auto model = model::ParseModel(kModel, "shop.toml");
    if (!model) {
      for (const model::Diagnostic& diagnostic : model.error()) ADD_FAILURE() << ToString(diagnostic);
      FAIL();
    }
    text_ = OpenApi(**model);
    ASSERT_EQ(parser_.parse(text_).get(root_), simdjson::SUCCESS) << text_;
  }

  bool Has(std::string_view pointer) {
    element found;
    return root_.at_pointer(pointer).get(found) == simdjson::SUCCESS;
  }
  std::string Text(std::string_view pointer) {
    element found;
    if (root_.at_pointer(pointer).get(found) != simdjson::SUCCESS) return "(nothing)";
    return simdjson::minify(found);
  }
  static std::set<std::string> Members(const element& value) {
    std::set<std::string> names;
    object members;
    if (value.get(members) == simdjson::SUCCESS) {
      for (const auto& [name, member] : members) names.emplace(name);
    }
    return names;
  }
  std::set<std::string> MembersAt(std::string_view pointer) {
    element found;
    return root_.at_pointer(pointer).get(found) == simdjson::SUCCESS ? Members(found)
                                                                     : std::set<std::string>();
  }

  // Calls `visit` for every object in the document.
  template <class Visit>
  static void ForEachObject(const element& value, const Visit& visit) {
    object members;
    array elements;
    if (value.get(members) == simdjson::SUCCESS) {
      visit(members);
      for (const auto& [name, member] : members) ForEachObject(member, visit);
    } else if (value.get(elements) == simdjson::SUCCESS) {
      for (const element member : elements) ForEachObject(member, visit);
    }
  }

  std::string text_;
  simdjson::dom::parser parser_;
  element root_;
};

TEST_F(OpenApiTest, EveryReferenceResolves) {
  size_t count = 0;
  ForEachObject(root_, [&](const object& members) {
    std::string_view reference;
    if (members["$ref"].get(reference) != simdjson::SUCCESS) return;
    ++count;
    ASSERT_TRUE(reference.starts_with("#/")) << reference;
    EXPECT_TRUE(Has(reference.substr(1))) << reference;
  });
  EXPECT_GT(count, 50u);
}

TEST_F(OpenApiTest, EveryPathParameterIsDeclared) {
  object paths;
  ASSERT_EQ(root_["paths"].get(paths), simdjson::SUCCESS);
  for (const auto& [path, item] : paths) {
    std::set<std::string> wanted, declared;
    for (size_t open = path.find('{'); open != path.npos; open = path.find('{', open + 1)) {
      wanted.emplace(path.substr(open + 1, path.find('}', open) - open - 1));
    }
    array parameters;
    if (item["parameters"].get(parameters) == simdjson::SUCCESS) {
      for (const element parameter : parameters) {
        EXPECT_EQ(std::string_view(parameter["in"]), "path");
        EXPECT_TRUE(bool(parameter["required"]));
        declared.emplace(std::string_view(parameter["name"]));
      }
    }
    EXPECT_EQ(declared, wanted) << path;
  }
}

TEST_F(OpenApiTest, OperationsHaveDifferentIdsAndReplies) {
  std::set<std::string> ids;
  object paths;
  ASSERT_EQ(root_["paths"].get(paths), simdjson::SUCCESS);
  for (const auto& [path, item] : paths) {
    for (const std::string& method : Members(item)) {
      if (method == "parameters") continue;
      EXPECT_TRUE(ids.emplace(std::string_view(item[method]["operationId"])).second) << path << " " << method;
      const auto replies = Members(item[method]["responses"].value());
      EXPECT_TRUE(replies.contains("401")) << path << " " << method;
      EXPECT_TRUE(replies.begin()->starts_with("2")) << path << " " << method;
    }
  }
}

TEST_F(OpenApiTest, PathsAreWhatCallersMayUse) {
  EXPECT_EQ(MembersAt("/paths"),
            (std::set<std::string>{"/api/m/shop", "/api/m/shop/openapi.json", "/api/m/shop/Order",
                                   "/api/m/shop/Order/{day}/{number}", "/api/m/shop/Wallet",
                                   "/api/m/shop/Entry", "/api/m/shop/Entry/{entryId}",
                                   "/api/m/shop/patterns/ordersByStatus", "/api/m/shop/patterns/all"}));
  EXPECT_EQ(MembersAt("/paths/~1api~1m~1shop~1Order"), (std::set<std::string>{"post"}));
  EXPECT_EQ(MembersAt("/paths/~1api~1m~1shop~1Order~1{day}~1{number}"),
            (std::set<std::string>{"parameters", "get", "put", "patch", "delete"}));
  EXPECT_EQ(MembersAt("/paths/~1api~1m~1shop~1Wallet"),
            (std::set<std::string>{"post", "get", "put", "patch", "delete"}));
  EXPECT_EQ(MembersAt("/paths/~1api~1m~1shop~1Entry~1{entryId}"),
            (std::set<std::string>{"parameters", "get"}));
}

TEST_F(OpenApiTest, SchemasSayWhatMayBeWrittenAndIsRead) {
  EXPECT_EQ(MembersAt("/components/schemas/Order/properties"),
            (std::set<std::string>{"userId", "day", "number", "status", "color", "note", "lines", "tags",
                                   "version", "added"}))
      << "no secrets";
  EXPECT_EQ(
      MembersAt("/components/schemas/Order.create/properties"),
      (std::set<std::string>{"userId", "day", "number", "status", "color", "note", "lines", "tags", "pin"}));
  EXPECT_EQ(MembersAt("/components/schemas/Order.patch/properties"),
            (std::set<std::string>{"status", "color", "note", "lines", "tags", "pin"}));
  EXPECT_EQ(Text("/components/schemas/Order.create/required"), R"(["day","number"])");
  EXPECT_EQ(Text("/components/schemas/Order.patch/required"), "(nothing)");
  EXPECT_EQ(Text("/components/schemas/Order.create/properties/pin"), R"({"type":"string","writeOnly":true})");
  EXPECT_EQ(Text("/components/schemas/Order/properties/version/readOnly"), "true");
}

TEST_F(OpenApiTest, TypesBecomeSchemas) {
  const std::string create = "/components/schemas/Order.create/properties/";
  EXPECT_EQ(Text(create + "number"), R"({"type":"integer","minimum":0,"maximum":9999})");
  EXPECT_EQ(Text(create + "status"), R"({"$ref":"#/components/schemas/enum.Status","default":"NEW"})");
  EXPECT_EQ(Text(create + "note"),
            R"({"anyOf":[{"type":"string","maxLength":20},{"type":"null"}],"description":"For the shop."})");
  EXPECT_EQ(Text(create + "lines"), R"({"type":"array","items":{"$ref":"#/components/schemas/shape.Line"}})");
  EXPECT_EQ(Text(create + "tags"), R"({"type":"array","items":{"type":"string"},"uniqueItems":true})");
  EXPECT_EQ(Text("/components/schemas/enum.Status"), R"({"type":"string","enum":["NEW","PAID"]})");
  EXPECT_EQ(Text("/components/schemas/enum.Color"), R"({"type":"string","examples":["red"]})");
  EXPECT_EQ(Text("/components/schemas/shape.Line/required"), R"(["sku"])");
}

TEST_F(OpenApiTest, LocksShowInHeadersAndConditions) {
  const std::string order = "/paths/~1api~1m~1shop~1Order~1{day}~1{number}";
  EXPECT_TRUE(Has(order + "/get/responses/200/headers/ETag"));
  EXPECT_EQ(Text(order + "/patch/parameters"), R"([{"$ref":"#/components/parameters/IfMatch"}])");
  EXPECT_TRUE(Has(order + "/patch/responses/428"));
  EXPECT_FALSE(Has("/paths/~1api~1m~1shop~1Wallet/patch/responses/428"));
  EXPECT_FALSE(Has("/paths/~1api~1m~1shop~1Wallet/get/responses/200/headers/ETag"));
}

TEST_F(OpenApiTest, PatternsHaveTheirParameters) {
  const std::string pattern = "/paths/~1api~1m~1shop~1patterns~1ordersByStatus/get";
  EXPECT_EQ(
      Text(pattern + "/parameters/0"),
      R"({"name":"status","in":"query","required":true,"schema":{"$ref":"#/components/schemas/enum.Status"}})");
  EXPECT_NE(Text(pattern + "/responses/200").find("Order.partial"), std::string::npos)
      << "the index has keys only";
  const std::string limit = Text("/paths/~1api~1m~1shop~1patterns~1all/get/parameters/0/schema");
  EXPECT_EQ(limit, R"({"type":"integer","minimum":1,"maximum":9,"default":7})");
}

}  // namespace
}  // namespace cairn::design
