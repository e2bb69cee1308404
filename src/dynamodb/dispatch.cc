#include "dynamodb/dispatch.h"

#include <optional>

#include "base/log.h"
#include "dynamodb/error_table.h"
#include "dynamodb/leading_keys_store.h"
#include "dynamodb/operation_table.h"
#include "dynamodb/request_json.h"

namespace cairn::dynamodb {
namespace {

constexpr std::string_view kJson10 = "application/x-amz-json-1.0";
constexpr std::string_view kJson = "application/json";
constexpr size_t kRequestIdLength = 52;
constexpr size_t kRequestBytesMax = 16 * 1024 * 1024;  // as DynamoDB: a full BatchWriteItem

// "application/json; charset=utf-8" -> "application/json"
std::string_view MediaType(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (content_type.ends_with(' ')) content_type.remove_suffix(1);
  return content_type;
}

bool IsJson(std::string_view media_type) {
  return http::EqualsIgnoreCase(media_type, kJson10) || http::EqualsIgnoreCase(media_type, kJson);
}

// Stafford's mix 13 of a counter: ids need to differ, not to be unguessable.
uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// Failures of the server itself are told to the operator; the client sees a fixed sentence.
void LogServerFault(std::string_view target, const Error& error) {
  log::Failure("operation failed",
               {{"target", target}, {"code", CodeName(error.code)}, {"message", error.message}});
}

void SetFailure(http::Response& response, std::string_view target, const Failure& failure) {
  ErrorReply reply = ReplyFor(failure);
  if (reply.status >= 500) LogServerFault(target, failure.error);
  response.status = reply.status;
  response.body = std::move(reply.body);
}

Failure NotServed(std::string_view member) {
  return Invalid("One or more parameter values were invalid: " + std::string(member) +
                 " is not supported by this server");
}

void SetPlain(http::Response& response, int status, std::string_view body) {
  response.status = status;
  response.content_type = "text/plain";
  response.body = body;
}

}  // namespace

Dispatch::Dispatch(store::Store& store, const Clock& clock, Random& random, Credentials credentials,
                   TableNames reserved_tables, std::string only_region)
    : store_(store),
      clock_(clock),
      random_(random),
      credentials_(std::move(credentials)),
      reserved_tables_(std::move(reserved_tables)),
      open_tables_(store_, reserved_tables_),
      only_region_(std::move(only_region)),
      request_id_seed_(random.Next()) {}

std::string Dispatch::NewRequestId() {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";
  const uint64_t request = request_id_seed_ + request_count_.fetch_add(1, std::memory_order_relaxed);
  std::string id(kRequestIdLength, 'A');
  uint64_t bits = 0;
  for (size_t i = 0; i < id.size(); ++i) {
    if (i % 12 == 0) bits = Mix(request * 0x9e3779b97f4a7c15ull + i);
    id[i] = kLetters[bits & 31];
    bits >>= 5;
  }
  return id;
}

http::Response Dispatch::Refusal(int status, std::string sentence) {
  ErrorReply reply = ReplyFor(Failure({Code::kAccessDenied, std::move(sentence)}));
  http::Response response;
  response.status = status;
  response.content_type = kJson10;
  response.crc32_header = true;
  response.headers.emplace_back("x-amzn-RequestId", NewRequestId());
  response.body = std::move(reply.body);
  return response;
}

Task<http::BodyAdmission> Dispatch::AdmitBody(const http::Request& head) {
  http::BodyAdmission admission{.admitted = true, .body_bytes_max = kRequestBytesMax};
  admission.refusal.content_type = kJson10;
  admission.refusal.crc32_header = true;
  admission.refusal.headers.emplace_back("x-amzn-RequestId", NewRequestId());
  admission.refusal.status = 413;
  admission.refusal.body = R"({"message":"The request body is too large."})";
  if (credentials_.empty()) co_return admission;
  const auto caller = AuthenticateHead(head, credentials_, clock_.Now());
  if (caller) {
    admission.account = http::Account::OfAccessKey(caller->access_key_id);
  } else {
    admission.admitted = false;
    SetFailure(admission.refusal, head.Header("x-amz-target"), caller.error());
  }
  co_return admission;
}

Task<http::Response> Dispatch::Handle(const http::Request& request) {
  http::Response response;
  response.content_type = kJson10;
  response.crc32_header = true;
  response.headers.emplace_back("x-amzn-RequestId", NewRequestId());

  if (request.method == "GET") {
    // What DynamoDB's own endpoints answer to load balancers.
    SetPlain(response, 200, "healthy: dynamodb.us-east-1.amazonaws.com ");
    co_return response;
  }
  const std::string_view media_type = MediaType(request.Header("content-type"));
  if (request.method != "POST" || (!request.body.empty() && !IsJson(media_type))) {
    SetPlain(response, 404, "<UnknownOperationException/>\n");
    co_return response;
  }
  if (http::EqualsIgnoreCase(media_type, kJson)) response.content_type = kJson;

  const std::string_view target = request.Header("x-amz-target");
  const Operation* operation = FindOperation(target);
  if (operation == nullptr) {
    SetFailure(response, target, Failure({Code::kUnknownOperation, ""}));
    co_return response;
  }
  OperationMetrics::Call call(metrics_, *operation);
  const auto fail = [&](const Failure& failure) {
    call.Failed(failure.error.code);
    SetFailure(response, target, failure);
  };
  // The hash and the parser read every byte.
  auto authenticate = [&] { return Authenticate(request, credentials_, clock_.Now()); };
  auto caller = co_await Aside(authenticate, OperationContext::LengthOf(request.wire_body));
  if (!caller) {
    fail(caller.error());
    co_return response;
  }
  if (!only_region_.empty() && caller->region != only_region_) {
    fail(Error{Code::kInvalidSignature,
               "Credential should be scoped to a valid region, not '" + caller->region + "'. "});
    co_return response;
  }
  if (!credentials_.empty()) response.account = http::Account::OfAccessKey(caller->access_key_id);
  std::optional<LeadingKeysStore> limited;
  if (caller->limits) {
    if (!MayCall(*caller->limits, *operation)) {
      fail(NotWithLeadingKeys(operation->name()));
      co_return response;
    }
    if (!caller->limits->Permits(operation->name())) {
      fail(NotAmongActions(operation->name()));
      co_return response;
    }
    limited.emplace(store_, *caller->limits, caller->access_key_id);
  }
  auto parse = [&] { return RequestJson::Parse(request.body); };
  const auto json = co_await Aside(parse, OperationContext::LengthOf(request.body));
  if (!json) {
    fail(json.error());
    co_return response;
  }
  store::Store& store = limited                ? static_cast<store::Store&>(*limited)
                        : credentials_.empty() ? store_
                                               : open_tables_;
  OperationContext context{store, clock_, random_, {}, request.body, request.Header("host")};
  if (!caller->region.empty()) context.arns.region = std::move(caller->region);
  Findings findings;
  const RequestReader reader = json->Reader(findings);
  for (const std::string_view member : operation->unserved) {
    if (!reader.Has(member)) continue;
    fail(NotServed(member));
    co_return response;
  }
  Answer answer = co_await operation->handler(context, reader);
  if (answer) {
    response.body = *std::move(answer);
  } else {
    fail(answer.error());
  }
  co_return response;
}

}  // namespace cairn::dynamodb
