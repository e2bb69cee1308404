#include "dynamodb/wire_fixture.h"

namespace cairn::dynamodb {
namespace {

class PutItemTest : public WireTest {
 protected:
  PutItemTest() {
    store.on_put_item = [this](store::PutItemRequest request) {
      asked = std::move(request);
      return store::WriteResponse{};
    };
  }
  static std::string Body(std::string_view more) {
    return R"({"TableName":"Orders","Item":{"pk":{"S":"a"}})" + std::string(more) + "}";
  }
  store::PutItemRequest asked;
};

TEST_F(PutItemTest, ReadsEveryParameter) {
  EXPECT_EQ(
      Answer("PutItem",
             Body(R"(,"ConditionExpression":"attribute_not_exists(pk) OR #a = :v",)"
                  R"("ExpressionAttributeNames":{"#a":"x"},"ExpressionAttributeValues":{":v":{"N":"1"}},)"
                  R"("ReturnValues":"ALL_OLD","ReturnValuesOnConditionCheckFailure":"ALL_OLD",)"
                  R"("ReturnConsumedCapacity":"TOTAL","ReturnItemCollectionMetrics":"SIZE")")),
      "{}");
  EXPECT_EQ(asked.item, (item::Item{{"pk", "a"}}));
  ASSERT_NE(asked.condition, nullptr);
  EXPECT_TRUE(expr::EvaluateCondition(*asked.condition, item::Item{}));
  EXPECT_TRUE(expr::EvaluateCondition(*asked.condition, item::Item{{"pk", "a"}, {"x", item::Number(1)}}));
  EXPECT_FALSE(expr::EvaluateCondition(*asked.condition, item::Item{{"pk", "a"}}));
  EXPECT_EQ(asked.return_values, store::ReturnValues::kAllOld);
  EXPECT_EQ(asked.on_condition_failure, store::OnConditionFailure::kReturnOldItem);
  EXPECT_EQ(asked.return_capacity, store::ReturnCapacity::kTotal);
  EXPECT_EQ(asked.collection_metrics, store::CollectionMetrics::kSize);
}

TEST_F(PutItemTest, PrintsOldItemCapacityAndCollection) {
  store.on_put_item = [](store::PutItemRequest) {
    store::WriteResponse response;
    response.attributes = item::PackedItem::Pack(item::Item{{"pk", "a"}});
    response.capacity = store::ConsumedCapacity{.table = "Orders",
                                                .table_units = {.write = 1},
                                                .local_indexes = {{"l", {.write = 2}}},
                                                .global_indexes = {}};
    response.collection = store::ItemCollection{item::Item{{"pk", "a"}}, 0, 1};
    return response;
  };
  EXPECT_EQ(
      Answer("PutItem", Body(R"(,"ReturnConsumedCapacity":"INDEXES")")),
      R"({"Attributes":{"pk":{"S":"a"}},"ConsumedCapacity":{"TableName":"Orders","CapacityUnits":3.0,)"
      R"("Table":{"CapacityUnits":1.0},"LocalSecondaryIndexes":{"l":{"CapacityUnits":2.0}}},)"
      R"("ItemCollectionMetrics":{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}})");
}

TEST_F(PutItemTest, FailedConditionCarriesTheItem) {
  store.on_put_item = [](store::PutItemRequest) -> Result<store::WriteResponse, store::WriteFailure> {
    return std::unexpected(store::WriteFailure({Code::kConditionFailed, "The conditional request failed"},
                                               item::PackedItem::Pack(item::Item{{"pk", "a"}})));
  };
  EXPECT_EQ(Call("PutItem", Body("")).body,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
            R"("Item":{"pk":{"S":"a"}},"message":"The conditional request failed"})");
}

TEST_F(PutItemTest, BadEnumsAreReportedTogether) {
  EXPECT_EQ(Refusal("PutItem", Body(R"(,"ReturnConsumedCapacity":"X","ReturnItemCollectionMetrics":"Y",)"
                                    R"("ReturnValues":"Z")")),
            "3 validation errors detected: "
            "Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum "
            "value set: "
            "[INDEXES, TOTAL, NONE]; "
            "Value 'Y' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy "
            "enum value "
            "set: [SIZE, NONE]; "
            "Value 'Z' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: "
            "[ALL_NEW, "
            "UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]");
}

TEST_F(PutItemTest, RefusesWhatNeedsNoTable) {
  EXPECT_EQ(Refusal("PutItem", Body(R"(,"Expected":{"pk":{"Exists":false}},"ConditionExpression":"a = b")")),
            "Can not use both expression and non-expression parameters in the same request: Non-expression "
            "parameters: "
            "{Expected} Expression parameters: {ConditionExpression}");
  EXPECT_EQ(
      Refusal("PutItem", Body(R"(,"ExpressionAttributeValues":{":v":{"S":"x"}})")),
      "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null");
  EXPECT_EQ(Refusal("PutItem", Body(R"(,"ReturnValues":"ALL_NEW")")),
            "ReturnValues can only be ALL_OLD or NONE");
  EXPECT_EQ(Refusal("PutItem",
                    Body(R"(,"ConditionExpression":"a = :v","ExpressionAttributeValues":{":v":{"SS":[]}})")),
            "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An "
            "string "
            "set  may not be empty for key :v");
  EXPECT_EQ(Refusal("PutItem",
                    R"({"TableName":"Orders","Item":{"pk":{"S":")" + std::string(409'600, 'x') + R"("}}})"),
            "Item size has exceeded the maximum allowed size");
}

TEST_F(PutItemTest, ExpectedIsACondition) {
  Answer("PutItem", Body(R"(,"Expected":{"a":{"Exists":false},"b":{"Value":{"N":"1"}},)"
                         R"("c":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"5"}]}})"));
  ASSERT_NE(asked.condition, nullptr);
  const item::Item fits{{"b", item::Number(1)}, {"c", item::Number(6)}};
  EXPECT_TRUE(expr::EvaluateCondition(*asked.condition, fits));
  EXPECT_FALSE(expr::EvaluateCondition(*asked.condition, item::Item{{"b", item::Number(1)}}));
  Answer("PutItem",
         Body(R"(,"ConditionalOperator":"OR","Expected":{"a":{"Value":{"S":"x"}},"b":{"Value":{"S":"x"}}})"));
  EXPECT_TRUE(expr::EvaluateCondition(*asked.condition, item::Item{{"b", "x"}}));
  Answer("PutItem", Body(R"(,"Expected":{})"));
  EXPECT_EQ(asked.condition, nullptr);
}

TEST_F(PutItemTest, RefusesExpectedThatContradictsItself) {
  const std::string prefix = "One or more parameter values were invalid: ";
  const std::pair<const char*, std::string> cases[] = {
      {R"({"a":{}})", prefix + "Value must be provided when Exists is null for Attribute: a"},
      {R"({"a":{"Exists":true}})", prefix + "Value must be provided when Exists is true for Attribute: a"},
      {R"({"a":{"Exists":false,"Value":{"S":"x"}}})",
       prefix + "Value cannot be used when Exists is false for Attribute: a"},
      {R"({"a":{"AttributeValueList":[]}})",
       prefix + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
      {R"({"a":{"AttributeValueList":[],"Value":{"S":"x"}}})",
       prefix + "Value and AttributeValueList cannot be used together for Attribute: a"},
      {R"({"a":{"ComparisonOperator":"EQ","Exists":true}})",
       prefix + "Exists and ComparisonOperator cannot be used together for Attribute: a"},
      {R"({"a":{"ComparisonOperator":"EQ"}})",
       prefix + "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a"},
      {R"({"a":{"ComparisonOperator":"NULL","AttributeValueList":[{"S":"x"}]}})",
       prefix + "Invalid number of argument(s) for the NULL ComparisonOperator"},
  };
  for (const auto& [expected, message] : cases) {
    EXPECT_EQ(Refusal("PutItem", Body(R"(,"Expected":)" + std::string(expected))), message) << expected;
  }
}

TEST_F(PutItemTest, ConditionalOperatorNeedsTwoConditions) {
  EXPECT_EQ(Refusal("PutItem", Body(R"(,"ConditionalOperator":"AND")")),
            "ConditionalOperator cannot be used without Filter or Expected");
  EXPECT_EQ(Refusal("PutItem", Body(R"(,"ConditionalOperator":"AND","Expected":{"a":{"Exists":false}})")),
            "ConditionalOperator can only be used when Filter or Expected has two or more elements");
}

}  // namespace
}  // namespace cairn::dynamodb
