// What every operation of the wire protocol has in common: what it is given and what it answers.
//
// An operation reads its request (request_reader.h), awaits one Store verb and prints the answer
// (json_writer.h). The table of operations is operation_table.cc; dispatch.h runs them.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/aside.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "base/task.h"
#include "dynamodb/arn.h"
#include "store/store.h"

namespace cairn::dynamodb {

class RequestReader;

// What an operation may use. Lives until the operation has finished.
struct OperationContext {
  store::Store& store;
  const Clock& clock;
  Random& random;
  ArnSpace arns;          // region and account that ARNs in the answer carry
  std::string_view body;  // the request's JSON text, e.g. for fingerprints of client tokens
  std::string_view host;  // the request's Host header

  // Whether what reads the whole request leaves the event loop: large ones take many milliseconds.
  Length length() const { return LengthOf(body); }
  static Length LengthOf(std::string_view text) {
    return text.size() > kBodyHereBytesMax ? Length::kLong : Length::kShort;
  }
  static constexpr size_t kBodyHereBytesMax = 256 * 1024;
};

// A failed operation: the error and, for the few exceptions that carry data, further members of the answer as
// JSON text without the outer braces, e.g. "Item":{...} or "CancellationReasons":[...].
struct Failure {
  Error error;
  std::string members;

  Failure(Error e) : error(std::move(e)) {}
  Failure(Error e, std::string json_members) : error(std::move(e)), members(std::move(json_members)) {}
};

// The answer's JSON text, or why there is none.
using Answer = Result<std::string, Failure>;

using Handler = Task<Answer> (*)(const OperationContext& context, const RequestReader& request);

}  // namespace cairn::dynamodb
