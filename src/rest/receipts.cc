#include "rest/receipts.h"

#include <algorithm>
#include <vector>

#include "base/temporal_text.h"
#include "base/utf8.h"
#include "models/platform.h"
#include "rest/failure_problem.h"
#include "rest/sha256.h"

namespace cairn::rest {
namespace {

namespace data = models::platform;

constexpr size_t kKeyBytesMax = 255;
constexpr size_t kBodyBytesKept = 300'000;  // of one item
constexpr size_t kPartsMax = 14;            // about 4 MB
// Behind the hash of a request whose answer is in parts: their number, 0 when it was too long for that.
// Stored.
constexpr char kInParts = '/';

model::Caller CallerOf(const ReceiptKey& key) { return model::Caller::User({{"sub", key.user_id}}); }

std::string FieldOf(const http::Response& response, std::string_view name) {
  for (const auto& [field, value] : response.headers) {
    if (http::EqualsIgnoreCase(field, name)) return value;
  }
  return "";
}

http::Response ResponseOf(const data::Receipt& receipt) {
  http::Response response{.status = static_cast<int>(receipt.status),
                          .headers = {{"Idempotent-Replayed", "true"}},
                          .body = receipt.body.value_or("")};
  if (receipt.etag) response.headers.emplace_back("ETag", *receipt.etag);
  if (receipt.location) response.headers.emplace_back("Location", *receipt.location);
  return response;
}

std::optional<std::string> IfAny(std::string text) {
  if (text.empty()) return std::nullopt;
  return text;
}

// Whole characters each.
std::vector<std::string_view> PartsOf(std::string_view body) {
  std::vector<std::string_view> parts;
  while (!body.empty()) {
    const std::string_view part = CutUtf8(body, kBodyBytesKept);
    if (part.empty()) return {};  // no text
    parts.push_back(part);
    body.remove_prefix(part.size());
  }
  return parts;
}
size_t CountParts(const http::Response& response) {
  const size_t count = PartsOf(response.body).size();
  return count > kPartsMax ? 0 : count;
}

// Parts are receipts of their own, under keys that no request has.
std::string PartHash(const ReceiptKey& key, size_t part) {
  return Sha256Text(key.key_hash + " part " + std::to_string(part));
}

http::Problem NotKept(const data::Receipt& receipt) {
  std::string detail = "The request was done and answered with " + std::to_string(receipt.status) +
                       ", and the answer was not kept because of its length.";
  detail += receipt.location ? " Read it at " + *receipt.location : " Read again what it was about.";
  return {.status = 409,
          .code = "answer-not-kept",
          .title = "The request was done before",
          .detail = std::move(detail),
          .errors = {}};
}

data::Receipt ReceiptOf(const ReceiptKey& key, const http::Response& response) {
  data::Receipt receipt;
  receipt.key_hash = key.key_hash;
  receipt.request_hash = key.request_hash;
  receipt.status = response.status;
  receipt.location = IfAny(FieldOf(response, "Location"));
  receipt.etag = IfAny(FieldOf(response, "ETag"));
  if (response.body.size() <= kBodyBytesKept) {
    receipt.body = IfAny(response.body);
  } else {
    receipt.request_hash += kInParts + std::to_string(CountParts(response));
  }
  return receipt;
}

}  // namespace

Result<ReceiptKey, http::Problem> ReceiptKeyOf(const http::Request& request, const std::string& user_id,
                                               std::string_view idempotency_key) {
  const bool visible = std::ranges::all_of(idempotency_key, [](char c) { return c > ' ' && c < 0x7f; });
  if (idempotency_key.empty() || idempotency_key.size() > kKeyBytesMax || !visible) {
    return std::unexpected(http::ProblemOf(
        {Code::kMalformed, "Idempotency-Key must be 1 to 255 visible ASCII characters without spaces"}));
  }
  const std::string separator(1, '\0');
  return ReceiptKey{
      .user_id = user_id,
      .key_hash = Sha256Text(std::string(request.method) + separator + std::string(request.path()) +
                             separator + std::string(idempotency_key)),
      .request_hash =
          Sha256Text(std::string(request.query()) + separator + std::string(request.Header("If-Match")) +
                     separator + std::string(request.body)),
  };
}

Task<Result<std::optional<http::Response>, http::Problem>> Receipts::Find(const ReceiptKey& key) {
  model::Session session(platform_, CallerOf(key));
  const data::ReceiptKey place{.key_hash = key.key_hash};
  auto found = co_await data::GetReceipt(session, place);
  if (!found) co_return std::unexpected(ProblemOf(found.error(), FieldsFrom::kPath));
  if (!*found) co_return std::nullopt;
  data::Receipt receipt = **std::move(found);
  const size_t end = receipt.request_hash.find(kInParts);
  if (receipt.request_hash.substr(0, end) != key.request_hash) {
    co_return std::unexpected(http::ProblemOf(
        {Code::kIdempotencyMismatch,
         "This Idempotency-Key came with another request before: send a new key for a new request"}));
  }
  if (end != std::string::npos) {
    const size_t count = ReadDigits(receipt.request_hash.substr(end + 1)).value_or(0);
    if (count == 0) co_return std::unexpected(NotKept(receipt));
    receipt.body.emplace();
    for (size_t i = 0; i < count; ++i) {
      const data::ReceiptKey part_place{.key_hash = PartHash(key, i)};
      auto part = co_await data::GetReceipt(session, part_place);
      if (!part) co_return std::unexpected(ProblemOf(part.error(), FieldsFrom::kPath));
      if (!*part || !(*part)->body) co_return std::unexpected(NotKept(receipt));
      *receipt.body += *(*part)->body;
    }
  }
  co_return ResponseOf(receipt);
}

Task<model::Outcome<void>> Receipts::KeepParts(const ReceiptKey& key, const http::Response& response) {
  if (response.body.size() <= kBodyBytesKept || CountParts(response) == 0) co_return model::Outcome<void>();
  const std::vector<std::string_view> parts = PartsOf(response.body);
  for (size_t i = 0; i < parts.size(); ++i) {
    model::Session session(platform_, CallerOf(key));
    data::Receipt part;
    part.user_id = key.user_id;
    part.key_hash = PartHash(key, i);
    part.request_hash = key.request_hash;
    part.status = response.status;
    part.body = std::string(parts[i]);
    if (auto staged = data::CreateReceipt(session, part); !staged)
      co_return std::unexpected(std::move(staged).error());
    auto committed = co_await session.Commit();
    // One that is there already is the same.
    if (!committed && committed.error().conflicts.empty())
      co_return std::unexpected(std::move(committed).error());
  }
  co_return model::Outcome<void>();
}

model::Outcome<void> Receipts::Stage(model::Session& platform, const ReceiptKey& key,
                                     const http::Response& response) {
  data::Receipt receipt = ReceiptOf(key, response);
  receipt.user_id = key.user_id;
  auto staged = data::CreateReceipt(platform, receipt);
  if (!staged) return std::unexpected(std::move(staged).error());
  return {};
}

Task<model::Outcome<void>> Receipts::Keep(const ReceiptKey& key, const http::Response& response) {
  model::Session session(platform_, CallerOf(key));
  CO_RETURN_IF_ERROR(Stage(session, key, response));
  auto committed = co_await session.Commit();
  if (!committed) co_return std::unexpected(std::move(committed).error());
  co_return model::Outcome<void>();
}

bool Receipts::Begin(const ReceiptKey& key) {
  std::lock_guard lock(mutex_);
  return running_.insert(key.user_id + '\0' + key.key_hash).second;
}

void Receipts::End(const ReceiptKey& key) {
  std::lock_guard lock(mutex_);
  running_.erase(key.user_id + '\0' + key.key_hash);
}

}  // namespace cairn::rest
