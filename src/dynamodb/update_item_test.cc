#include "dynamodb/wire_fixture.h"

namespace cairn::dynamodb {
namespace {

class UpdateItemTest : public WireTest {
 protected:
  UpdateItemTest() {
    store.on_update_item = [this](store::UpdateItemRequest request) {
      asked = std::move(request);
      return store::WriteResponse{};
    };
    store.on_delete_item = [this](store::DeleteItemRequest request) {
      deleted = std::move(request);
      return store::WriteResponse{};
    };
  }
  static std::string Body(std::string_view more) {
    return R"({"TableName":"Orders","Key":{"pk":{"S":"a"}})" + std::string(more) + "}";
  }
  store::UpdateItemRequest asked;
  store::DeleteItemRequest deleted;
};

TEST_F(UpdateItemTest, ReadsExpressions) {
  Answer("UpdateItem", Body(R"(,"UpdateExpression":"SET a = :v REMOVE b","ConditionExpression":"c = :v",)"
                            R"("ExpressionAttributeValues":{":v":{"N":"1"}},"ReturnValues":"UPDATED_NEW")"));
  EXPECT_EQ(asked.update.sets.size(), 1u);
  EXPECT_EQ(asked.update.removes.size(), 1u);
  EXPECT_NE(asked.condition, nullptr);
  EXPECT_EQ(asked.return_values, store::ReturnValues::kUpdatedNew);
}

TEST_F(UpdateItemTest, WithoutAnyUpdateItIsEmpty) {
  Answer("UpdateItem", Body(""));
  EXPECT_TRUE(asked.update.empty());
  EXPECT_EQ(asked.condition, nullptr);
}

TEST_F(UpdateItemTest, AttributeUpdatesAreAnUpdate) {
  Answer("UpdateItem",
         Body(R"(,"AttributeUpdates":{"a":{"Value":{"S":"x"}},"b":{"Action":"DELETE"},)"
              R"("c":{"Action":"ADD","Value":{"N":"1"}},"d":{"Action":"DELETE","Value":{"SS":["x"]}}})"));
  EXPECT_EQ(asked.update.sets.size(), 1u);
  EXPECT_EQ(asked.update.removes.size(), 1u);
  EXPECT_EQ(asked.update.adds.size(), 1u);
  EXPECT_EQ(asked.update.deletes.size(), 1u);
}

TEST_F(UpdateItemTest, RefusesWhatNeedsNoTable) {
  EXPECT_EQ(Refusal("UpdateItem", Body(R"(,"UpdateExpression":"SET a = :v","ConditionExpression":"a = :v",)"
                                       R"("AttributeUpdates":{},"Expected":{},"ConditionalOperator":"AND")")),
            "Can not use both expression and non-expression parameters in the same request: Non-expression "
            "parameters: "
            "{AttributeUpdates, Expected, ConditionalOperator} Expression parameters: {UpdateExpression, "
            "ConditionExpression}");
  EXPECT_EQ(Refusal("UpdateItem", Body(R"(,"ExpressionAttributeValues":{":v":{"S":"x"}})")),
            "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and "
            "ConditionExpression are null");
  EXPECT_EQ(Refusal("UpdateItem", Body(R"(,"UpdateExpression":"")")),
            "Invalid UpdateExpression: The expression can not be empty;");
  EXPECT_EQ(
      Refusal("UpdateItem", Body(R"(,"UpdateExpression":"SET a = :v")")),
      "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute "
      "value: :v");
  EXPECT_EQ(Refusal("UpdateItem", Body(R"(,"UpdateExpression":"SET a = :v",)"
                                       R"("ExpressionAttributeValues":{":v":{"S":"x"},":w":{"S":"x"}})")),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}");
  EXPECT_EQ(
      Refusal("UpdateItem", Body(R"(,"AttributeUpdates":{"a":{"Action":"PUT"}})")),
      "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is "
      "specified");
  EXPECT_EQ(Refusal("UpdateItem", Body(R"(,"AttributeUpdates":{"a":{"Action":"NO"}})")),
            "1 validation error detected: Value 'NO' at 'attributeUpdates.a.member.action' failed to satisfy "
            "constraint: Member must satisfy enum value set: [ADD, DELETE, PUT]");
}

TEST_F(UpdateItemTest, DeleteItemReadsItsParameters) {
  EXPECT_EQ(Answer("DeleteItem",
                   Body(R"(,"ConditionExpression":"attribute_exists(pk) ","ReturnValues":"ALL_OLD")")),
            "{}");
  EXPECT_EQ(deleted.key, (item::Item{{"pk", "a"}}));
  EXPECT_NE(deleted.condition, nullptr);
  EXPECT_EQ(deleted.return_values, store::ReturnValues::kAllOld);
  EXPECT_EQ(Refusal("DeleteItem", Body(R"(,"ReturnValues":"UPDATED_OLD")")),
            "ReturnValues can only be ALL_OLD or NONE");
}

}  // namespace
}  // namespace cairn::dynamodb
