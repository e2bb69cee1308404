// Receipts: answers of requests that came with an Idempotency-Key, kept for a day, so that the same request
// sent again is answered and not done again. A receipt is written in the transaction of what it is about
// (rest::StageAnswer), so a crash leaves both or neither.
//
// An item holds a short answer. A long one is kept in parts, which are written after the transaction: it may
// be full without them. If a crash comes in between, or the answer is too long even so, the repetition is
// told that the request was done, and where to read (409, answer-not-kept).
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/task.h"
#include "http/http.h"
#include "http/problem.h"
#include "model/database.h"
#include "model/session.h"

namespace cairn::rest {

// Which request a receipt is for.
struct ReceiptKey {
  std::string user_id;
  std::string key_hash;      // of method, path and key: the same key on another route is another one
  std::string request_hash;  // of query and body
};

// Fails with 400 when the field is no key: 1 to 255 visible ASCII characters.
Result<ReceiptKey, http::Problem> ReceiptKeyOf(const http::Request& request, const std::string& user_id,
                                               std::string_view idempotency_key);

class Receipts {
 public:
  explicit Receipts(model::Database& platform) : platform_(platform) {}

  // The answer of the same request. Fails with 422 when the key was used for another one.
  Task<Result<std::optional<http::Response>, http::Problem>> Find(const ReceiptKey& key);
  // Stages the receipt; committing fails if there is one already.
  model::Outcome<void> Stage(model::Session& platform, const ReceiptKey& key, const http::Response& response);
  // The parts of an answer that is too long for its receipt; nothing for others.
  Task<model::Outcome<void>> KeepParts(const ReceiptKey& key, const http::Response& response);
  // Writes one on its own: for answers that changed nothing.
  Task<model::Outcome<void>> Keep(const ReceiptKey& key, const http::Response& response);

  // Requests that are being worked on in this process.
  bool Begin(const ReceiptKey& key);
  void End(const ReceiptKey& key);

 private:
  model::Database& platform_;
  std::mutex mutex_;  // guards running_
  std::set<std::string> running_;
};

}  // namespace cairn::rest
