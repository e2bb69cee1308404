#include "domains/nexus/api/convert.h"

#include <charconv>

namespace cairn::nexus {
namespace {

constexpr int64_t kNoVersion = -1;
constexpr int64_t kPageDefault = 50;

}  // namespace

http::Problem ProblemOf(const Refusal& refusal, const rest::Call& call) {
  // Reading has only its address to be wrong in.
  const bool reads = call.request.method == "GET" || call.request.method == "HEAD";
  const bool about_address = reads && refusal.code == Code::kInvalidArgument;
  http::Problem problem =
      http::ProblemOf(Error{about_address ? Code::kMalformed : refusal.code, refusal.message});
  if (!refusal.reason.empty()) problem.code = refusal.reason;
  for (const FieldFault& fault : refusal.fields) problem.errors.push_back({fault.field, fault.message});
  if (refusal.reason == kVersionMismatch && SeenOf(call)) {
    problem.status = 412;
    problem.title = "It was changed by someone else";
  }
  return problem;
}

SeenVersion SeenOf(const rest::Call& call) {
  if (!call.if_match || call.if_match->any) return std::nullopt;
  // "3" with its quotes. Anything else is no version that something could have.
  const std::string& tag = call.if_match->tag;
  int64_t version = kNoVersion;
  const char* end = tag.data() + tag.size() - 1;
  const auto [stopped, error] = std::from_chars(tag.data() + 1, end, version);
  return error == std::errc() && stopped == end ? version : kNoVersion;
}

std::string TagOf(const std::optional<int64_t>& version) {
  return version ? '"' + std::to_string(*version) + '"' : "";
}

rest::EndpointInfo Reading(std::string path, std::string id, std::string summary) {
  return {.method = "GET",
          .path = std::move(path),
          .id = std::move(id),
          .summary = std::move(summary),
          .tag = "nexus"};
}

rest::EndpointInfo ReadingOne(std::string path, std::string id, std::string summary) {
  rest::EndpointInfo info = Reading(std::move(path), std::move(id), std::move(summary));
  info.has_etag = true;
  return info;
}

rest::EndpointInfo Creating(std::string path, std::string id, std::string summary) {
  rest::EndpointInfo info = ReadingOne(std::move(path), std::move(id), std::move(summary));
  info.method = "POST";
  info.status = 201;
  return info;
}

rest::EndpointInfo Changing(std::string method, std::string path, std::string id, std::string summary) {
  rest::EndpointInfo info = Doing(std::move(path), std::move(id), std::move(summary));
  info.method = std::move(method);
  info.needs_if_match = true;
  return info;
}

rest::EndpointInfo Deleting(std::string path, std::string id, std::string summary) {
  rest::EndpointInfo info = Changing("DELETE", std::move(path), std::move(id), std::move(summary));
  info.has_etag = false;
  info.status = 204;
  return info;
}

rest::EndpointInfo Doing(std::string path, std::string id, std::string summary) {
  rest::EndpointInfo info = ReadingOne(std::move(path), std::move(id), std::move(summary));
  info.method = "POST";
  info.takes_if_match = true;
  return info;
}

model::typed::PageOptions OptionsOf(const PageQuery& page) {
  return {.limit = page.limit.value_or(kPageDefault), .cursor = page.cursor.value_or("")};
}

std::optional<std::string> IfAny(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace cairn::nexus
