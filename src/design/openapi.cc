#include "design/openapi.h"

#include <algorithm>

#include "design/openapi_blocks.h"
#include "design/openapi_components.h"
#include "design/openapi_schemas.h"
#include "model/entity_access.h"

namespace cairn::design {
namespace {

using model::Attribute;
using model::Entity;
using model::Pattern;

std::string Capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

class Document {
 public:
  explicit Document(const model::Model& model) : model_(model), home_("/api/m/" + model.name) {}

  std::string Write() {
    Object(out_, [&] {
      out_.Member("openapi", "3.1.0");
      WriteInfo();
      Object(out_, "paths", [&] {
        WriteDescription(home_, "describeModel", "The entities and patterns of the model");
        WriteDescription(home_ + "/openapi.json", "describeInterface", "This document");
        for (const Entity& entity : model_.entities) {
          if (model::AccessOf(model_, entity).any()) WriteEntity(entity);
        }
        for (const Pattern& pattern : model_.patterns) {
          if (model::MayRead(model_, pattern)) WritePattern(pattern);
        }
      });
      WriteComponents(out_, model_);
    });
    return out_.Take();
  }

 private:
  void WriteInfo() {
    Object(out_, "info", [&] {
      out_.Member("title", model_.name);
      if (!model_.doc.empty()) out_.Member("description", model_.doc);
      out_.Member("version", model_.hash.empty() ? std::string("0") : model_.hash.substr(0, 12));
    });
    Array(out_, "servers", [&] { Object(out_, [&] { out_.Member("url", "/"); }); });
    Array(out_, "security", [&] { Object(out_, [&] { out_.Strings("bearer", {}); }); });
  }

  // --- pieces of operations

  template <class Content>
  void Operation(std::string_view method, const std::string& id, const std::string& summary,
                 Content content) {
    Object(out_, method, [&] {
      out_.Member("operationId", id);
      out_.Member("summary", summary);
      content();
    });
  }

  template <class Schema>
  void Content(std::string_view media_type, Schema schema) {
    Object(out_, "content", [&] {
      Object(out_, media_type, [&] {
        out_.Key("schema");
        schema();
      });
    });
  }

  void EmptyReply(std::string_view status, std::string_view description) {
    Object(out_, status, [&] { out_.Member("description", description); });
  }

  enum class WithLocation { kNo, kYes };
  void EntityReply(std::string_view status, std::string_view description, const Entity& entity,
                   WithLocation location = WithLocation::kNo) {
    const bool has_tag = IsLocked(entity);
    Object(out_, status, [&] {
      out_.Member("description", description);
      Object(out_, "headers", [&] {
        if (has_tag) Reference(out_, "ETag", "headers", "ETag");
        if (location == WithLocation::kYes) Reference(out_, "Location", "headers", "Location");
      });
      Content("application/json", [&] { Reference(out_, "schemas", SchemaName(entity, Use::kRead)); });
    });
  }

  void RequestBody(const Entity& entity, Use use) {
    Object(out_, "requestBody", [&] {
      Member(out_, "required", true);
      Content(use == Use::kPatch ? "application/merge-patch+json" : "application/json",
              [&] { Reference(out_, "schemas", SchemaName(entity, use)); });
    });
  }

  static bool IsLocked(const Entity& entity) { return model::LockAttribute(entity) != nullptr; }

  void Condition(const Entity& entity, std::string_view parameter) {
    if (IsLocked(entity)) Array(out_, "parameters", [&] { Reference(out_, "parameters", parameter); });
  }

  void WriteDescription(const std::string& path, const std::string& id, const std::string& summary) {
    Object(out_, path, [&] {
      Operation("get", id, summary, [&] {
        Object(out_, "responses", [&] {
          Object(out_, "200", [&] {
            out_.Member("description", summary);
            Content("application/json", [&] { Object(out_, [&] { out_.Member("type", "object"); }); });
          });
          WriteProblemReplies(out_, {"401"});
        });
      });
    });
  }

  // --- entities

  // An entity without key attributes has one address for the collection and its only item.
  void WriteEntity(const Entity& entity) {
    const auto key = model::KeyAttributes(model_, entity);
    const bool creates = model::AccessOf(model_, entity).create;
    std::string path = home_ + "/" + entity.name;
    if (key.empty()) {
      Object(out_, path, [&] {
        if (creates) WriteCreate(entity);
        WriteItemOperations(entity);
      });
      return;
    }
    if (creates) Object(out_, path, [&] { WriteCreate(entity); });
    for (const Attribute* attribute : key) path += "/{" + attribute->name + "}";
    Object(out_, path, [&] {
      Array(out_, "parameters", [&] {
        for (const Attribute* attribute : key) WriteKeyParameter(*attribute);
      });
      WriteItemOperations(entity);
    });
  }

  void WriteKeyParameter(const Attribute& attribute) {
    Object(out_, [&] {
      out_.Member("name", attribute.name);
      out_.Member("in", "path");
      Member(out_, "required", true);
      if (!attribute.doc.empty()) out_.Member("description", attribute.doc);
      out_.Key("schema");
      WriteTypeSchema(out_, attribute.type, attribute.limits);
    });
  }

  void WriteCreate(const Entity& entity) {
    Operation("post", "create" + entity.name, "Create " + entity.name, [&] {
      RequestBody(entity, Use::kCreate);
      Object(out_, "responses", [&] {
        if (entity.write == model::WriteMode::kIdempotent) {
          EntityReply("200", "It exists already, and is unchanged", entity, WithLocation::kYes);
        }
        EntityReply("201", "Created, as it is stored", entity, WithLocation::kYes);
        WriteProblemReplies(out_, {"400", "401", "404", "409", "413", "415", "422", "429", "503"});
      });
    });
  }

  void WriteItemOperations(const Entity& entity) {
    const model::UserAccess access = model::AccessOf(model_, entity);
    if (access.read) WriteGet(entity);
    if (access.change) {
      const bool creates = entity.write == model::WriteMode::kUpsert;
      WriteChange("put", "replace" + entity.name, (creates ? "Create or replace " : "Replace ") + entity.name,
                  entity, creates ? "OptionalIfMatch" : "IfMatch", Use::kReplace);
      WriteChange("patch", "change" + entity.name,
                  "Change attributes of " + entity.name + "; null removes one", entity, "IfMatch",
                  Use::kPatch);
    }
    if (access.remove) WriteDelete(entity);
  }

  void WriteGet(const Entity& entity) {
    Operation("get", "get" + entity.name, "Read " + entity.name, [&] {
      Condition(entity, "IfNoneMatch");
      Object(out_, "responses", [&] {
        EntityReply("200", "As it is stored", entity);
        if (IsLocked(entity)) EmptyReply("304", "The client has this version already");
        WriteProblemReplies(out_, {"400", "401", "404", "500"});
      });
    });
  }

  void WriteChange(std::string_view method, const std::string& id, const std::string& summary,
                   const Entity& entity, std::string_view condition, Use use) {
    Operation(method, id, summary, [&] {
      Condition(entity, condition);
      RequestBody(entity, use);
      Object(out_, "responses", [&] {
        EntityReply("200", "The new state", entity);
        WriteProblemReplies(out_, {"400", "401", "404", "409", "413", "415", "422", "429", "503"});
        if (IsLocked(entity)) WriteProblemReplies(out_, {"412", "428"});
      });
    });
  }

  void WriteDelete(const Entity& entity) {
    const std::string summary =
        entity.tombstone ? "Mark " + entity.name + " as deleted" : "Delete " + entity.name;
    Operation("delete", "delete" + entity.name, summary, [&] {
      Condition(entity, "IfMatch");
      Object(out_, "responses", [&] {
        EmptyReply("204", "Gone");
        WriteProblemReplies(out_, {"400", "401", "404", "409", "429", "503"});
        if (IsLocked(entity)) WriteProblemReplies(out_, {"412", "428"});
      });
    });
  }

  // --- patterns

  void WritePattern(const Pattern& pattern) {
    const std::string summary = pattern.doc.empty() ? "Pattern " + pattern.name : pattern.doc;
    Object(out_, home_ + "/patterns/" + pattern.name, [&] {
      Operation("get", "read" + Capitalized(pattern.name), summary, [&] {
        Array(out_, "parameters", [&] { WriteQueryParameters(pattern); });
        Object(out_, "responses", [&] {
          Object(out_, "200", [&] {
            out_.Member("description", "One page");
            Content("application/json", [&] { WritePageSchema(pattern); });
          });
          WriteProblemReplies(out_, {"400", "401", "404", "422", "429", "503"});
        });
      });
    });
  }

  void WriteQueryParameters(const Pattern& pattern) {
    for (const model::Parameter& parameter : pattern.parameters) {
      Object(out_, [&] {
        out_.Member("name", parameter.name);
        out_.Member("in", "query");
        Member(out_, "required", parameter.required);
        out_.Key("schema");
        WriteParameterSchema(parameter);
      });
    }
    Object(out_, [&] {
      out_.Member("name", "limit");
      out_.Member("in", "query");
      out_.Member("description", "Most items of a page");
      Object(out_, "schema", [&] {
        out_.Member("type", "integer");
        Member(out_, "minimum", int64_t{1});
        Member(out_, "maximum", pattern.limit_max);
        Member(out_, "default", pattern.limit_default);
      });
    });
    Reference(out_, "parameters", "Cursor");
  }

  void WriteParameterSchema(const model::Parameter& parameter) {
    if (!parameter.date_too) return WriteTypeSchema(out_, parameter.type);
    Object(out_, [&] {
      Array(out_, "anyOf", [&] {
        WriteTypeSchema(out_, parameter.type);
        Object(out_, [&] {
          out_.Member("type", "string");
          out_.Member("format", "date");
        });
      });
    });
  }

  void WritePageSchema(const Pattern& pattern) {
    const model::Read& last = pattern.steps.back();
    const bool partial = !pattern.project.empty() ||
                         (last.index && !model_.tables[last.table].indexes[*last.index].project_all);
    Object(out_, [&] {
      out_.Member("type", "object");
      Object(out_, "properties", [&] {
        Object(out_, "items", [&] {
          out_.Member("type", "array");
          Object(out_, "items", [&] {
            Array(out_, "anyOf", [&] {
              for (const size_t entity : last.entities) {
                WriteListed(model_.entities[entity], partial ? Use::kPartial : Use::kRead);
              }
              Reference(out_, "schemas", kDamagedSchema);
            });
          });
        });
        WriteSteps(pattern);
        Object(out_, "nextCursor", [&] {
          out_.Member("type", "string");
          out_.Member("description", "Leads to the next page; absent when that was all");
        });
        Object(out_, "truncated", [&] {
          out_.Member("type", "boolean");
          out_.Member("description", "There is more, but the pattern's bound was reached");
        });
      });
      out_.Strings("required", {"items"});
    });
  }

  // Listed items carry the name of their entity.
  void WriteListed(const Entity& entity, Use use) {
    const std::string tag = entity.Find("entity") == nullptr ? "entity" : "$entity";
    Object(out_, [&] {
      Array(out_, "allOf", [&] {
        Reference(out_, "schemas", SchemaName(entity, use));
        Object(out_, [&] {
          out_.Member("type", "object");
          Object(out_, "properties", [&] { Object(out_, tag, [&] { out_.Member("const", entity.name); }); });
          out_.Strings("required", {tag});
        });
      });
    });
  }

  void WriteSteps(const Pattern& pattern) {
    const auto is_named = [](const model::Read& step) { return step.get && !step.alias.empty(); };
    if (std::ranges::none_of(pattern.steps, is_named)) return;
    Object(out_, "steps", [&] {
      out_.Member("type", "object");
      out_.Member("description", "What the earlier steps found, by name");
      Object(out_, "properties", [&] {
        for (const model::Read& step : pattern.steps) {
          if (!is_named(step)) continue;
          out_.Key(step.alias);
          WriteListed(model_.entities[step.entities.front()], Use::kRead);
        }
      });
    });
  }

  const model::Model& model_;
  const std::string home_;
  JsonOutput out_;
};

}  // namespace

std::string OpenApi(const model::Model& model) { return Document(model).Write(); }

}  // namespace cairn::design
