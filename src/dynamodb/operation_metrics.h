// OperationMetrics: how often each operation was called, what came of it, and how long it took.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/metrics.h"
#include "dynamodb/operation_table.h"

namespace cairn::dynamodb {

class OperationMetrics {
 public:
  OperationMetrics();

  // One call, from its making to its end.
  class Call {
   public:
    Call(OperationMetrics& metrics, const Operation& operation);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    void Failed(Code code) { failed_ = code; }

   private:
    OperationMetrics& metrics_;
    const size_t position_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::optional<Code> failed_;
  };

  // Of the operations that were called.
  std::string Text() const;

 private:
  static constexpr size_t kResults = static_cast<size_t>(Code::kInternal) + 2;  // every code, and success
  struct Numbers {
    metrics::Histogram seconds{metrics::SecondBounds()};
    std::array<std::atomic<uint64_t>, kResults> results{};  // success, then the codes
  };
  std::unique_ptr<Numbers[]> operations_;  // in the order of AllOperations()
};

}  // namespace cairn::dynamodb
