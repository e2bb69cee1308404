#include "model_api/model_api.h"

#include <algorithm>

#include "base/aside.h"
#include "base/json_writer.h"
#include "model/entity_access.h"
#include "model/name_suggestion.h"
#include "model_api/damage.h"
#include "model_api/entity_json.h"
#include "model_api/entity_key.h"
#include "model_api/entity_tag.h"
#include "model_api/model_summary.h"
#include "model_api/pattern_request.h"
#include "model_api/request_rules.h"
#include "model_api/value_json.h"
#include "rest/endpoint.h"
#include "rest/entity_tag.h"
#include "rest/failure_problem.h"
#include "rest/json_object.h"
#include "rest/request_rules.h"

namespace cairn::model_api {
namespace {

using rest::BodyKind;
using rest::FieldsFrom;
using rest::IfMatch;
using rest::ProblemOf;

// An owner's data may be kept by its own browser only, which asks each time.
constexpr std::pair<const char*, const char*> kPrivate = {"Cache-Control", "private, no-cache"};

// What a request counts as. Nobody counts what users keep in tables of models.
const rest::EndpointInfo kReading{.method = "GET", .path = {}, .id = {}, .summary = {}, .tag = {}};
const rest::EndpointInfo kChanging{
    .method = "POST", .path = {}, .id = {}, .summary = {}, .tag = {}, .stores = false};

http::Problem NotFound(std::string detail) {
  return http::ProblemOf({Code::kResourceNotFound, std::move(detail)});
}

http::Problem NotAllowed(const std::vector<std::string>& allowed) {
  std::string list;
  for (const std::string& method : allowed) list += (list.empty() ? "" : ", ") + method;
  return http::MethodNotAllowed(list);
}

// A session's outcome as this layer reports it.
template <class T>
Result<T, http::Problem> Checked(model::Outcome<T> outcome, FieldsFrom from) {
  if (!outcome) return std::unexpected(ProblemOf(outcome.error(), from));
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return *std::move(outcome);
  }
}

Result<item::Item, http::Problem> BodyOf(const http::Request& request, BodyKind kind) {
  RETURN_IF_ERROR(rest::CheckBody(request, kind, kBodyBytesMax));
  return Checked(rest::ParseJsonObject(request.body), FieldsFrom::kBody);
}

// Called aside where the body is long.
Result<item::Item, http::Problem> ValuesOf(const http::Request& request, const model::Model& model,
                                           const model::Entity& entity, Body kind) {
  ASSIGN_OR_RETURN(const item::Item body, BodyOf(request, BodyKind::kJson));
  return Checked(ReadValues(model, entity, body, kind), FieldsFrom::kBody);
}
Result<model::Changes, http::Problem> ChangesOf(const http::Request& request, const model::Entity& entity) {
  ASSIGN_OR_RETURN(const item::Item body, BodyOf(request, BodyKind::kMergePatch));
  return Checked(ReadChanges(entity, body), FieldsFrom::kBody);
}

http::Response Json(int status, std::string body) {
  return {.status = status, .headers = {kPrivate}, .body = std::move(body)};
}

http::Response EntityResponse(int status, const model::Entity& entity, const item::Item& values) {
  http::Response response = Json(status, EntityJson(entity, values));
  if (auto tag = TagOf(entity, values)) response.headers.emplace_back("ETag", *std::move(tag));
  return response;
}

http::Response NoContent() { return {.status = 204, .content_type = "", .headers = {}, .body = {}}; }

http::Response Finish(Result<http::Response, http::Problem> reply) {
  return reply ? *std::move(reply) : http::ToResponse(reply.error());
}

// Whose share of the memory for bodies and unread answers a caller takes.
http::Account AccountOf(const model::Caller& caller) {
  const std::string* user_id = caller.Claim("sub");
  return user_id == nullptr ? http::Account() : http::Account::OfUser(*user_id);
}

// In a list a damaged item is a place with its key and what is wrong, and the others are as ever.
void AppendDamage(JsonWriter& json, const model::Record& record, const item::Item& values,
                  const std::vector<model::FieldError>& damage) {
  json.Key("$key").BeginObject();
  for (const model::Attribute* attribute : model::KeyAttributes(record.model(), record.entity())) {
    const item::AttributeValue* value = values.Find(attribute->stored_as);
    const bool sound =
        std::ranges::find(damage, attribute->name, &model::FieldError::attribute) == damage.end();
    if (value != nullptr && sound) AppendValue(json.Key(attribute->name).RawValue(), *value);
  }
  json.EndObject().Key("$damaged").BeginArray();
  for (const model::FieldError& error : damage) {
    json.BeginObject().Member("field", error.attribute).Member("message", error.message).EndObject();
  }
  json.EndArray();
}

http::Problem Damaged(const model::Entity& entity, const std::vector<model::FieldError>& damage) {
  http::Problem problem{.status = 500,
                        .code = "damaged",
                        .title = "What is stored is damaged",
                        .detail = "This " + entity.name + " was not stored as its model says",
                        .errors = {}};
  for (const model::FieldError& error : damage) problem.errors.push_back({error.attribute, error.message});
  return problem;
}

std::string PageJson(const model::Page& page) {
  JsonWriter json;
  const auto append = [&](const model::Record& record) {
    const item::Item values = record.Values();
    const auto damage = DamageOf(record.entity(), values, record.is_whole() ? Extent::kWhole : Extent::kPart);
    json.BeginObject().Member(EntityMember(record.entity()), record.entity().name);
    if (damage.empty()) {
      AppendMembers(json, record.entity(), values);
    } else {
      AppendDamage(json, record, values, damage);
    }
    json.EndObject();
  };
  json.BeginObject().Key("items").BeginArray();
  for (const model::Record& record : page.items) append(record);
  json.EndArray();
  if (!page.steps.empty()) {
    json.Key("steps").BeginObject();
    for (const auto& [alias, record] : page.steps) {
      json.Key(alias);
      append(record);
    }
    json.EndObject();
  }
  if (!page.next_cursor.empty()) json.Member("nextCursor", page.next_cursor);
  if (page.truncated) json.Member("truncated", true);
  json.EndObject();
  return json.Take();
}

// Key attributes may be repeated in a body, but only as the address has them.
Result<void, http::Problem> CheckRepeatedKey(const model::Entity& entity, const item::Item& key,
                                             item::Item& values) {
  std::vector<model::FieldError> wrong;
  for (const item::Attribute& part : key) {
    const item::AttributeValue* given = values.Find(part.name);
    if (given != nullptr && !(*given == part.value)) {
      wrong.push_back({entity.FindStored(part.name)->name, "differs from the address"});
    }
    values.Set(part.name, part.value);
  }
  if (wrong.empty()) return {};
  return std::unexpected(ProblemOf(model::Failure(std::move(wrong)), FieldsFrom::kBody));
}

}  // namespace

ModelApi::ModelApi(std::vector<ServedModel> models, rest::Authenticator& authenticator,
                   rest::Admission* admission)
    : models_(std::move(models)), authenticator_(authenticator), admission_(admission) {}

std::vector<http::Route> ModelApi::Routes() {
  const std::string one = "/api/m/{model}/{entity}/{key...}";
  const std::string all = "/api/m/{model}/{entity}";  // also the one item of an entity without key attributes
  return {
      {"GET", "/api/m", [this](const auto& request, const auto&) { return HandleList(request); }},
      ModelRoute("/api/m/{model}",
                 [](const ServedModel& served) { return ModelSummaryJson(served.database->model()); }),
      ModelRoute("/api/m/{model}/openapi.json", [](const ServedModel& served) { return served.openapi; }),
      {"GET", "/api/m/{model}/patterns/{pattern}",
       [this](const auto& request, const auto& parameters) { return HandlePattern(request, parameters); }},
      EntityRoute("POST", all, &ModelApi::Create),
      EntityRoute("GET", all, &ModelApi::Get),
      EntityRoute("GET", one, &ModelApi::Get),
      EntityRoute("PUT", all, &ModelApi::Put),
      EntityRoute("PUT", one, &ModelApi::Put),
      EntityRoute("PATCH", all, &ModelApi::Patch),
      EntityRoute("PATCH", one, &ModelApi::Patch),
      EntityRoute("DELETE", all, &ModelApi::Delete),
      EntityRoute("DELETE", one, &ModelApi::Delete),
  };
}

http::Route ModelApi::EntityRoute(std::string method, std::string pattern, EntityHandler handler) {
  return {std::move(method), std::move(pattern),
          [this, handler](const auto& request, const auto& parameters) {
            return HandleEntity(handler, request, parameters);
          },
          [this](const auto& head) { return AdmitBody(head); }};
}

Task<http::BodyAdmission> ModelApi::AdmitBody(const http::Request& head) const {
  http::BodyAdmission admission = http::AdmitUpTo(kBodyBytesMax);
  const auto caller = co_await CallerOf(head, Stage::kHead);
  if (caller) {
    admission.account = AccountOf(*caller);
  } else {
    admission.admitted = false;
    admission.refusal = http::ToResponse(caller.error());
  }
  co_return admission;
}

http::Route ModelApi::ModelRoute(std::string pattern, ModelHandler handler) {
  return {"GET", std::move(pattern), [this, handler](const auto& request, const auto& parameters) {
            return HandleModel(handler, request, parameters);
          }};
}

Task<http::Response> ModelApi::HandleEntity(EntityHandler handler, const http::Request& request,
                                            const http::PathParameters& parameters) {
  auto caller = co_await CallerOf(request);
  if (!caller) co_return http::ToResponse(caller.error());
  auto target = TargetOf(request, parameters, *std::move(caller));
  if (!target) co_return http::ToResponse(target.error());
  Reply reply = co_await (this->*handler)(request, *target);
  if (reply) reply->account = AccountOf(target->caller);
  co_return Finish(std::move(reply));
}

Task<http::Response> ModelApi::HandleModel(ModelHandler handler, const http::Request& request,
                                           const http::PathParameters& parameters) {
  if (auto caller = co_await CallerOf(request); !caller) co_return http::ToResponse(caller.error());
  auto served = Find(parameters.Get("model"));
  if (!served) co_return http::ToResponse(served.error());
  co_return Json(200, handler(**served));
}

Task<http::Response> ModelApi::HandleList(const http::Request& request) {
  if (auto caller = co_await CallerOf(request); !caller) co_return http::ToResponse(caller.error());
  std::vector<const model::Model*> models;
  for (const ServedModel& served : models_) models.push_back(&served.database->model());
  co_return Json(200, ModelListJson(models));
}

Task<http::Response> ModelApi::HandlePattern(const http::Request& request,
                                             const http::PathParameters& parameters) {
  Reply reply = co_await ReadPattern(request, parameters);
  co_return Finish(std::move(reply));
}

Task<Result<model::Caller, http::Problem>> ModelApi::CallerOf(const http::Request& request,
                                                              Stage stage) const {
  CO_ASSIGN_OR_RETURN(const std::string_view field, rest::SingleField(request, "Authorization"));
  if (field.empty()) {
    co_return std::unexpected(
        http::ProblemOf({Code::kUnauthenticated, "Send the field Authorization: Bearer <token>"}));
  }
  auto identified = co_await authenticator_.Identify(request);
  if (!identified) co_return std::unexpected(http::ProblemOf(identified.error()));
  if (admission_ != nullptr) {
    const bool is_read = request.method == "GET" || request.method == "HEAD";
    const rest::EndpointInfo& asked = is_read ? kReading : kChanging;
    CO_RETURN_IF_ERROR(stage == Stage::kHead ? admission_->Consider(asked, identified->user_id, request)
                                             : admission_->Admit(asked, identified->user_id, request));
  }
  co_return model::Caller::User(std::move(identified->claims));
}

Result<const ServedModel*, http::Problem> ModelApi::Find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      models_, [&](const ServedModel& served) { return served.database->model().name == name; });
  if (found == models_.end()) return std::unexpected(NotFound("There is no such model"));
  return &*found;
}

// Whether the method may be used is a question of the model alone, so it is answered before anything is read.
Result<ModelApi::Target, http::Problem> ModelApi::TargetOf(const http::Request& request,
                                                           const http::PathParameters& parameters,
                                                           model::Caller caller) const {
  ASSIGN_OR_RETURN(const ServedModel* served, Find(parameters.Get("model")));
  const model::Model& model = served->database->model();
  const std::string& name = parameters.Get("entity");
  const model::Entity* entity = model.FindEntity(name);
  if (entity == nullptr || !model::AccessOf(model, *entity).any()) {
    std::vector<std::string_view> names;
    for (const model::Entity& known : model.entities) {
      if (model::AccessOf(model, known).any()) names.push_back(known.name);
    }
    return std::unexpected(NotFound("This model has no such entity" + model::DidYouMean(name, names)));
  }
  const auto allowed =
      parameters.tail().empty() ? CollectionMethods(model, *entity) : ItemMethods(model, *entity);
  if (std::ranges::find(allowed, request.method) == allowed.end()) {
    // What belongs to nobody is not there to be written.
    if (entity->scope == model::Scope::kGlobal) return std::unexpected(NotFound(""));
    return std::unexpected(NotAllowed(allowed));
  }
  return Target{*served->database, *entity, std::move(caller), parameters.tail()};
}

Task<ModelApi::Reply> ModelApi::Create(const http::Request& request, const Target& target) {
  auto read = [&] { return ValuesOf(request, target.database.model(), target.entity, Body::kCreate); };
  CO_ASSIGN_OR_RETURN(item::Item values, co_await Aside(read, rest::LengthOfBody(request)));
  model::Session session(target.database, target.caller);
  CO_RETURN_IF_ERROR(Checked(session.Create(target.entity, std::move(values)), FieldsFrom::kBody));
  auto committed = co_await session.Commit();
  if (!committed) co_return std::unexpected(ProblemOf(committed.error(), FieldsFrom::kBody));
  const item::Item& stored = *committed->values.front();
  http::Response response = EntityResponse(committed->unchanged.front() ? 200 : 201, target.entity, stored);
  response.headers.emplace_back("Location", AddressOf(target.database.model(), target.entity, stored));
  co_return response;
}

Task<ModelApi::Reply> ModelApi::Get(const http::Request& request, const Target& target) {
  auto key = ReadKey(target.database.model(), target.entity, target.key);
  if (!key) co_return std::unexpected(http::ProblemOf(key.error()));
  model::Session session(target.database, target.caller);
  auto record = co_await session.Get(target.entity, *std::move(key));
  if (!record) co_return std::unexpected(ProblemOf(record.error(), FieldsFrom::kPath));
  if (!*record) co_return std::unexpected(NotFound("There is no such " + target.entity.name));
  const item::Item values = (*record)->Values();
  const auto damage = DamageOf(target.entity, values, Extent::kWhole);
  if (!damage.empty()) co_return std::unexpected(Damaged(target.entity, damage));
  http::Response response = EntityResponse(200, target.entity, values);
  const auto tag = TagOf(target.entity, values);
  if (tag && rest::HasTag(request.Header("If-None-Match"), *tag)) {
    response.status = 304;
    response.body.clear();
  }
  co_return response;
}

Task<ModelApi::Reply> ModelApi::Put(const http::Request& request, const Target& target) {
  const model::Entity& entity = target.entity;
  auto key = ReadKey(target.database.model(), entity, target.key);
  if (!key) co_return std::unexpected(http::ProblemOf(key.error()));
  const bool creates = entity.write == model::WriteMode::kUpsert && request.Header("If-Match").empty();
  IfMatch expectation{.any = true, .tag = {}};
  if (!creates) {
    CO_ASSIGN_OR_RETURN(expectation, ExpectationOf(request, entity));
  }
  auto read = [&] { return ValuesOf(request, target.database.model(), entity, Body::kReplace); };
  CO_ASSIGN_OR_RETURN(item::Item values, co_await Aside(read, rest::LengthOfBody(request)));
  CO_RETURN_IF_ERROR(CheckRepeatedKey(entity, *key, values));

  model::Session session(target.database, target.caller);
  if (creates) {
    CO_RETURN_IF_ERROR(Checked(session.Create(entity, std::move(values)), FieldsFrom::kBody));
  } else {
    model::ExpectedVersion expected;
    if (!expectation.any) expected = VersionOf(entity, expectation.tag);
    CO_RETURN_IF_ERROR(
        Checked(session.Replace(entity, std::move(values), std::move(expected)), FieldsFrom::kBody));
  }
  auto committed = co_await session.Commit();
  if (!committed) co_return std::unexpected(ProblemOf(committed.error(), FieldsFrom::kBody));
  co_return EntityResponse(200, entity, *committed->values.front());
}

Task<ModelApi::Reply> ModelApi::Patch(const http::Request& request, const Target& target) {
  const model::Entity& entity = target.entity;
  auto key = ReadKey(target.database.model(), entity, target.key);
  if (!key) co_return std::unexpected(http::ProblemOf(key.error()));
  CO_ASSIGN_OR_RETURN(const IfMatch expectation, ExpectationOf(request, entity));
  auto read = [&] { return ChangesOf(request, entity); };
  CO_ASSIGN_OR_RETURN(model::Changes changes, co_await Aside(read, rest::LengthOfBody(request)));

  model::Session session(target.database, target.caller);
  if (!expectation.any) {
    // Read first: the session then knows all values of the answer, and the version read is the one it insists
    // on.
    auto record = co_await session.Get(entity, *key);
    if (!record) co_return std::unexpected(ProblemOf(record.error(), FieldsFrom::kPath));
    if (!*record) co_return std::unexpected(NotFound("There is no such " + entity.name));
    if (TagOf(entity, (*record)->Values()) != expectation.tag)
      co_return std::unexpected(VersionMismatch(entity));
  }
  CO_RETURN_IF_ERROR(Checked(session.Update(entity, *key, std::move(changes)), FieldsFrom::kBody));
  auto committed = co_await session.Commit();
  if (!committed) co_return std::unexpected(ProblemOf(committed.error(), FieldsFrom::kBody));
  if (model::LockAttribute(entity) != nullptr)
    co_return EntityResponse(200, entity, *committed->values.front());

  // Without a lock the update may have been written unseen: only a new read knows the whole item.
  auto record = co_await session.Get(entity, *std::move(key));
  if (!record) co_return std::unexpected(ProblemOf(record.error(), FieldsFrom::kPath));
  co_return *record ? EntityResponse(200, entity, (*record)->Values()) : NoContent();
}

Task<ModelApi::Reply> ModelApi::Delete(const http::Request& request, const Target& target) {
  const model::Entity& entity = target.entity;
  auto key = ReadKey(target.database.model(), entity, target.key);
  if (!key) co_return std::unexpected(http::ProblemOf(key.error()));
  CO_ASSIGN_OR_RETURN(const IfMatch expectation, ExpectationOf(request, entity));
  model::ExpectedVersion expected;
  if (!expectation.any) expected = VersionOf(entity, expectation.tag);
  model::Session session(target.database, target.caller);
  CO_RETURN_IF_ERROR(
      Checked(session.Delete(entity, *std::move(key), std::move(expected)), FieldsFrom::kPath));
  auto committed = co_await session.Commit();
  if (!committed) co_return std::unexpected(ProblemOf(committed.error(), FieldsFrom::kPath));
  co_return NoContent();
}

Task<ModelApi::Reply> ModelApi::ReadPattern(const http::Request& request,
                                            const http::PathParameters& parameters) {
  CO_ASSIGN_OR_RETURN(model::Caller caller, co_await CallerOf(request));
  CO_ASSIGN_OR_RETURN(const ServedModel* served, Find(parameters.Get("model")));
  const model::Model& model = served->database->model();
  const std::string& name = parameters.Get("pattern");
  const model::Pattern* pattern = model.FindPattern(name);
  if (pattern == nullptr || !model::MayRead(model, *pattern)) {
    std::vector<std::string_view> names;
    for (const model::Pattern& known : model.patterns) {
      if (model::MayRead(model, known)) names.push_back(known.name);
    }
    co_return std::unexpected(NotFound("This model has no such pattern" + model::DidYouMean(name, names)));
  }
  const auto query = http::QueryParameters::Parse(request.query());
  if (!query) co_return std::unexpected(http::ProblemOf(query.error()));
  CO_ASSIGN_OR_RETURN(model::PageRequest page_request,
                      Checked(ReadPageRequest(*pattern, *query), FieldsFrom::kQuery));
  const http::Account account = AccountOf(caller);
  model::Session session(*served->database, std::move(caller));
  auto page = co_await session.Read(*pattern, std::move(page_request));
  if (!page) co_return std::unexpected(ProblemOf(page.error(), FieldsFrom::kQuery));
  http::Response response = Json(200, PageJson(*page));
  response.account = account;
  co_return response;
}

}  // namespace cairn::model_api
