#include "dynamodb/error_table.h"

#include <set>

namespace cairn::dynamodb {
namespace {

std::vector<Code> AllCodes() {
  std::vector<Code> codes;
  for (int i = 0; i <= static_cast<int>(Code::kInternal); ++i) codes.push_back(static_cast<Code>(i));
  return codes;
}

TEST(ErrorTable, EveryCodeHasTypeStatusAndReason) {
  for (const Code code : AllCodes()) {
    const std::string_view type = ExceptionType(code);
    EXPECT_TRUE(type.starts_with("com.amazon")) << CodeName(code);
    EXPECT_NE(type.find('#'), type.npos) << CodeName(code);
    EXPECT_TRUE(HttpStatus(code) >= 400 && HttpStatus(code) < 600) << CodeName(code);
    EXPECT_FALSE(ReasonCode(code).empty()) << CodeName(code);
  }
}

TEST(ErrorTable, ExceptionsAreDistinctExceptForServerFaults) {
  std::set<std::string_view> types;
  for (const Code code : AllCodes()) {
    if (HttpStatus(code) < 500) {
      EXPECT_TRUE(types.insert(ExceptionType(code)).second) << CodeName(code);
    }
  }
}

TEST(ReplyFor, PrintsTypeAndMessage) {
  const ErrorReply reply = ReplyFor(Error{Code::kResourceNotFound, "Requested resource not found"});
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(reply.body, R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
                        R"("message":"Requested resource not found"})");
}

TEST(ReplyFor, AddsTheFailuresMembers) {
  const ErrorReply reply = ReplyFor(Failure({Code::kConditionFailed, "no"}, R"("Item":{"a":{"S":"b"}})"));
  EXPECT_EQ(reply.body, R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
                        R"("Item":{"a":{"S":"b"}},"message":"no"})");
}

TEST(ReplyFor, LeavesOutAnEmptyMessage) {
  EXPECT_EQ(ReplyFor(Error{Code::kUnknownOperation, ""}).body,
            R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
}

TEST(ReplyFor, ServerFaultsNeverShowTheirInside) {
  for (const Code code : {Code::kInternal, Code::kDamaged, Code::kReadOnly, Code::kStorageFull}) {
    const ErrorReply reply = ReplyFor(Error{code, "/var/lib/cairn/000042.sst: checksum mismatch"});
    EXPECT_EQ(reply.status, 500);
    EXPECT_EQ(reply.body.find("/var"), reply.body.npos) << reply.body;
    EXPECT_NE(reply.body.find("InternalServerError"), reply.body.npos);
    EXPECT_NE(reply.body.find("\"message\":\""), reply.body.npos);
  }
  EXPECT_EQ(HttpStatus(Code::kOverloaded), 503);
}

TEST(ReplyFor, BytesThatAreNoTextAreNotRepeated) {
  const ErrorReply reply = ReplyFor(Error{Code::kIncompleteSignature, "got '\xff\xfe\"'"});
  EXPECT_NE(reply.body.find(R"(got '??\"')"), reply.body.npos) << reply.body;
  EXPECT_NE(ReplyFor(Error{Code::kIncompleteSignature, "gr\u00fcn"}).body.find("gr\u00fcn"), reply.body.npos);
}

TEST(ReasonCode, NamesWhatTransactionsReport) {
  EXPECT_EQ(ReasonCode(Code::kConditionFailed), "ConditionalCheckFailed");
  EXPECT_EQ(ReasonCode(Code::kTransactionConflict), "TransactionConflict");
  EXPECT_EQ(ReasonCode(Code::kInvalidArgument), "ValidationError");
  EXPECT_EQ(ReasonCode(Code::kCollectionTooLarge), "ItemCollectionSizeLimitExceeded");
  EXPECT_EQ(ReasonCode(Code::kDuplicateItem), "DuplicateItem");
  EXPECT_EQ(ReasonCode(Code::kResourceNotFound), "ResourceNotFound");
}

}  // namespace
}  // namespace cairn::dynamodb
