// From cairn::Code to what goes over the wire: exception name, HTTP status, JSON body.
#pragma once

#include <string>
#include <string_view>

#include "dynamodb/operation.h"

namespace cairn::dynamodb {

struct ErrorReply {
  int status = 400;
  std::string body;
};

// The whole answer of a failed operation. Codes that tell about the inside of the server (kInternal, kDamaged
// and the like) answer with a fixed sentence instead of the error's own message.
ErrorReply ReplyFor(const Failure& failure);

// "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"
std::string_view ExceptionType(Code code);
int HttpStatus(Code code);
// The message a client may see.
std::string_view PublicMessage(const Error& error);

// The short names used inside answers: in a transaction's CancellationReasons ("ConditionalCheckFailed",
// "TransactionConflict", "ValidationError", ...) and in the errors of a statement batch.
std::string_view ReasonCode(Code code);

}  // namespace cairn::dynamodb
