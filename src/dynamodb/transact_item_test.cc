#include "dynamodb/wire_fixture.h"

namespace cairn::dynamodb {
namespace {

class TransactItemTest : public WireTest {
 protected:
  TransactItemTest() {
    store.on_transact_write_items = [this](store::TransactWriteItemsRequest request) {
      asked = std::move(request);
      return store::TransactWriteItemsResponse{{{.table = "Orders", .table_units = {.read = 0, .write = 2}}},
                                               {}};
    };
    store.on_transact_get_items = [this](store::TransactGetItemsRequest request) {
      got = std::move(request);
      return store::TransactGetItemsResponse{{item::PackedItem::Pack(item::Item{{"pk", "a"}}), std::nullopt},
                                             {{.table = "Orders", .table_units = {.read = 2}}}};
    };
  }
  std::string FingerprintOf(std::string body) {
    Answer("TransactWriteItems", std::move(body));
    return asked.token_fingerprint;
  }
  store::TransactWriteItemsRequest asked;
  store::TransactGetItemsRequest got;
};

TEST_F(TransactItemTest, WriteReadsEveryKindOfAction) {
  EXPECT_EQ(
      Answer(
          "TransactWriteItems",
          R"({"ClientRequestToken":"t","ReturnConsumedCapacity":"TOTAL","TransactItems":[)"
          R"({"ConditionCheck":{"TableName":"A-1","Key":{"pk":{"S":"a"}},"ConditionExpression":"attribute_exists(x) "}},)"
          R"({"Put":{"TableName":"B-1","Item":{"pk":{"S":"b"}},"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}},)"
          R"({"Delete":{"TableName":"C-1","Key":{"pk":{"S":"c"}}}},)"
          R"({"Update":{"TableName":"D-1","Key":{"pk":{"S":"d"}},"UpdateExpression":"SET a = :v",)"
          R"("ConditionExpression":"b = :v","ExpressionAttributeValues":{":v":{"S":"x"}}}}]})"),
      R"({"ConsumedCapacity":[{"TableName":"Orders","CapacityUnits":2.0,"WriteCapacityUnits":2.0}]})");
  ASSERT_EQ(asked.actions.size(), 4u);
  EXPECT_NE(std::get<store::ConditionCheck>(asked.actions[0].action).condition, nullptr);
  EXPECT_EQ(std::get<store::TransactPut>(asked.actions[1].action).table, "B-1");
  EXPECT_EQ(asked.actions[1].on_condition_failure, store::OnConditionFailure::kReturnOldItem);
  EXPECT_EQ(std::get<store::TransactDelete>(asked.actions[2].action).key, (item::Item{{"pk", "c"}}));
  EXPECT_EQ(std::get<store::TransactUpdate>(asked.actions[3].action).update.sets.size(), 1u);
  EXPECT_EQ(asked.client_token, "t");
  EXPECT_EQ(asked.token_fingerprint.size(), 32u);
}

TEST_F(TransactItemTest, FingerprintIsAboutMeaningNotLayout) {
  const std::string one = FingerprintOf(
      R"({"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"Orders","Item":{"a":{"N":"1"},"b":{"S":"x"}}}}]})");
  EXPECT_EQ(one,
            FingerprintOf(
                R"({"TransactItems": [{"Put":{"Item":{"b":{"S":"x"},"a":{"N":"1.0"}},)"
                R"("TableName":"Orders"}}], "ReturnConsumedCapacity":"TOTAL","ClientRequestToken":"t"})"));
  EXPECT_NE(one, FingerprintOf(R"({"ClientRequestToken":"t","TransactItems":[)"
                               R"({"Put":{"TableName":"Orders","Item":{"a":{"N":"2"},"b":{"S":"x"}}}}]})"));
  EXPECT_NE(one,
            FingerprintOf(
                R"({"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"Orders",)"
                R"("ConditionExpression":"attribute_exists(a) ","Item":{"a":{"N":"1"},"b":{"S":"x"}}}}]})"));
}

TEST_F(TransactItemTest, WriteRefusesWhatNeedsNoTable) {
  EXPECT_EQ(Refusal("TransactWriteItems", R"({"TransactItems":[]})"),
            "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member "
            "must have "
            "length greater than or equal to 1");
  EXPECT_EQ(Refusal("TransactWriteItems", R"({"TransactItems":[{}]})"),
            "TransactItems can only contain one of Check, Put, Update or Delete");
  EXPECT_EQ(Refusal("TransactWriteItems", R"({"TransactItems":[{"Put":{"TableName":"Orders","Item":{}},)"
                                          R"("Delete":{"TableName":"Orders","Key":{}}}]})"),
            "TransactItems can only contain one of Check, Put, Update or Delete");
  EXPECT_EQ(
      Refusal("TransactWriteItems", R"({"TransactItems":[{"Update":{"TableName":"Orders","Key":{}}}]})"),
      "1 validation error detected: Value null at 'transactItems.1.member.update.updateExpression' failed to "
      "satisfy constraint: Member must not be null");
  EXPECT_EQ(
      Refusal("TransactWriteItems", R"({"ClientRequestToken":")" + std::string(37, 'x') +
                                        R"(","TransactItems":[{"Put":{"TableName":"Orders","Item":{}}}]})"),
      "1 validation error detected: Value '" + std::string(37, 'x') +
          "' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or "
          "equal to "
          "36");
}

TEST_F(TransactItemTest, WriteRefusesMoreThanFourMegabytes) {
  std::string body = R"({"TransactItems":[)";
  for (int i = 0; i < 12; ++i) {
    if (i > 0) body += ',';
    body += R"({"Put":{"TableName":"Orders","Item":{"pk":{"S":")" + std::to_string(i) + R"("},"x":{"S":")" +
            std::string(360'000, 'x') + R"("}}}})";
  }
  EXPECT_EQ(Refusal("TransactWriteItems", body + "]}"),
            "Transaction request cannot include items whose aggregate size exceeds 4 MB");
}

TEST_F(TransactItemTest, CancellationListsEveryReason) {
  store.on_transact_write_items = [](store::TransactWriteItemsRequest)
      -> Result<store::TransactWriteItemsResponse, store::TransactionFailure> {
    std::vector<store::CancellationReason> reasons(3);
    reasons[1].error = Error{Code::kConditionFailed, "The conditional request failed"};
    reasons[1].existing = item::PackedItem::Pack(item::Item{{"pk", "a"}});
    reasons[2].error = Error{Code::kInvalidArgument, "bad"};
    return std::unexpected(store::TransactionFailure({Code::kTransactionCanceled, ""}, std::move(reasons)));
  };
  EXPECT_EQ(
      Call("TransactWriteItems", R"({"TransactItems":[{"Put":{"TableName":"Orders","Item":{}}}]})").body,
      R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
      R"("CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Item":{"pk":{"S":"a"}},)"
      R"("Message":"The conditional request failed"},{"Code":"ValidationError","Message":"bad"}],)"
      R"("Message":"Transaction cancelled, please refer cancellation reasons for specific reasons )"
      R"([None, ConditionalCheckFailed, ValidationError]"})");
}

TEST_F(TransactItemTest, GetAnswersInOrder) {
  EXPECT_EQ(Answer("TransactGetItems",
                   R"({"ReturnConsumedCapacity":"TOTAL","TransactItems":[{"Get":{"TableName":"Orders",)"
                   R"("Key":{"pk":{"S":"a"}},"ProjectionExpression":"pk"}},)"
                   R"({"Get":{"TableName":"Orders","Key":{"pk":{"S":"b"}}}}]})"),
            R"({"Responses":[{"Item":{"pk":{"S":"a"}}},{}],"ConsumedCapacity":[{"TableName":"Orders",)"
            R"("CapacityUnits":2.0,"ReadCapacityUnits":2.0}]})");
  ASSERT_EQ(got.gets.size(), 2u);
  EXPECT_TRUE(got.gets[0].projection.has_value());
  EXPECT_EQ(got.gets[1].key, (item::Item{{"pk", "b"}}));
}

TEST_F(TransactItemTest, GetRefusesWhatNeedsNoTable) {
  EXPECT_EQ(Refusal("TransactGetItems", R"({"TransactItems":[]})"),
            "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member "
            "must have "
            "length greater than or equal to 1");
  EXPECT_EQ(
      Refusal("TransactGetItems", R"({"TransactItems":[{}]})"),
      "1 validation error detected: Value null at 'transactItems.1.member.get' failed to satisfy constraint: "
      "Member must not be null");
  EXPECT_EQ(
      Refusal("TransactGetItems", R"({"TransactItems":[{"Get":{"TableName":"Orders","Key":{"pk":{"S":"a"}},)"
                                  R"("ProjectionExpression":"!!!"}}]})"),
      R"(Invalid ProjectionExpression: Syntax error; token: \"!\", near: \"!!\")");
}

}  // namespace
}  // namespace cairn::dynamodb
