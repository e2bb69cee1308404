#include "design/openapi_components.h"

#include "design/openapi_blocks.h"
#include "design/openapi_schemas.h"
#include "model/entity_access.h"

namespace cairn::design {
namespace {

struct ProblemReply {
  std::string_view status, name, meaning;
};

constexpr ProblemReply kProblems[] = {
    {"400", "Malformed", "The request cannot be understood"},
    {"401", "Unauthenticated", "No token, or one that is not valid"},
    {"404", "NotFound", "There is nothing, or nothing of the caller's, at this address"},
    {"409", "Conflict",
     "It exists already, another one has the same unique value, or others change it at this moment"},
    {"412", "VersionMismatch", "It does not have the version that If-Match names"},
    {"413", "TooLarge", "The body is too large"},
    {"415", "UnsupportedMediaType", "The body is not JSON"},
    {"422", "Invalid", "A rule of the model is broken; errors names the fields"},
    {"428", "IfMatchRequired", "The entity has a lock: If-Match is required"},
    {"429", "Overloaded", "The server is busy: try again later"},
    {"500", "Damaged", "What is stored contradicts the model; errors names the attributes"},
    {"503", "Unavailable", "The server takes no writes at present, or an index is being filled"},
};

struct TextParameter {
  std::string_view key, name, in;
  bool required;
  std::string_view meaning;
};

constexpr TextParameter kParameters[] = {
    {"IfMatch", "If-Match", "header", true, "The ETag of the version that was seen, or *"},
    {"OptionalIfMatch", "If-Match", "header", false,
     "The ETag of the version that was seen; without it whatever is there is replaced"},
    {"IfNoneMatch", "If-None-Match", "header", false, "The ETag of the version the client has"},
    {"Cursor", "cursor", "query", false, "nextCursor of the page before"},
};

constexpr std::string_view kProblemSchema = "problem.reply";

void WriteHeader(JsonOutput& out, std::string_view name, std::string_view meaning) {
  Object(out, name, [&] {
    out.Member("description", meaning);
    TypeOnly(out, "schema", "string");
  });
}

void WriteParameter(JsonOutput& out, const TextParameter& parameter) {
  Object(out, parameter.key, [&] {
    out.Member("name", parameter.name);
    out.Member("in", parameter.in);
    Member(out, "required", parameter.required);
    out.Member("description", parameter.meaning);
    TypeOnly(out, "schema", "string");
  });
}

void WriteProblemReply(JsonOutput& out, const ProblemReply& reply) {
  Object(out, reply.name, [&] {
    out.Member("description", reply.meaning);
    Object(out, "content", [&] {
      Object(out, "application/problem+json", [&] { Reference(out, "schema", "schemas", kProblemSchema); });
    });
  });
}

void WriteProblemSchema(JsonOutput& out) {
  Object(out, kProblemSchema, [&] {
    out.Member("type", "object");
    out.Member("description", "RFC 9457");
    Object(out, "properties", [&] {
      for (const std::string_view name : {"type", "title", "detail", "code"}) TypeOnly(out, name, "string");
      TypeOnly(out, "status", "integer");
      Object(out, "errors", [&] {
        out.Member("type", "array");
        Object(out, "items", [&] {
          out.Member("type", "object");
          Object(out, "properties", [&] {
            for (const std::string_view name : {"field", "message"}) TypeOnly(out, name, "string");
          });
        });
      });
    });
    out.Strings("required", {"type", "title", "status", "code"});
  });
}

void WriteDamagedSchema(JsonOutput& out) {
  Object(out, kDamagedSchema, [&] {
    out.Member("type", "object");
    out.Member("description", "An item that was not stored as its model says: its key, and what is wrong");
    Object(out, "properties", [&] {
      TypeOnly(out, "$key", "object");
      Object(out, "$damaged", [&] {
        out.Member("type", "array");
        Object(out, "items", [&] {
          out.Member("type", "object");
          Object(out, "properties", [&] {
            for (const std::string_view name : {"field", "message"}) TypeOnly(out, name, "string");
          });
        });
      });
    });
    out.Strings("required", {"$key", "$damaged"});
  });
}

void WriteSchemas(JsonOutput& out, const model::Model& model) {
  WriteProblemSchema(out);
  WriteDamagedSchema(out);
  WriteNamedTypes(out, model);
  for (const model::Entity& entity : model.entities) {
    const model::UserAccess access = model::AccessOf(model, entity);
    const auto write = [&](Use use) {
      out.Key(SchemaName(entity, use));
      WriteEntitySchema(out, model, entity, use);
    };
    write(Use::kRead);
    write(Use::kPartial);
    if (access.create) write(Use::kCreate);
    if (access.change) write(Use::kReplace);
    if (access.change) write(Use::kPatch);
  }
}

}  // namespace

void WriteProblemReplies(JsonOutput& out, std::initializer_list<std::string_view> statuses) {
  for (const ProblemReply& reply : kProblems) {
    for (const std::string_view status : statuses) {
      if (status == reply.status) Reference(out, reply.status, "responses", reply.name);
    }
  }
}

void WriteComponents(JsonOutput& out, const model::Model& model) {
  Object(out, "components", [&] {
    Object(out, "securitySchemes", [&] {
      Object(out, "bearer", [&] {
        out.Member("type", "http");
        out.Member("scheme", "bearer");
        out.Member("bearerFormat", "JWT");
      });
    });
    Object(out, "headers", [&] {
      WriteHeader(out, "ETag", "The version, for If-Match and If-None-Match");
      WriteHeader(out, "Location", "The address of what was created");
    });
    Object(out, "parameters", [&] {
      for (const TextParameter& parameter : kParameters) WriteParameter(out, parameter);
    });
    Object(out, "responses", [&] {
      for (const ProblemReply& reply : kProblems) WriteProblemReply(out, reply);
    });
    Object(out, "schemas", [&] { WriteSchemas(out, model); });
  });
}

}  // namespace cairn::design
