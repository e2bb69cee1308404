// cairn model export: a model in the forms that other tools read.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <set>

#include "design/export.h"
#include "design/openapi.h"
#include "server/model_command.h"

namespace cairn::server {
namespace {

struct ExportSettings {
  std::string file;
  std::string to;
  std::string stage = "dev";
  std::string variable;
  std::string output;
};

std::string CallerPolicyText(const model::Model& model, const ExportSettings& settings) {
  const design::IamPolicy policy =
      design::CallerPolicy(model, {.stage = settings.stage, .variable = settings.variable});
  for (const std::string& remark : policy.remarks) std::fprintf(stderr, "note: %s\n", remark.c_str());
  return policy.json;
}

// One row per form. `schema` is no row: it is about the format, not about a model.
struct Form {
  const char* name;
  std::string (*write)(const model::Model& model, const ExportSettings& settings);
};
constexpr Form kForms[] = {
    {"cloudformation", [](const model::Model& model,
                          const ExportSettings& s) { return design::CloudFormation(model, s.stage); }},
    {"workbench",
     [](const model::Model& model, const ExportSettings& s) { return design::Workbench(model, s.stage); }},
    {"iam", CallerPolicyText},
    {"openapi", [](const model::Model& model, const ExportSettings&) { return design::OpenApi(model); }},
    {"json", [](const model::Model& model, const ExportSettings&) { return model.canonical_json + "\n"; }},
};
constexpr const char* kSchema = "schema";

int Export(const ExportSettings& settings) {
  if (settings.to == kSchema) return WriteText(settings.output, model::ModelJsonSchema());
  if (settings.file.empty()) return Complain("name a model file (see cairn model export --help)", kExitUsage);
  const model::ModelPtr model = LoadOrComplain(settings.file);
  if (!model) return kExitUsage;
  for (const Form& form : kForms) {
    if (settings.to == form.name) return WriteText(settings.output, form.write(*model, settings));
  }
  return kExitUsage;
}

}  // namespace

Command AddModelExport(CLI::App& model) {
  auto* command = model.add_subcommand(
      "export",
      "Write a model as a CloudFormation template, a NoSQL Workbench data model, an IAM policy for signed-in "
      "callers, an OpenAPI document, or canonical JSON; or the JSON Schema of model files");
  auto settings = std::make_shared<ExportSettings>();
  command->add_option("FILE", settings->file, "Model file (.toml or .json); not needed for schema");
  std::set<std::string> names{kSchema};
  for (const Form& form : kForms) names.insert(form.name);
  command->add_option("--to", settings->to, "What to write")->required()->check(CLI::IsMember(names));
  command->add_option("--stage", settings->stage, "Stands for {env} and {stage} in table names")
      ->capture_default_str();
  command->add_option("--claim-variable", settings->variable,
                      "iam: the policy variable with the caller's id; aws:PrincipalTag/<claim> if left out");
  command->add_option("-o,--output", settings->output, "File to write; standard output if left out");
  return [settings] { return Export(*settings); };
}

}  // namespace cairn::server
