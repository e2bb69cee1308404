// What the handlers of this domain have in common: versions, refusals as problem replies, paging. Used in
// this folder only.
#pragma once

#include <optional>
#include <string>

#include "domains/nexus/nexus.h"
#include "http/problem.h"
#include "rest/endpoint.h"

namespace cairn::nexus {

using model::Kind;

inline constexpr rest::Rule kInstant{.kind = Kind::kInstant};
inline constexpr rest::Rule kDay{.kind = Kind::kDate};
inline constexpr rest::Rule kNewTitle{.min = 1, .max = 500, .form = rest::Form::kTitle};
// Of what exists: calendars that were imported may have anything.
inline constexpr rest::Rule kTitle{.min = 1, .max = 500};
inline constexpr rest::Rule kLongText{.max = 50'000};
inline constexpr rest::Rule kPlace{.max = 1'000};
// An id with its prefix; that it has the right one is checked by the model.
inline constexpr rest::Rule kId{.kind = Kind::kId};

// 404, 409, 412 (the version came with If-Match) or 422, with the reason as its code.
http::Problem ProblemOf(const Refusal& refusal, const rest::Call& call);
inline std::unexpected<http::Problem> Refused(const Refusal& refusal, const rest::Call& call) {
  return std::unexpected(ProblemOf(refusal, call));
}

// What If-Match names; nothing when it is absent or "*".
SeenVersion SeenOf(const rest::Call& call);
std::string TagOf(const std::optional<int64_t>& version);

// What is answered for an entity: a view of it, with its version as tag.
template <class T, class View>
rest::Answered<View> AnswerOf(const T& value, View (*view)(const T&), int status = 0) {
  return {.body = view(value), .status = status, .etag = TagOf(value.version)};
}
template <class T, class View>
Witness<T> WitnessOf(rest::Call& call, View (*view)(const T&), int status = 0) {
  return [&call, view, status](model::Session& platform, const T& answer) {
    return rest::StageAnswer(call, platform, AnswerOf(answer, view, status));
  };
}
template <class T, class View>
Task<rest::Reply<View>> Finish(Task<Decision<T>> work, rest::Call& call, View (*view)(const T&),
                               int status = 0) {
  auto done = co_await work;
  if (!done) co_return Refused(done.error(), call);
  co_return AnswerOf(*done, view, status);
}
// For what leaves nothing to show.
inline Task<rest::Reply<rest::Nothing>> Finish(Task<Decision<void>> work, rest::Call& call) {
  auto done = co_await work;
  if (!done) co_return Refused(done.error(), call);
  co_return rest::Answer(rest::Nothing());
}
template <class T>
Witness<T> SilentWitnessOf(rest::Call& call) {
  return [&call](model::Session& platform, const T&) {
    return rest::StageAnswer(call, platform, rest::Answer(rest::Nothing()));
  };
}

// ---- rows of the tables of routes

template <class Request, class T>
rest::Endpoint Route(Nexus& nexus, rest::EndpointInfo info,
                     Task<rest::Reply<T>> (*handler)(Nexus&, rest::Call&, Request)) {
  return rest::MakeEndpoint<Request, T>(
      std::move(info), [&nexus, handler](rest::Call& call, Request request) -> Task<rest::Reply<T>> {
        return handler(nexus, call, std::move(request));
      });
}
// A list or a view.
rest::EndpointInfo Reading(std::string path, std::string id, std::string summary);
// One item: with its version.
rest::EndpointInfo ReadingOne(std::string path, std::string id, std::string summary);
// POST of something new: 201.
rest::EndpointInfo Creating(std::string path, std::string id, std::string summary);
// PATCH or PUT: needs If-Match.
rest::EndpointInfo Changing(std::string method, std::string path, std::string id, std::string summary);
// DELETE: needs If-Match, answers 204.
rest::EndpointInfo Deleting(std::string path, std::string id, std::string summary);
// POST of something that is done to an item: honours If-Match.
rest::EndpointInfo Doing(std::string path, std::string id, std::string summary);

struct NoFields {};
template <class Fields>
void Describe(Fields&, NoFields&) {}

// ---- paging

struct PageQuery {
  std::optional<int64_t> limit;
  std::optional<std::string> cursor;
};
template <class Fields>
void DescribePage(Fields& fields, PageQuery& page) {
  fields.Query("limit", page.limit, {.min = 1, .max = 100, .doc = "Items of a page; 50 unless said."});
  fields.Query("cursor", page.cursor, {.min = 1, .max = 4'000, .doc = "nextCursor of the page before."});
}
model::typed::PageOptions OptionsOf(const PageQuery& page);
std::optional<std::string> IfAny(std::string text);

}  // namespace cairn::nexus
