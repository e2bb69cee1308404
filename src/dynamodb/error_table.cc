#include "dynamodb/error_table.h"

#include <array>

#include "base/check.h"
#include "base/json_text.h"
#include "base/utf8.h"

namespace cairn::dynamodb {
namespace {

struct Row {
  Code code;
  int status;
  std::string_view type;
  std::string_view reason = "InternalServerError";  // the short name
  std::string_view message_member = "message";      // AWS spells it both ways
  std::string_view fixed_message = {};              // shown instead of the error's own
};

#define CORAL "com.amazon.coral.service#"
#define DYNAMODB "com.amazonaws.dynamodb.v20120810#"

// In the order of the enum: the row of a code is at its value.
constexpr auto kRows = std::to_array<Row>({
    {Code::kInvalidArgument, 400, "com.amazon.coral.validate#ValidationException", "ValidationError"},
    {Code::kMalformed, 400, CORAL "SerializationException", "ValidationError", "Message"},
    {Code::kUnknownOperation, 400, CORAL "UnknownOperationException"},
    {Code::kUnauthenticated, 400, CORAL "MissingAuthenticationTokenException"},
    {Code::kIncompleteSignature, 400, CORAL "IncompleteSignatureException"},
    {Code::kInvalidSignature, 400, CORAL "InvalidSignatureException"},
    {Code::kUnknownCredential, 400, CORAL "UnrecognizedClientException"},
    {Code::kAccessDenied, 400, CORAL "AccessDeniedException", "AccessDenied", "Message"},
    {Code::kConditionFailed, 400, DYNAMODB "ConditionalCheckFailedException", "ConditionalCheckFailed"},
    {Code::kTransactionCanceled, 400, DYNAMODB "TransactionCanceledException", "TransactionConflict",
     "Message"},
    {Code::kTransactionConflict, 400, DYNAMODB "TransactionConflictException", "TransactionConflict"},
    {Code::kTransactionInProgress, 400, DYNAMODB "TransactionInProgressException", "TransactionConflict",
     "Message"},
    {Code::kIdempotencyMismatch, 400, DYNAMODB "IdempotentParameterMismatchException", "ValidationError",
     "Message"},
    {Code::kResourceNotFound, 400, DYNAMODB "ResourceNotFoundException", "ResourceNotFound"},
    {Code::kResourceInUse, 400, DYNAMODB "ResourceInUseException"},
    {Code::kTableNotFound, 400, DYNAMODB "TableNotFoundException", "ResourceNotFound"},
    {Code::kTableInUse, 400, DYNAMODB "TableInUseException"},
    {Code::kTableExists, 400, DYNAMODB "TableAlreadyExistsException"},
    {Code::kIndexNotFound, 400, DYNAMODB "IndexNotFoundException", "ResourceNotFound"},
    {Code::kBackupNotFound, 400, DYNAMODB "BackupNotFoundException"},
    {Code::kBackupInUse, 400, DYNAMODB "BackupInUseException"},
    {Code::kLimitExceeded, 400, DYNAMODB "LimitExceededException", "RequestLimitExceeded"},
    {Code::kCollectionTooLarge, 400, DYNAMODB "ItemCollectionSizeLimitExceededException",
     "ItemCollectionSizeLimitExceeded"},
    {Code::kDuplicateItem, 400, DYNAMODB "DuplicateItemException", "DuplicateItem"},
    {Code::kTrimmedData, 400, DYNAMODB "TrimmedDataAccessException"},
    {Code::kExpiredIterator, 400, DYNAMODB "ExpiredIteratorException"},
    {Code::kTooLarge, 413, CORAL "RequestEntityTooLargeException"},
    {Code::kOverloaded, 503, CORAL "ServiceUnavailableException", "ThrottlingError"},
    {Code::kStorageFull, 500, DYNAMODB "InternalServerError", "InternalServerError", "message",
     "The server's disk is full: writes are refused until space is free again, reads continue"},
    {Code::kReadOnly, 500, DYNAMODB "InternalServerError", "InternalServerError", "message",
     "The server could not write to its disk: it takes no writes until it is restarted, reads continue"},
    {Code::kDamaged, 500, DYNAMODB "InternalServerError", "InternalServerError", "message",
     "Stored data did not pass its checks; the server's log says which"},
    {Code::kUnavailable, 503, CORAL "ServiceUnavailableException", "InternalServerError"},
    {Code::kInternal, 500, DYNAMODB "InternalServerError", "InternalServerError", "message",
     "Internal server error"},
});

#undef CORAL
#undef DYNAMODB

static_assert(kRows.size() == static_cast<size_t>(Code::kInternal) + 1, "one row per code");
static_assert(
    [] {
      for (size_t i = 0; i < kRows.size(); ++i) {
        if (static_cast<size_t>(kRows[i].code) != i) return false;
      }
      return true;
    }(),
    "rows are in the order of the enum");

const Row& RowOf(Code code) {
  const auto index = static_cast<size_t>(code);
  CHECK(index < kRows.size(), "every code has a row");
  return kRows[index];
}

// A message can repeat bytes of a header field, which need not be text; answers are.
std::string AsText(std::string_view message) {
  std::string text(message);
  if (IsUtf8(text)) return text;
  for (char& c : text) {
    if ((c & 0x80) != 0) c = '?';
  }
  return text;
}

}  // namespace

std::string_view ExceptionType(Code code) { return RowOf(code).type; }
int HttpStatus(Code code) { return RowOf(code).status; }
std::string_view ReasonCode(Code code) { return RowOf(code).reason; }

std::string_view PublicMessage(const Error& error) {
  const Row& row = RowOf(error.code);
  return row.fixed_message.empty() ? std::string_view(error.message) : row.fixed_message;
}

ErrorReply ReplyFor(const Failure& failure) {
  const Row& row = RowOf(failure.error.code);
  ErrorReply reply{row.status, R"({"__type":")"};
  reply.body.append(row.type).append("\"");
  if (!failure.members.empty()) reply.body.append(",").append(failure.members);
  if (const std::string_view message = PublicMessage(failure.error); !message.empty()) {
    reply.body.append(",\"").append(row.message_member).append("\":");
    AppendJsonString(reply.body, AsText(message));
  }
  reply.body += '}';
  return reply;
}

}  // namespace cairn::dynamodb
