#include "dynamodb/wire_fixture.h"
#include "expr/path.h"

namespace cairn::dynamodb {
namespace {

class GetItemTest : public WireTest {
 protected:
  GetItemTest() {
    store.on_get_item = [this](store::GetItemRequest request) {
      asked = std::move(request);
      return store::GetItemResponse{item::PackedItem::Pack(item::Item{{"pk", "a"}, {"n", item::Number(1)}}),
                                    store::ConsumedCapacity{.table = "Orders", .table_units = {.read = 0.5}}};
    };
  }
  store::GetItemRequest asked;
};

TEST_F(GetItemTest, ReadsEveryParameter) {
  Answer(
      "GetItem",
      R"({"TableName":"Orders","Key":{"pk":{"S":"a"}},"ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL",)"
      R"("ProjectionExpression":"#p, b[1]","ExpressionAttributeNames":{"#p":"pk"}})");
  EXPECT_EQ(asked.table, "Orders");
  EXPECT_EQ(asked.key, (item::Item{{"pk", "a"}}));
  EXPECT_EQ(asked.consistency, store::Consistency::kStrong);
  EXPECT_EQ(asked.return_capacity, store::ReturnCapacity::kTotal);
  ASSERT_TRUE(asked.projection.has_value());
  ASSERT_EQ(asked.projection->paths.size(), 2u);
  EXPECT_EQ(expr::ToString(asked.projection->paths[1]), "b[1]");
}

TEST_F(GetItemTest, PrintsItemAndCapacity) {
  EXPECT_EQ(Answer("GetItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"}}})"),
            R"({"Item":{"n":{"N":"1"},"pk":{"S":"a"}}})");
  EXPECT_EQ(
      Answer("GetItem",
             R"({"TableName":"Orders","Key":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"INDEXES"})"),
      R"({"Item":{"n":{"N":"1"},"pk":{"S":"a"}},"ConsumedCapacity":{"TableName":"Orders","CapacityUnits":0.5,)"
      R"("Table":{"CapacityUnits":0.5}}})");
  store.on_get_item = [](store::GetItemRequest) { return store::GetItemResponse{}; };
  EXPECT_EQ(Answer("GetItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"}}})"), "{}");
}

TEST_F(GetItemTest, AttributesToGetIsAProjection) {
  Answer("GetItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"}},"AttributesToGet":["a.b","c"]})");
  ASSERT_TRUE(asked.projection.has_value());
  EXPECT_EQ(asked.projection->paths[0].attribute, "a.b");
  EXPECT_EQ(
      Refusal("GetItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"}},"AttributesToGet":["a","a"]})"),
      "One or more parameter values were invalid: Duplicate value in attribute name: a");
}

TEST_F(GetItemTest, RefusesInDynamoDbsOrder) {
  EXPECT_EQ(Refusal("GetItem", R"({})"),
            "2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member "
            "must not be "
            "null; Value null at 'key' failed to satisfy constraint: Member must not be null");
  EXPECT_EQ(Refusal("GetItem", R"({"TableName":"Orders","Key":{"pk":{}},"AttributesToGet":["a"],)"
                               R"("ProjectionExpression":"a"})"),
            "Can not use both expression and non-expression parameters in the same request: Non-expression "
            "parameters: "
            "{AttributesToGet} Expression parameters: {ProjectionExpression}");
  EXPECT_EQ(Refusal("GetItem", R"({"TableName":"Orders","Key":{"pk":{}},"ExpressionAttributeNames":{}})"),
            "ExpressionAttributeNames can only be specified when using expressions");
  EXPECT_EQ(Refusal("GetItem", R"({"TableName":"Orders","Key":{"pk":{}},"ProjectionExpression":""})"),
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  EXPECT_EQ(Refusal("GetItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"}},"ProjectionExpression":"a",)"
                               R"("ExpressionAttributeNames":{}})"),
            "ExpressionAttributeNames must not be empty");
  EXPECT_EQ(Refusal("GetItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"}},"ProjectionExpression":"a",)"
                               R"("ExpressionAttributeNames":{"a":"b"}})"),
            R"(ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\")");
  EXPECT_EQ(Refusal("GetItem", R"({"TableName":"Orders","Key":{"pk":{"S":"a"}},"ProjectionExpression":"a",)"
                               R"("ExpressionAttributeNames":{"#u":"b"}})"),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#u}");
}

TEST_F(GetItemTest, WrongJsonTypesAreSerializationExceptions) {
  const http::Response response = Call("GetItem", R"({"TableName":"Orders","Key":{"pk":{"S":1}}})");
  EXPECT_EQ(response.body, R"({"__type":"com.amazon.coral.service#SerializationException",)"
                           R"("Message":"NUMBER_VALUE cannot be converted to String"})");
}

}  // namespace
}  // namespace cairn::dynamodb
