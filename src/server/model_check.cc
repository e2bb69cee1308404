// cairn model check: the linter on the command line.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "design/json_output.h"
#include "design/lint.h"
#include "design/text_table.h"
#include "server/model_command.h"

namespace cairn::server {
namespace {

struct CheckSettings {
  std::vector<std::string> files;
  std::string format = "text";
  std::string explain;
  bool warnings_as_errors = false;
  bool all = false;
  bool codes = false;
};

struct Counts {
  size_t errors = 0, warnings = 0, assumptions = 0, accepted = 0;

  void Add(const model::Diagnostic& finding) {
    if (!finding.accepted_reason.empty()) {
      ++accepted;
    } else if (finding.severity == model::Severity::kError) {
      ++errors;
    } else if (finding.severity == model::Severity::kWarning) {
      ++warnings;
    } else {
      ++assumptions;
    }
  }
};

// What stops a file from being a model, or what the linter finds in it.
model::Diagnostics FindingsIn(const std::string& file) {
  auto loaded = model::LoadModel(file);
  return loaded ? design::Lint(**loaded) : std::move(loaded).error();
}

bool IsShown(const CheckSettings& settings, const model::Diagnostic& finding) {
  return settings.all || (finding.accepted_reason.empty() && finding.severity != model::Severity::kNote);
}

std::string Count(size_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string Summary(const CheckSettings& settings, const Counts& counts) {
  std::string text = Count(settings.files.size(), "file") + ": " + Count(counts.errors, "error") + ", " +
                     Count(counts.warnings, "warning") + ", " + Count(counts.accepted, "accepted finding") +
                     ", " + Count(counts.assumptions, "assumption");
  const bool hidden = !settings.all && counts.accepted + counts.assumptions > 0;
  return hidden ? text + " (--all shows the last two)" : text;
}

void PrintText(const CheckSettings& settings, const model::Diagnostics& findings, const Counts& counts) {
  for (const model::Diagnostic& finding : findings) {
    if (!IsShown(settings, finding)) continue;
    const std::string about = finding.subject.empty() ? "" : "  [" + finding.subject + "]";
    std::printf("%s%s\n", model::ToString(finding).c_str(), about.c_str());
  }
  std::printf("%s\n", Summary(settings, counts).c_str());
}

void PrintJson(const CheckSettings& settings, const model::Diagnostics& findings, const Counts& counts) {
  design::JsonOutput out;
  out.BeginObject();
  out.Key("findings");
  out.BeginArray();
  for (const model::Diagnostic& finding : findings) {
    if (!IsShown(settings, finding)) continue;
    out.BeginObject();
    out.Member("file", finding.file);
    out.Key("line");
    out.Number(finding.where.line);
    out.Key("column");
    out.Number(finding.where.column);
    out.Member("severity", design::SeverityName(finding.severity));
    out.Member("code", finding.code);
    out.Member("subject", finding.subject);
    out.Member("message", finding.message);
    if (!finding.accepted_reason.empty()) out.Member("accepted", finding.accepted_reason);
    out.EndObject();
  }
  out.EndArray();
  const auto number = [&](const char* name, size_t count) {
    out.Key(name);
    out.Number(static_cast<int64_t>(count));
  };
  number("errors", counts.errors);
  number("warnings", counts.warnings);
  number("accepted", counts.accepted);
  number("assumptions", counts.assumptions);
  out.EndObject();
  std::printf("%s", out.Take().c_str());
}

int ListCodes() {
  design::TextTable table({{"code"}, {"severity"}, {"meaning"}});
  for (const design::LintCode& code : design::LintCodes()) {
    table.AddRow({std::string(code.code), std::string(design::SeverityName(code.severity)),
                  std::string(code.meaning)});
  }
  std::printf("%s", table.ToString().c_str());
  return kExitOk;
}

int Explain(const std::string& name) {
  const design::LintCode* code = design::FindLintCode(name);
  if (code == nullptr)
    return Complain("there is no code " + name + " (see cairn model check --codes)", kExitUsage);
  std::printf("%s (%s)\n  %.*s\n  Repair: %.*s\n", name.c_str(),
              std::string(design::SeverityName(code->severity)).c_str(),
              static_cast<int>(code->meaning.size()), code->meaning.data(),
              static_cast<int>(code->repair.size()), code->repair.data());
  std::printf(
      "  To keep it, say so in the model file:\n    [[accept]]\n    code   = \"%s\"\n"
      "    at     = \"...\"   # what stands in [brackets] behind the finding, or \"*\"\n    reason = "
      "\"...\"\n",
      name.c_str());
  return kExitOk;
}

int Check(const CheckSettings& settings) {
  if (settings.codes) return ListCodes();
  if (!settings.explain.empty()) return Explain(settings.explain);
  if (settings.files.empty())
    return Complain("name at least one model file (see cairn model check --help)", kExitUsage);
  model::Diagnostics findings;
  Counts counts;
  for (const std::string& file : settings.files) {
    for (model::Diagnostic& finding : FindingsIn(file)) {
      counts.Add(finding);
      findings.push_back(std::move(finding));
    }
  }
  if (settings.format == "json") {
    PrintJson(settings, findings, counts);
  } else {
    PrintText(settings, findings, counts);
  }
  if (counts.errors > 0) return kExitUsage;
  return settings.warnings_as_errors && counts.warnings > 0 ? kExitFailure : kExitOk;
}

}  // namespace

Command AddModelCheck(CLI::App& model) {
  auto* command = model.add_subcommand("check",
                                       "Check model files. Exit code 0: nothing to fix; 1: warnings, with "
                                       "--warnings-as-errors; 2: errors, or a "
                                       "file that is no model");
  auto settings = std::make_shared<CheckSettings>();
  command->add_option("FILE", settings->files, "Model files (.toml or .json)");
  command->add_flag("--warnings-as-errors", settings->warnings_as_errors,
                    "Exit with 1 when there are warnings");
  command->add_flag("--all", settings->all, "Show accepted findings and assumptions, too");
  command->add_option("--format", settings->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_flag("--codes", settings->codes, "List what is looked for");
  command->add_option("--explain", settings->explain, "Say what a code means and how to repair it");
  return [settings] { return Check(*settings); };
}

}  // namespace cairn::server
