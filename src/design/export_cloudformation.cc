#include <algorithm>
#include <cctype>

#include "design/export.h"
#include "design/json_output.h"

namespace cairn::design {
namespace {

bool HasStage(const model::Table& table) {
  return table.physical_name.find("{env}") != std::string::npos ||
         table.physical_name.find("{stage}") != std::string::npos;
}

bool IsProvisioned(const model::Table& table) { return table.billing == "provisioned"; }

// Logical ids are alphanumeric: "sessions-2" is Sessions2Table.
std::string LogicalId(const model::Table& table) {
  std::string id;
  bool upper = true;
  for (const char c : table.name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) {
      upper = true;
      continue;
    }
    id += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return id + "Table";
}

void WriteKeySchema(JsonOutput& out, const std::string& pk, const std::string& sk) {
  out.Key("KeySchema");
  out.BeginArray();
  const auto element = [&](const std::string& name, const char* type) {
    out.BeginObject();
    out.Member("AttributeName", name);
    out.Member("KeyType", type);
    out.EndObject();
  };
  element(pk, "HASH");
  if (!sk.empty()) element(sk, "RANGE");
  out.EndArray();
}

void WriteAttributeDefinitions(JsonOutput& out, const model::Table& table) {
  std::vector<std::string> names{table.pk_attribute, table.sk_attribute};
  for (const model::Index& index : table.indexes) {
    names.push_back(index.pk_attribute);
    names.push_back(index.sk_attribute);
  }
  out.Key("AttributeDefinitions");
  out.BeginArray();
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || std::find(names.begin(), names.begin() + static_cast<ptrdiff_t>(i), names[i]) !=
                                names.begin() + static_cast<ptrdiff_t>(i)) {
      continue;
    }
    out.BeginObject();
    out.Member("AttributeName", names[i]);
    out.Member("AttributeType", "S");  // keys are texts made by templates
    out.EndObject();
  }
  out.EndArray();
}

void WriteThroughput(JsonOutput& out) {
  out.Key("ProvisionedThroughput");
  out.BeginObject();
  for (const char* kind : {"ReadCapacity", "WriteCapacity"}) {
    out.Key(std::string(kind) + "Units");
    out.BeginObject();
    out.Member("Ref", kind);
    out.EndObject();
  }
  out.EndObject();
}

void WriteIndex(JsonOutput& out, const model::Table& table, const model::Index& index) {
  out.BeginObject();
  out.Member("IndexName", index.name);
  WriteKeySchema(out, index.pk_attribute, index.sk_attribute);
  out.Key("Projection");
  out.BeginObject();
  out.Member("ProjectionType", index.project_all ? "ALL" : index.included.empty() ? "KEYS_ONLY" : "INCLUDE");
  if (!index.project_all && !index.included.empty()) out.Strings("NonKeyAttributes", index.included);
  out.EndObject();
  if (IsProvisioned(table)) WriteThroughput(out);
  out.EndObject();
}

void WriteTableName(JsonOutput& out, const model::Table& table) {
  out.Key("TableName");
  if (!HasStage(table)) {
    out.String(table.physical_name);
    return;
  }
  out.BeginObject();
  out.Member("Fn::Sub", PhysicalName(table, "${Stage}"));
  out.EndObject();
}

void WriteTable(JsonOutput& out, const model::Table& table) {
  out.Key(LogicalId(table));
  out.BeginObject();
  out.Member("Type", "AWS::DynamoDB::Table");
  // A stack that goes must not take the data with it.
  out.Member("DeletionPolicy", "Retain");
  out.Member("UpdateReplacePolicy", "Retain");
  out.Key("Properties");
  out.BeginObject();
  WriteTableName(out, table);
  WriteAttributeDefinitions(out, table);
  WriteKeySchema(out, table.pk_attribute, table.sk_attribute);
  out.Member("BillingMode", IsProvisioned(table) ? "PROVISIONED" : "PAY_PER_REQUEST");
  if (IsProvisioned(table)) WriteThroughput(out);
  if (!table.indexes.empty()) {
    out.Key("GlobalSecondaryIndexes");
    out.BeginArray();
    for (const model::Index& index : table.indexes) WriteIndex(out, table, index);
    out.EndArray();
  }
  if (!table.ttl_attribute.empty()) {
    out.Key("TimeToLiveSpecification");
    out.BeginObject();
    out.Member("AttributeName", table.ttl_attribute);
    out.Key("Enabled");
    out.Bool(true);
    out.EndObject();
  }
  if (table.stream != model::StreamContent::kNone) {
    const bool keys = table.stream == model::StreamContent::kKeys;
    out.Key("StreamSpecification");
    out.BeginObject();
    out.Member("StreamViewType", keys ? "KEYS_ONLY" : "NEW_AND_OLD_IMAGES");
    out.EndObject();
  }
  out.EndObject();
  out.EndObject();
}

void WriteParameters(JsonOutput& out, const model::Model& model, std::string_view stage) {
  const bool staged = std::any_of(model.tables.begin(), model.tables.end(), HasStage);
  const bool provisioned = std::any_of(model.tables.begin(), model.tables.end(), IsProvisioned);
  if (!staged && !provisioned) return;
  out.Key("Parameters");
  out.BeginObject();
  if (staged) {
    out.Key("Stage");
    out.BeginObject();
    out.Member("Type", "String");
    out.Member("Default", stage);
    out.Member("AllowedPattern", "[a-zA-Z0-9_.-]+");
    out.Member("Description", "Stands for {env} and {stage} in table names");
    out.EndObject();
  }
  for (const char* kind : {"ReadCapacity", "WriteCapacity"}) {
    if (!provisioned) break;
    out.Key(kind);
    out.BeginObject();
    out.Member("Type", "Number");
    out.Key("Default");
    out.Number(5);
    out.Key("MinValue");
    out.Number(1);
    out.Member("Description", "Units of each provisioned table and index");
    out.EndObject();
  }
  out.EndObject();
}

void WriteOutputs(JsonOutput& out, const model::Model& model) {
  out.Key("Outputs");
  out.BeginObject();
  const auto output = [&](const std::string& name, const std::string& id, const char* attribute) {
    out.Key(name);
    out.BeginObject();
    out.Key("Value");
    out.BeginObject();
    if (attribute == nullptr) {
      out.Member("Ref", id);
    } else {
      out.Strings("Fn::GetAtt", {id, attribute});
    }
    out.EndObject();
    out.EndObject();
  };
  for (const model::Table& table : model.tables) {
    const std::string id = LogicalId(table);
    output(id + "Name", id, nullptr);
    output(id + "Arn", id, "Arn");
    if (table.stream != model::StreamContent::kNone) output(id + "StreamArn", id, "StreamArn");
  }
  out.EndObject();
}

}  // namespace

std::string PhysicalName(const model::Table& table, std::string_view stage) {
  std::string name = table.physical_name;
  for (const std::string_view placeholder : {"{env}", "{stage}"}) {
    for (size_t at = name.find(placeholder); at != std::string::npos;
         at = name.find(placeholder, at + stage.size())) {
      name.replace(at, placeholder.size(), stage);
    }
  }
  return name;
}

std::string CloudFormation(const model::Model& model, std::string_view stage) {
  JsonOutput out;
  out.BeginObject();
  out.Member("AWSTemplateFormatVersion", "2010-09-09");
  out.Member("Description",
             "Tables of the model " + model.name + (model.doc.empty() ? "" : ": " + model.doc));
  WriteParameters(out, model, stage);
  out.Key("Resources");
  out.BeginObject();
  for (const model::Table& table : model.tables) WriteTable(out, table);
  out.EndObject();
  WriteOutputs(out, model);
  out.EndObject();
  return out.Take();
}

}  // namespace cairn::design
