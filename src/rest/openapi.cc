#include "rest/openapi.h"

#include <algorithm>
#include <map>

#include "base/json_writer.h"

namespace cairn::rest {
namespace {

constexpr std::string_view kProblemSchema =
    R"({"type":"object","description":"RFC 9457.","properties":{"type":{"type":"string"},)"
    R"("title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},)"
    R"("code":{"type":"string","description":"Stable, for programs."},)"
    R"("errors":{"type":"array","items":{"type":"object","properties":{"field":{"type":"string"},)"
    R"("message":{"type":"string"}},"required":["field","message"],"additionalProperties":false}}},)"
    R"("required":["type","title","status","code"]})";

constexpr std::string_view kBearerScheme =
    R"({"type":"http","scheme":"bearer","bearerFormat":"JWT",)"
    R"("description":"An access token of POST /api/auth/login, or of a configured issuer."})";

void WriteSecuritySchemes(JsonWriter& json, const ApiInfo& info) {
  json.Key("securitySchemes").BeginObject();
  json.Key("bearer").RawValue() += kBearerScheme;
  json.Key("cookie")
      .BeginObject()
      .Member("type", "apiKey")
      .Member("in", "cookie")
      .Member("name", info.cookie_name);
  json.Member("description", "A browser's session. Changes also need the field X-CSRF-Token.");
  json.EndObject().EndObject();
}

void WriteHeaderParameter(JsonWriter& json, std::string_view name, std::string_view doc) {
  json.BeginObject().Member("name", name).Member("in", "header").Member("description", doc);
  json.Key("schema").RawValue() += R"({"type":"string"})";
  json.EndObject();
}

void WriteParameters(JsonWriter& json, const EndpointInfo& info, const std::vector<Parameter>& parameters) {
  json.Key("parameters").BeginArray();
  for (const Parameter& parameter : parameters) {
    json.BeginObject().Member("name", parameter.name).Member("in", parameter.in);
    if (!parameter.doc.empty()) json.Member("description", parameter.doc);
    json.Member("required", parameter.required).Key("schema").RawValue() += parameter.schema;
    json.EndObject();
  }
  if (IsChange(info) && info.keeps_receipt && info.permission != Permission::kAnyone) {
    WriteHeaderParameter(json, "Idempotency-Key",
                         "The same request with the same key is done once within a day.");
  }
  if (info.takes_if_match) {
    WriteHeaderParameter(json, "If-Match", "Only if this is still the version: an ETag, or *.");
  }
  if (info.has_etag && !IsChange(info)) {
    WriteHeaderParameter(json, "If-None-Match", "304 if this is still the version.");
  }
  json.EndArray();
}

void WriteRequestBody(JsonWriter& json, const SchemaWriter& request) {
  if (!request.media_type().empty()) {
    json.Key("requestBody").BeginObject().Member("required", true).Key("content").BeginObject();
    json.Key(request.media_type()).RawValue() += R"({"schema":{"type":"string"}})";
    json.EndObject().EndObject();
    return;
  }
  if (request.members().empty()) return;
  const bool required = std::ranges::any_of(request.members(), &MemberSchema::required);
  json.Key("requestBody").BeginObject().Member("required", required).Key("content").BeginObject();
  json.Key("application/json").BeginObject().Key("schema").RawValue() += ObjectSchema(request.members());
  json.EndObject().EndObject().EndObject();
}

void WriteResponses(JsonWriter& json, const EndpointInfo& info, const std::string& answer) {
  json.Key("responses").BeginObject().Key(std::to_string(info.status)).BeginObject();
  json.Member("description", "Done.");
  if (info.has_etag) {
    json.Key("headers").RawValue() += R"({"ETag":{"schema":{"type":"string"}}})";
  }
  if (!answer.empty()) {
    json.Key("content").BeginObject().Key(info.media_type).BeginObject().Key("schema").RawValue() += answer;
    json.EndObject().EndObject();
  } else if (info.media_type != "application/json") {
    json.Key("content").BeginObject().Key(info.media_type).RawValue() += R"({"schema":{"type":"string"}})";
    json.EndObject();
  }
  json.EndObject();
  if (info.may_finish_later)
    json.Key("202").BeginObject().Member("description", "Taken on; the rest is done soon.").EndObject();
  if (info.has_etag && !IsChange(info))
    json.Key("304").BeginObject().Member("description", "Not changed.").EndObject();
  json.Key("default").BeginObject().Member("description", "Refused; the body says why.");
  json.Key("content").BeginObject().Key("application/problem+json").RawValue() +=
      R"({"schema":{"$ref":"#/components/schemas/Problem"}})";
  json.EndObject().EndObject().EndObject();
}

void WriteOperation(JsonWriter& json, const Endpoint& endpoint, SchemaLibrary& library) {
  const EndpointInfo& info = endpoint.info;
  SchemaWriter request(library);
  endpoint.describe_request(request);
  std::string method = info.method;
  std::ranges::transform(method, method.begin(), [](char c) { return static_cast<char>(c | 0x20); });
  json.Key(method).BeginObject();
  json.Member("operationId", info.id).Member("summary", info.summary);
  if (!info.tag.empty()) json.Key("tags").BeginArray().Value(info.tag).EndArray();
  WriteParameters(json, info, request.parameters());
  WriteRequestBody(json, request);
  WriteResponses(json, info, endpoint.answer_schema(library));
  if (info.permission == Permission::kAnyone) json.Key("security").BeginArray().EndArray();
  json.EndObject();
}

}  // namespace

std::string OpenApi(const ApiInfo& info, const std::vector<Endpoint>& endpoints) {
  std::map<std::string, std::vector<const Endpoint*>> paths;
  for (const Endpoint& endpoint : endpoints) paths[endpoint.info.path].push_back(&endpoint);
  SchemaLibrary library;
  JsonWriter json;
  json.BeginObject().Member("openapi", "3.1.0").Key("info").BeginObject();
  json.Member("title", info.title).Member("version", info.version.empty() ? "0" : info.version).EndObject();
  json.Key("security").RawValue() += R"([{"bearer":[]},{"cookie":[]}])";
  json.Key("paths").BeginObject();
  for (const auto& [path, operations] : paths) {
    json.Key(path).BeginObject();
    for (const Endpoint* endpoint : operations) WriteOperation(json, *endpoint, library);
    json.EndObject();
  }
  json.EndObject();
  library.insert_or_assign("Problem", std::string(kProblemSchema));
  json.Key("components").BeginObject().Key("schemas").BeginObject();
  for (const auto& [name, schema] : library) json.Key(name).RawValue() += schema;
  json.EndObject();
  WriteSecuritySchemes(json, info);
  return json.EndObject().EndObject().Take();
}

}  // namespace cairn::rest
