#include "server/model_command.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "design/docs.h"
#include "design/starter.h"

namespace cairn::server {
namespace {

struct DocsSettings {
  std::string file;
  std::string format = "markdown";
  std::string output;
};

int Docs(const DocsSettings& settings) {
  const model::ModelPtr model = LoadOrComplain(settings.file);
  if (!model) return kExitUsage;
  return WriteText(settings.output,
                   settings.format == "html" ? design::DocsHtml(*model) : design::DocsMarkdown(*model));
}

int Init(const std::string& file) {
  if (file == "-") return WriteText(file, design::StarterModel());
  if (!file.ends_with(".toml")) return Complain("a model file ends in .toml: " + file, kExitUsage);
  // "x": the file must not exist, and nobody can make it in between.
  std::FILE* made = std::fopen(file.c_str(), "wx");
  if (made == nullptr) {
    return Complain(
        errno == EEXIST ? file + " exists already; it was left as it is" : "cannot write to " + file,
        kExitUsage);
  }
  const std::string_view text = design::StarterModel();
  const bool written = std::fwrite(text.data(), 1, text.size(), made) == text.size();
  if ((std::fclose(made) != 0) | !written) return Complain("cannot write to " + file);
  std::printf("wrote %s; next: cairn model check %s\n", file.c_str(), file.c_str());
  return kExitOk;
}

}  // namespace

model::ModelPtr LoadOrComplain(const std::string& file) {
  auto loaded = model::LoadModel(file);
  if (loaded) return *std::move(loaded);
  for (const model::Diagnostic& diagnostic : loaded.error()) {
    std::fprintf(stderr, "%s\n", model::ToString(diagnostic).c_str());
  }
  return nullptr;
}

int WriteText(const std::string& file, std::string_view text) {
  if (file.empty() || file == "-") {
    std::cout << text << std::flush;
    return std::cout ? kExitOk : Complain("cannot write to standard output");
  }
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  return out ? kExitOk : Complain("cannot write to " + file);
}

Command AddModelDocs(CLI::App& model) {
  auto* command = model.add_subcommand("docs",
                                       "Write a page about a model: tables with their partitions drawn, "
                                       "entities, indexes, patterns with their "
                                       "cost, findings and assumptions");
  auto settings = std::make_shared<DocsSettings>();
  command->add_option("FILE", settings->file, "Model file (.toml or .json)")->required();
  command->add_option("--format", settings->format, "markdown, or html: one self-contained page")
      ->check(CLI::IsMember({"markdown", "html"}))
      ->capture_default_str();
  command->add_option("-o,--output", settings->output, "File to write; standard output if left out");
  return [settings] { return Docs(*settings); };
}

Command AddModelInit(CLI::App& model) {
  auto* command =
      model.add_subcommand("init", "Write a small commented model to start from; never overwrites a file");
  auto file = std::make_shared<std::string>("model.toml");
  command->add_option("FILE", *file, "File to write; - is standard output")->capture_default_str();
  return [file] { return Init(*file); };
}

Command AddModel(CLI::App& program) {
  auto* model =
      program.add_subcommand("model", "Check, document, price and export model files; verify stored items");
  model->require_subcommand(1);
  std::vector<std::pair<CLI::App*, Command>> commands;
  for (const auto add :
       {AddModelCheck, AddModelDocs, AddModelCost, AddModelExport, AddModelInit, AddModelVerify}) {
    Command run = add(*model);
    commands.emplace_back(model->get_subcommands({}).back(), std::move(run));
  }
  return [commands] {
    for (const auto& [subcommand, run] : commands) {
      if (subcommand->parsed()) return run();
    }
    return kExitUsage;
  };
}

}  // namespace cairn::server
