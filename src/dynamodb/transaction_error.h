// A failed transaction as an answer: the exception's text and its CancellationReasons.
#pragma once

#include "dynamodb/operation.h"
#include "store/item_requests.h"

namespace cairn::dynamodb {

Failure TransactionError(store::TransactionFailure failure);

}  // namespace cairn::dynamodb
