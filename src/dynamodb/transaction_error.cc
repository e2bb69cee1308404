#include "dynamodb/transaction_error.h"

#include "dynamodb/error_table.h"
#include "dynamodb/json_writer.h"
#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

std::string_view CodeOf(const store::CancellationReason& reason) {
  return reason.error ? ReasonCode(reason.error->code) : "None";
}

std::string Summary(const std::vector<store::CancellationReason>& reasons) {
  std::string text = "Transaction cancelled, please refer cancellation reasons for specific reasons [";
  for (size_t i = 0; i < reasons.size(); ++i) {
    if (i > 0) text += ", ";
    text += CodeOf(reasons[i]);
  }
  return text + "]";
}

std::string ReasonsMember(const std::vector<store::CancellationReason>& reasons) {
  JsonWriter json;
  json.Key("CancellationReasons").BeginArray();
  for (const store::CancellationReason& reason : reasons) {
    json.BeginObject().Member("Code", CodeOf(reason));
    if (reason.existing) item::AppendItemJson(json.Key("Item").RawValue(), *reason.existing);
    if (reason.error) json.Member("Message", PublicMessage(*reason.error));
    json.EndObject();
  }
  json.EndArray();
  return json.Take();
}

}  // namespace

Failure TransactionError(store::TransactionFailure failure) {
  if (failure.error.code != Code::kTransactionCanceled) return Failure(std::move(failure.error));
  failure.error.message = Summary(failure.reasons);
  return Failure(std::move(failure.error), ReasonsMember(failure.reasons));
}

}  // namespace cairn::dynamodb
