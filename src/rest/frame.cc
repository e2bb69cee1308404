#include "rest/frame.h"

#include <algorithm>

#include "base/check.h"
#include "base/log.h"
#include "rest/failure_problem.h"
#include "rest/json_object.h"
#include "rest/openapi.h"
#include "rest/origin.h"
#include "rest/request_rules.h"

namespace cairn::rest {
namespace {

constexpr int kVersionDiffers = 412;

bool IsChange(const http::Request& request) { return request.method != "GET" && request.method != "HEAD"; }

http::Problem Forbidden(std::string detail) {
  return {.status = 403,
          .code = "forbidden",
          .title = "The caller may not do this",
          .detail = std::move(detail),
          .errors = {}};
}

http::Problem VersionNeeded() {
  return {.status = 428,
          .code = "version-required",
          .title = "The change must say which version it is about",
          .detail = "Send If-Match with the ETag of what was read",
          .errors = {}};
}

http::Problem VersionDiffers() {
  return {.status = kVersionDiffers,
          .code = "version-mismatch",
          .title = "It was changed by someone else",
          .detail = "None of the tags of If-Match is the present one",
          .errors = {}};
}

bool IsUserId(const std::string& text) {
  static const model::ValueType kId{.kind = model::Kind::kId};
  item::AttributeValue value(text);
  return model::CheckValue(kId, {}, value).has_value();
}

bool SameText(std::string_view a, std::string_view b) {
  unsigned char differs = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) differs |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differs == 0;
}

// The JSON body, empty when there is none; or the body as it is for endpoints that take another media type.
Result<item::Item, http::Problem> BodyOf(const http::Request& request, const Endpoint& endpoint) {
  if (request.body.size() > endpoint.info.body_bytes_max) {
    return std::unexpected(
        http::ProblemOf({Code::kTooLarge, "A body has at most " +
                                              std::to_string(endpoint.info.body_bytes_max) + " bytes here"}));
  }
  if (request.body.empty() || !IsChange(request)) return item::Item();
  if (!endpoint.request_media_type.empty()) {
    RETURN_IF_ERROR(CheckMediaType(request, endpoint.request_media_type));
    return item::Item();
  }
  const BodyKind kind = request.method == "PATCH" ? BodyKind::kMergePatch : BodyKind::kJson;
  RETURN_IF_ERROR(CheckBody(request, kind, endpoint.info.body_bytes_max));
  auto parsed = ParseJsonObject(request.body);
  if (!parsed) return std::unexpected(ProblemOf(parsed.error(), FieldsFrom::kBody));
  return *std::move(parsed);
}

std::string_view HeaderOf(const http::Response& response, std::string_view name) {
  for (const auto& [field, value] : response.headers) {
    if (http::EqualsIgnoreCase(field, name)) return value;
  }
  return {};
}

// A change that was made for one of several versions is tried for one after the other: only the present one
// is not refused, and a refusal has changed nothing.
Task<Result<http::Response, http::Problem>> Perform(const Endpoint& endpoint, Call& call,
                                                    const RequestParts& parts) {
  auto handled = co_await endpoint.handle(call, parts);
  for (IfMatch& other : call.if_match_others) {
    if (handled || handled.error().status != kVersionDiffers) break;
    call.if_match = std::move(other);
    handled = co_await endpoint.handle(call, parts);
  }
  co_return handled;
}

// Ends a request's claim to its Idempotency-Key.
class Claim {
 public:
  Claim(Receipts& receipts, const ReceiptKey& key) : receipts_(receipts), key_(key) {}
  ~Claim() { receipts_.End(key_); }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  Receipts& receipts_;
  const ReceiptKey& key_;
};

}  // namespace

Frame::Frame(FrameOptions options, Authenticator& authenticator, Receipts& receipts)
    : options_(std::move(options)), authenticator_(authenticator), receipts_(receipts) {}

void Frame::Add(std::vector<Endpoint> endpoints) {
  for (Endpoint& endpoint : endpoints) {
    size_t& bytes_max = endpoint.info.body_bytes_max;
    if (endpoint.info.permission == Permission::kAnyone)
      bytes_max = std::min(bytes_max, http::kSmallBodyBytes);
    endpoints_.push_back(std::move(endpoint));
  }
}

std::vector<http::Route> Frame::Routes() {
  openapi_ =
      OpenApi({.title = options_.title, .version = options_.version, .cookie_name = options_.cookie_name},
              endpoints_);
  metrics_ = std::vector<RouteMetrics>(endpoints_.size());
  std::vector<http::Route> routes;
  for (size_t i = 0; i < endpoints_.size(); ++i) {
    routes.push_back({endpoints_[i].info.method, endpoints_[i].info.path,
                      [this, i](const http::Request& request, const http::PathParameters& path) {
                        return Measure(i, request, path);
                      },
                      [this, i](const http::Request& head) { return AdmitBody(i, head); }});
  }
  routes.push_back({"GET", "/openapi.json",
                    [this](const http::Request&, const http::PathParameters&) -> Task<http::Response> {
                      co_return http::Response{
                          .status = 200, .headers = {{"Cache-Control", "no-cache"}}, .body = openapi_};
                    }});
  return routes;
}

Task<http::Response> Frame::Measure(size_t position, const http::Request& request,
                                    const http::PathParameters& path) {
  const auto start = std::chrono::steady_clock::now();
  http::Response response = co_await Handle(endpoints_[position], request, path);
  metrics_[position].Observe(response.status, std::chrono::steady_clock::now() - start);
  co_return response;
}

Task<http::Response> Frame::Handle(const Endpoint& endpoint, const http::Request& request,
                                   const http::PathParameters& path) {
  Handled handled = co_await Run(endpoint, request, path);
  if (!handled) co_return http::ToResponse(handled.error());
  http::Response& response = *handled;
  if (!IsChange(request)) {
    const std::string_view tag = HeaderOf(response, "ETag");
    if (HasField(request, "If-Match")) {
      const auto asked = ParseIfMatch(request.Header("If-Match"));  // admitted, so it can be read
      if (!asked || !Holds(*asked, tag)) co_return http::ToResponse(VersionDiffers());
    }
    if (!tag.empty() && HasTag(request.Header("If-None-Match"), tag)) {
      response.status = 304;
      response.body.clear();
      response.source = nullptr;
    }
  }
  if (HeaderOf(response, "Cache-Control").empty())
    response.headers.emplace_back("Cache-Control", IsChange(request) ? "no-store" : "private, no-cache");
  co_return std::move(response);
}

Task<Frame::Handled> Frame::Run(const Endpoint& endpoint, const http::Request& request,
                                const http::PathParameters& path) {
  auto call = co_await Admit(endpoint, request, Stage::kComplete);
  if (!call) co_return std::unexpected(std::move(call).error());
  http::Account account;
  std::optional<RequestsInFlight::Place> place;
  if (call->identified) {
    account = http::Account::OfUser(call->user_id());
    place.emplace(in_flight_, account);
    if (!place->is_taken()) {
      co_return std::unexpected(http::ProblemOf(
          {Code::kOverloaded, "Too many of your requests are being worked on: wait for some answers"}));
    }
  }
  auto read_body = [&] { return BodyOf(request, endpoint); };
  CO_ASSIGN_OR_RETURN(const item::Item body, co_await Aside(read_body, LengthOfBody(request)));
  auto query = http::QueryParameters::Parse(request.query());
  if (!query) co_return std::unexpected(http::ProblemOf(query.error()));
  const RequestParts parts{.path = path, .query = *query, .body = body, .document = request.body};
  CO_ASSIGN_OR_RETURN(const std::string_view key, SingleField(request, "Idempotency-Key"));
  const bool keyed = HasField(request, "Idempotency-Key");
  const bool keeps = IsChange(request) && endpoint.info.keeps_receipt && call->identified && keyed;
  // Not one expression with ?: g++ 12 destroys the chosen side's result twice.
  // Unread, the answer takes memory of the share of whoever asked.
  const auto charged = [&](Handled handled) {
    if (handled && handled->account == http::Account()) handled->account = account;
    return handled;
  };
  if (keeps) {
    Handled kept = co_await RunOnce(endpoint, *call, parts, key);
    co_return charged(std::move(kept));
  }
  Handled handled = co_await Perform(endpoint, *call, parts);
  co_return charged(std::move(handled));
}

Task<http::BodyAdmission> Frame::AdmitBody(size_t position, const http::Request& head) {
  const Endpoint& endpoint = endpoints_[position];
  http::BodyAdmission admission = http::AdmitUpTo(endpoint.info.body_bytes_max);
  const auto call = co_await Admit(endpoint, head, Stage::kHead);
  if (!call) {
    admission.admitted = false;
    admission.refusal = http::ToResponse(call.error());
    metrics_[position].Observe(admission.refusal.status, {});
  } else if (call->identified) {
    admission.account = http::Account::OfUser(call->user_id());
  }
  co_return admission;
}

Task<Result<Call, http::Problem>> Frame::Admit(const Endpoint& endpoint, const http::Request& request,
                                               Stage stage) {
  Call call{
      .request = request, .endpoint = endpoint.info, .identified = {}, .if_match = {}, .stage_receipt = {}};
  if (endpoint.info.permission != Permission::kAnyone) {
    auto identified = co_await authenticator_.Identify(request);
    if (!identified) co_return std::unexpected(http::ProblemOf(identified.error()));
    call.identified = *std::move(identified);
    // Tokens of operators may name anybody; but what is no id has no place in a key.
    if (!IsUserId(call.identified->user_id)) {
      co_return std::unexpected(http::ProblemOf(
          {Code::kUnauthenticated, "The token is not valid: its subject cannot be a user id"}));
    }
    if (endpoint.info.permission == Permission::kOperator && !call.identified->is_operator)
      co_return std::unexpected(Forbidden("This is for operators: cairn token --claim role=operator"));
  }
  if (options_.admission != nullptr) {
    const std::string_view user_id = call.identified ? std::string_view(call.identified->user_id) : "";
    Admission& admission = *options_.admission;
    CO_RETURN_IF_ERROR(stage == Stage::kHead ? admission.Consider(endpoint.info, user_id, request)
                                             : admission.Admit(endpoint.info, user_id, request));
  }
  CO_RETURN_IF_ERROR(CheckSender(endpoint, request, call.identified));
  CO_ASSIGN_OR_RETURN(const std::string_view if_match, SingleField(request, "If-Match"));
  if (HasField(request, "If-Match")) {
    auto asked = ParseIfMatch(if_match);
    if (!asked) co_return std::unexpected(http::ProblemOf(asked.error()));
    // Reads are compared once their answer has a tag.
    if (IsChange(request)) {
      if (!endpoint.info.takes_if_match) {
        co_return std::unexpected(
            http::ProblemOf({Code::kMalformed, "If-Match means nothing at this address"}));
      }
      call.if_match = std::move(asked->front());
      call.if_match_others.assign(std::make_move_iterator(asked->begin() + 1),
                                  std::make_move_iterator(asked->end()));
    }
  } else if (endpoint.info.needs_if_match) {
    co_return std::unexpected(VersionNeeded());
  }
  co_return call;
}

// A browser sends the cookie along with whatever any page makes it send. So a change must come from a page of
// this server, and show a token that only such a page can have read.
Result<void, http::Problem> Frame::CheckSender(const Endpoint& endpoint, const http::Request& request,
                                               const std::optional<Identified>& identified) const {
  if (!IsChange(request)) return {};
  const bool by_cookie = identified && identified->proof == Proof::kCookie;
  const bool opens_session = endpoint.info.permission == Permission::kAnyone;
  if (!by_cookie && !opens_session) return {};
  const bool listed =
      std::ranges::find(options_.listed_origins, request.Header("Origin")) != options_.listed_origins.end();
  if (SenderOf(request, options_.public_origin) == Sender::kOtherPage && (by_cookie || !listed)) {
    return std::unexpected(Forbidden("This request comes from a page of another site"));
  }
  if (!by_cookie) return {};
  ASSIGN_OR_RETURN(const std::string_view token, SingleField(request, "X-CSRF-Token"));
  if (identified->csrf_token.empty() || !SameText(token, identified->csrf_token)) {
    return std::unexpected(
        Forbidden("Changes with a session cookie need the field X-CSRF-Token; GET /api/auth/me tells it"));
  }
  return {};
}

Task<Frame::Handled> Frame::RunOnce(const Endpoint& endpoint, Call& call, const RequestParts& parts,
                                    std::string_view idempotency_key) {
  CO_ASSIGN_OR_RETURN(const ReceiptKey key, ReceiptKeyOf(call.request, call.user_id(), idempotency_key));
  if (!receipts_.Begin(key)) {
    co_return std::unexpected(http::ProblemOf(
        {Code::kTransactionInProgress, "A request with this Idempotency-Key is being worked on"}));
  }
  const Claim claim(receipts_, key);
  auto known = co_await receipts_.Find(key);
  if (!known) co_return std::unexpected(std::move(known).error());
  if (*known) co_return **std::move(known);

  call.stage_receipt = [&](model::Session& platform, const http::Response& response) {
    return receipts_.Stage(platform, key, response);
  };
  Handled handled = co_await Perform(endpoint, call, parts);
  if (handled) {
    if (auto kept = co_await receipts_.KeepParts(key, *handled); !kept)
      log::Warning("a long answer cannot be kept", {{"reason", kept.error().error.message}});
  }
  // Asked, not remembered: what was staged may have been given up for another attempt. And where the handler
  // failed, the same request may have been done by another server of the same store meanwhile.
  auto done = co_await receipts_.Find(key);
  if (done && *done) {
    if (handled) co_return handled;
    co_return **std::move(done);
  }
  if (!handled) co_return handled;
  // Nothing was written that a receipt could have been part of: the answer alone is worth keeping.
  auto kept = co_await receipts_.Keep(key, *handled);
  if (!kept && kept.error().conflicts.empty())
    co_return std::unexpected(ProblemOf(kept.error(), FieldsFrom::kBody));
  co_return handled;
}

}  // namespace cairn::rest
