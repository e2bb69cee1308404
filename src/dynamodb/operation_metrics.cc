#include "dynamodb/operation_metrics.h"

namespace cairn::dynamodb {
namespace {

std::string ResultName(size_t result) {
  if (result == 0) return "ok";
  std::string name(CodeName(static_cast<Code>(result - 1)));
  for (char& c : name) {
    if (c == ' ') c = '_';
  }
  return name;
}

}  // namespace

OperationMetrics::OperationMetrics() : operations_(std::make_unique<Numbers[]>(AllOperations().size())) {}

OperationMetrics::Call::Call(OperationMetrics& metrics, const Operation& operation)
    : metrics_(metrics), position_(static_cast<size_t>(&operation - AllOperations().data())) {}

OperationMetrics::Call::~Call() {
  Numbers& numbers = metrics_.operations_[position_];
  const size_t result = failed_ ? static_cast<size_t>(*failed_) + 1 : 0;
  numbers.results[result].fetch_add(1, std::memory_order_relaxed);
  numbers.seconds.Observe(std::chrono::steady_clock::now() - start_);
}

std::string OperationMetrics::Text() const {
  constexpr std::string_view kTotal = "cairn_dynamodb_operations_total";
  constexpr std::string_view kSeconds = "cairn_dynamodb_operation_seconds";
  std::string totals, times;
  metrics::AppendHead(totals, kTotal, metrics::Kind::kCounter,
                      "Operations of the DynamoDB protocol, by name and result.");
  metrics::AppendHead(times, kSeconds, metrics::Kind::kHistogram,
                      "Time from the request's last byte to the answer's first, by operation.");
  for (size_t i = 0; i < AllOperations().size(); ++i) {
    const Numbers& numbers = operations_[i];
    if (numbers.seconds.count() == 0) continue;
    const std::string operation = metrics::Label("operation", AllOperations()[i].name());
    for (size_t result = 0; result < kResults; ++result) {
      const uint64_t count = numbers.results[result].load(std::memory_order_relaxed);
      if (count == 0) continue;
      metrics::AppendSample(totals, kTotal, operation + "," + metrics::Label("result", ResultName(result)),
                            static_cast<double>(count));
    }
    numbers.seconds.AppendTo(times, kSeconds, operation);
  }
  return totals + times;
}

}  // namespace cairn::dynamodb
