// Dispatch: one HTTP request of the DynamoDB protocol in, one HTTP response out.
//
// POST with X-Amz-Target; the table of operations is in operation_table.cc. Checks in this order: method and
// content type, target, authentication, what the access key is limited to, JSON; then the operation runs, on
// a LeadingKeysStore for a limited access key, on a ReservedTablesStore for any other; without credentials
// on the store itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "base/task.h"
#include "dynamodb/operation_metrics.h"
#include "dynamodb/reserved_tables_store.h"
#include "dynamodb/sigv4.h"
#include "http/http.h"
#include "store/store.h"

namespace cairn::dynamodb {

class Dispatch {
 public:
  // Without credentials every well-formed Authorization is accepted; with some, signatures are verified, and
  // the reserved tables are there only for keys whose credentials name them. All regions see the same tables;
  // with `only_region` requests that were signed for another one are refused.
  Dispatch(store::Store& store, const Clock& clock, Random& random, Credentials credentials = {},
           TableNames reserved_tables = {}, std::string only_region = {});

  // Thread-safe. `request` must live until the task has finished.
  Task<http::Response> Handle(const http::Request& request);
  // Whether a large body is read: with credentials, only for a known access key.
  Task<http::BodyAdmission> AdmitBody(const http::Request& head);

  // The answer to a request that nobody may send here: AccessDeniedException with this sentence.
  http::Response Refusal(int status, std::string sentence);

  std::string MetricsText() const { return metrics_.Text(); }

 private:
  std::string NewRequestId();

  store::Store& store_;
  const Clock& clock_;
  Random& random_;
  const Credentials credentials_;
  const TableNames reserved_tables_;
  ReservedTablesStore open_tables_;
  const std::string only_region_;  // "": any
  const uint64_t request_id_seed_;
  std::atomic<uint64_t> request_count_ = 0;
  OperationMetrics metrics_;
};

}  // namespace cairn::dynamodb
