// Endpoint: one route of an application as data: method, path, permission, what it takes and gives, and the
// handler. A domain's table of endpoints is made into routes, checks and /openapi.json by the frame
// (frame.h).
//
//   MakeEndpoint<AddTodo, TodoAnswer>({.method = "POST", .path = "/api/plans/{day}/todos", ...},
//                                     [this](Call& call, AddTodo request) -> Task<Reply<TodoAnswer>> {...});
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/aside.h"
#include "base/task.h"
#include "http/http.h"
#include "http/problem.h"
#include "model/session.h"
#include "rest/authenticator.h"
#include "rest/entity_tag.h"
#include "rest/read_fields.h"
#include "rest/schema.h"
#include "rest/write_fields.h"

namespace cairn::rest {

enum class Permission {
  kAnyone,    // no account needed: registering, logging in
  kUser,      // whoever is identified, for what is their own
  kOperator,  // whoever runs this server: `cairn token --claim role=operator`
};

inline constexpr size_t kBodyBytesMax = 1 << 20;  // from somebody known; from anyone: http::kSmallBodyBytes

struct EndpointInfo {
  std::string method;
  std::string path;  // as the router wants it: /api/plans/{day}
  std::string id;    // unique; operationId in /openapi.json: "addTodo"
  std::string summary;
  std::string tag;
  Permission permission = Permission::kUser;
  int status = 200;  // of a success
  size_t body_bytes_max = kBodyBytesMax;
  bool has_etag = false;                        // answers carry an ETag; GET honours If-None-Match
  bool takes_if_match = false;                  // and changes honour If-Match
  bool needs_if_match = false;                  // and are refused without (428)
  bool keeps_receipt = true;                    // Idempotency-Key; of writes
  bool may_finish_later = false;                // answers 202 as well
  std::string media_type = "application/json";  // of the answer
  Length answer_length = Length::kShort;        // kLong: it may be so large that a helper thread writes it
  // What it takes of a user's requests per second; 0: 1 of a read, 2 of a change.
  int cost = 0;
  bool stores = true;  // a change, except DELETE, adds to what the user keeps: refused beyond their quota
};

inline bool IsChange(const EndpointInfo& endpoint) {
  return endpoint.method != "GET" && endpoint.method != "HEAD";
}
inline int CostOf(const EndpointInfo& endpoint) {
  if (endpoint.cost > 0) return endpoint.cost;
  return IsChange(endpoint) ? 2 : 1;
}

// Answers without a body.
struct Nothing {};
template <class Fields>
void Describe(Fields&, Nothing&) {}

// What a handler answers.
template <class T>
struct Answered {
  T body;
  int status = 0;  // 0: the endpoint's own
  std::string etag = {};
  std::string location = {};
  std::vector<std::pair<std::string, std::string>> headers = {};  // cookies
  std::shared_ptr<http::BodySource> source = {};  // instead of `body`: what is too much for one piece
  http::Account account = {};                     // who it is for, where that is not the caller
};
template <class T>
using Reply = Result<Answered<T>, http::Problem>;

template <class T>
Answered<T> Answer(T body) {
  return {std::move(body)};
}

// Writes a receipt into a session of the platform's model: the answer, to be given again for the same
// request.
using StageReceipt =
    std::function<model::Outcome<void>(model::Session& platform, const http::Response& response)>;

// One request on its way through a handler. Lives until the handler's task has finished.
struct Call {
  const http::Request& request;
  const EndpointInfo& endpoint;
  std::optional<Identified> identified;       // always there unless Permission::kAnyone
  std::optional<IfMatch> if_match;            // of a change
  std::vector<IfMatch> if_match_others = {};  // tags of the same list; the change is tried with each
  StageReceipt stage_receipt;                 // null: no Idempotency-Key, or no receipts here

  const std::string& user_id() const { return identified->user_id; }
  model::Caller caller() const { return model::Caller::User(identified->claims); }
};

template <class T>
http::Response ToResponse(const EndpointInfo& endpoint, const Answered<T>& answered) {
  http::Response response{.status = answered.status == 0 ? endpoint.status : answered.status,
                          .content_type = endpoint.media_type,
                          .headers = answered.headers,
                          .body = {}};
  if constexpr (std::same_as<T, Document>) {
    response.body = answered.body.text;
  } else if constexpr (kIsRendered<T>) {
    response.body = *answered.body.json;
  } else if constexpr (!std::same_as<T, Nothing>) {
    response.body = WriteAnswer(answered.body);
  }
  if (!answered.etag.empty()) response.headers.emplace_back("ETag", answered.etag);
  if (!answered.location.empty()) response.headers.emplace_back("Location", answered.location);
  response.source = answered.source;
  response.account = answered.account;
  return response;
}

// For use cases that commit: stages the answer into the transaction of what was done.
template <class T>
model::Outcome<void> StageAnswer(Call& call, model::Session& platform, const Answered<T>& answered) {
  if (!call.stage_receipt) return {};
  return call.stage_receipt(platform, ToResponse(call.endpoint, answered));
}

struct Endpoint {
  EndpointInfo info;
  // Reads the request, fills in the response; fails with the problem to answer.
  std::function<Task<Result<http::Response, http::Problem>>(Call&, const RequestParts&)> handle;
  std::string request_media_type;  // "" for JSON
  // For /openapi.json.
  std::function<void(SchemaWriter&)> describe_request;
  std::function<std::string(SchemaLibrary&)> answer_schema;  // "" when there is no JSON answer
};

template <class T>
std::string AnswerSchema(SchemaLibrary& library, T*) {
  T example{};
  SchemaWriter schema(library);
  Describe(schema, example);
  return schema.Finish();
}
template <class T>
std::string AnswerSchema(SchemaLibrary& library, Rendered<T>*) {
  return AnswerSchema(library, static_cast<T*>(nullptr));
}

// What a request with wrong fields is answered: 404 for the path, 400 for the query, 422 for the body.
http::Problem FaultsProblem(Faults faults);

// Whether reading the body's fields leaves the event loop.
inline Length LengthOfBody(const http::Request& request) {
  constexpr size_t kReadHereBytesMax = 64 * 1024;
  return request.body.size() > kReadHereBytesMax ? Length::kLong : Length::kShort;
}

template <class Request, class T>
Endpoint MakeEndpoint(EndpointInfo info, std::function<Task<Reply<T>>(Call&, Request)> handler) {
  Endpoint endpoint;
  endpoint.info = std::move(info);
  endpoint.handle = [handler = std::move(handler)](
                        Call& call,
                        const RequestParts& parts) -> Task<Result<http::Response, http::Problem>> {
    Faults faults;
    auto read = [&] { return ReadRequest<Request>(parts, faults); };
    Request request = co_await Aside(read, LengthOfBody(call.request));
    if (!faults.empty()) co_return std::unexpected(FaultsProblem(std::move(faults)));
    Reply<T> reply = co_await handler(call, std::move(request));
    if (!reply) co_return std::unexpected(std::move(reply).error());
    auto write = [&] { return ToResponse(call.endpoint, *reply); };
    co_return co_await Aside(write, call.endpoint.answer_length);
  };
  endpoint.describe_request = [](SchemaWriter& schema) {
    Request example{};
    Describe(schema, example);
  };
  SchemaLibrary unused;
  SchemaWriter shape(unused);
  endpoint.describe_request(shape);
  endpoint.request_media_type = shape.media_type();
  endpoint.answer_schema = [](SchemaLibrary& library) -> std::string {
    if constexpr (std::same_as<T, Nothing> || std::same_as<T, Document>) {
      return "";
    } else {
      return AnswerSchema(library, static_cast<T*>(nullptr));
    }
  };
  return endpoint;
}

}  // namespace cairn::rest
