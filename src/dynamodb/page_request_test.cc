#include "dynamodb/page_request.h"

#include "dynamodb/wire_fixture.h"

namespace cairn::dynamodb {
namespace {

class PageTest : public WireTest {
 protected:
  PageTest() {
    store.on_query = [this](store::QueryRequest request) {
      asked = std::move(request);
      store::PageResponse response;
      response.items = {item::PackedItem::Pack(item::Item{{"pk", "a"}})};
      response.count = 1;
      response.scanned_count = 2;
      response.last_evaluated_key = item::Item{{"pk", "a"}};
      return response;
    };
    store.on_scan = [this](store::ScanRequest request) {
      scanned = std::move(request);
      return store::PageResponse{};
    };
  }
  static std::string QueryBody(std::string_view more) {
    return R"({"TableName":"Orders","KeyConditionExpression":"pk = :p",)"
           R"("ExpressionAttributeValues":{":p":{"S":"a"}})" +
           std::string(more) + "}";
  }
  static std::string ScanBody(std::string_view more) {
    return R"({"TableName":"Orders")" + std::string(more) + "}";
  }
  store::QueryRequest asked;
  store::ScanRequest scanned;
};

TEST_F(PageTest, QueryReadsEveryParameter) {
  EXPECT_EQ(
      Answer("Query", R"({"TableName":"Orders","IndexName":"by-date","KeyConditionExpression":"pk = :p",)"
                      R"("FilterExpression":"x = :p","ProjectionExpression":"a, b","Limit":5,)"
                      R"("ExpressionAttributeValues":{":p":{"S":"a"}},"ScanIndexForward":false,)"
                      R"("ExclusiveStartKey":{"pk":{"S":"a"}},"Select":"SPECIFIC_ATTRIBUTES",)"
                      R"("ConsistentRead":true,"ReturnConsumedCapacity":"INDEXES"})"),
      R"({"Count":1,"ScannedCount":2,"Items":[{"pk":{"S":"a"}}],"LastEvaluatedKey":{"pk":{"S":"a"}}})");
  EXPECT_EQ(asked.table, "Orders");
  EXPECT_EQ(asked.index, "by-date");
  ASSERT_EQ(asked.key_condition.comparisons.size(), 1u);
  EXPECT_EQ(asked.key_condition.comparisons[0].attribute, "pk");
  EXPECT_NE(asked.filter, nullptr);
  EXPECT_EQ(asked.projection->paths.size(), 2u);
  EXPECT_EQ(asked.limit, 5);
  EXPECT_EQ(asked.order, store::Order::kDescending);
  EXPECT_EQ(asked.exclusive_start_key, (item::Item{{"pk", "a"}}));
  EXPECT_EQ(asked.select, store::Select::kSpecificAttributes);
  EXPECT_EQ(asked.consistency, store::Consistency::kStrong);
}

TEST_F(PageTest, CountHasNoItems) {
  EXPECT_EQ(Answer("Query", QueryBody(R"(,"Select":"COUNT")")),
            R"({"Count":1,"ScannedCount":2,"LastEvaluatedKey":{"pk":{"S":"a"}}})");
}

TEST_F(PageTest, OlderParametersBecomeTheSameTrees) {
  Answer("Query",
         R"({"TableName":"Orders","KeyConditions":{"pk":{"ComparisonOperator":"EQ",)"
         R"("AttributeValueList":[{"S":"a"}]},"sk":{"ComparisonOperator":"BETWEEN",)"
         R"("AttributeValueList":[{"N":"1"},{"N":"2"}]}},"ConditionalOperator":"OR",)"
         R"("QueryFilter":{"x":{"ComparisonOperator":"NULL"},)"
         R"("y":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}},"AttributesToGet":["x"]})");
  EXPECT_EQ(asked.key_condition.comparisons.size(), 2u);
  ASSERT_NE(asked.filter, nullptr);
  EXPECT_TRUE(expr::EvaluateCondition(*asked.filter, item::Item{{"x", "1"}, {"y", "a"}}));
  EXPECT_EQ(asked.projection->paths.size(), 1u);
}

TEST_F(PageTest, KeyConditionsMayGoWithAFilterExpression) {
  Answer("Query", R"({"TableName":"Orders","KeyConditions":{"pk":{"ComparisonOperator":"EQ",)"
                  R"("AttributeValueList":[{"S":"a"}]}},"FilterExpression":"attribute_exists(x) "})");
  EXPECT_EQ(asked.key_condition.comparisons.size(), 1u);
  EXPECT_NE(asked.filter, nullptr);
}

TEST_F(PageTest, QueryRefusesWhatNeedsNoTable) {
  EXPECT_EQ(Refusal("Query", R"({"TableName":"Orders"})"),
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
  EXPECT_EQ(Refusal("Query", R"({"TableName":"Orders","KeyConditions":{}})"),
            "Conditions can be of length 1 or 2 only");
  EXPECT_EQ(
      Refusal("Query", QueryBody(R"(,"Limit":0)")),
      "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value "
      "greater than or equal to 1");
  EXPECT_EQ(Refusal("Query", QueryBody(R"(,"Select":"X")")),
            "1 validation error detected: Value 'X' at 'select' failed to satisfy constraint: Member must "
            "satisfy enum "
            "value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]");
  EXPECT_EQ(
      Refusal("Query", QueryBody(R"(,"KeyConditions":{},"QueryFilter":{},"ProjectionExpression":"a")")),
      "Can not use both expression and non-expression parameters in the same request: Non-expression "
      "parameters: "
      "{QueryFilter, KeyConditions} Expression parameters: {ProjectionExpression, KeyConditionExpression}");
  EXPECT_EQ(Refusal("Query", R"({"TableName":"Orders","KeyConditionExpression":""})"),
            "Invalid KeyConditionExpression: The expression can not be empty;");
  EXPECT_EQ(Refusal("Query", R"({"TableName":"Orders","ExpressionAttributeValues":{":v":{"S":"a"}}})"),
            "ExpressionAttributeValues can only be specified when using expressions: FilterExpression and "
            "KeyConditionExpression are null");
  EXPECT_EQ(
      Refusal("Query", QueryBody(R"(,"FilterExpression":"#m = :p")")),
      "Invalid FilterExpression: An expression attribute name used in the document path is not defined; "
      "attribute name: #m");
}

TEST_F(PageTest, SelectMustFitTheAttributesAskedFor) {
  const std::string prefix = "One or more parameter values were invalid: ";
  EXPECT_EQ(Refusal("Query", QueryBody(R"(,"Select":"SPECIFIC_ATTRIBUTES")")),
            prefix +
                "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
                "SPECIFIC_ATTRIBUTES");
  EXPECT_EQ(Refusal("Scan", ScanBody(R"(,"Select":"ALL_ATTRIBUTES","ProjectionExpression":"pk")")),
            prefix + "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES");
  EXPECT_EQ(Refusal("Scan", ScanBody(R"(,"Select":"COUNT","AttributesToGet":["pk"])")),
            "Cannot specify the AttributesToGet when choosing to get only the Count");
  EXPECT_EQ(Refusal("Scan", ScanBody(R"(,"Select":"ALL_PROJECTED_ATTRIBUTES")")),
            prefix + "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
}

TEST_F(PageTest, BadStartKeysAreNamed) {
  EXPECT_EQ(Refusal("Scan", ScanBody(R"(,"ExclusiveStartKey":{"pk":{}})")),
            "The provided starting key is invalid: Supplied AttributeValue is empty, must contain exactly "
            "one of the "
            "supported datatypes");
  EXPECT_EQ(Refusal("Scan", ScanBody(R"(,"ExclusiveStartKey":{"pk":{"N":"x"}})")),
            "The parameter cannot be converted to a numeric value: x");
}

TEST_F(PageTest, ScanReadsSegments) {
  EXPECT_EQ(Answer("Scan", ScanBody(R"(,"Segment":2,"TotalSegments":4)")),
            R"({"Count":0,"ScannedCount":0,"Items":[]})");
  EXPECT_EQ(scanned.segment, 2);
  EXPECT_EQ(scanned.total_segments, 4);
  EXPECT_EQ(
      Refusal("Scan", ScanBody(R"(,"Segment":0)")),
      "The TotalSegments parameter is required but was not present in the request when Segment parameter is "
      "present");
  EXPECT_EQ(
      Refusal("Scan", ScanBody(R"(,"TotalSegments":4)")),
      "The Segment parameter is required but was not present in the request when parameter TotalSegments is "
      "present");
  EXPECT_EQ(Refusal("Scan", ScanBody(R"(,"Segment":5,"TotalSegments":5)")),
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 "
            "is not less "
            "than TotalSegments: 5");
  EXPECT_EQ(Refusal("Scan", ScanBody(R"(,"Limit":0)")),
            "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must "
            "have value "
            "greater than or equal to 1");
}

}  // namespace
}  // namespace cairn::dynamodb
