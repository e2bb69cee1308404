// cairn_modelgen MODEL DIRECTORY: writes the C++ of a model file to DIRECTORY/<name>.h and <name>.cc. Run by
// the build (cmake/models.cmake). Exits with 2 when the model has errors, with 1 when a file cannot be read
// or written.
#include <cstdio>
#include <filesystem>

#include "model/load.h"
#include "modelgen/generate.h"
#include "modelgen/output_file.h"

namespace cairn::modelgen {
namespace {

int Report(const model::Diagnostics& diagnostics) {
  for (const model::Diagnostic& diagnostic : diagnostics)
    std::fprintf(stderr, "%s\n", ToString(diagnostic).c_str());
  return 2;
}

int Report(const Error& error) {
  std::fprintf(stderr, "cairn_modelgen: %s\n", error.message.c_str());
  return 1;
}

int Run(const std::string& file, const std::string& directory) {
  const auto text = ReadFile(file);
  if (!text) return Report(text.error());
  const auto model = model::ParseModel(*text, file);
  if (!model) return Report(model.error());
  // The build derives the names of the outputs from that of the file.
  if (const std::string stem = std::filesystem::path(file).stem(); (*model)->name != stem) {
    model::Diagnostic diagnostic;
    diagnostic.message =
        "the model is called " + (*model)->name + ", so its file must be " + (*model)->name + ".toml";
    diagnostic.file = file;
    return Report(model::Diagnostics{diagnostic});
  }
  const auto generated = Generate(**model, *text);
  if (!generated) return Report(generated.error());
  const std::string path = directory + "/" + generated->name;
  for (const auto& [ending, content] :
       {std::pair(".h", &generated->header), std::pair(".cc", &generated->source)}) {
    if (const auto written = WriteIfChanged(path + ending, *content); !written)
      return Report(written.error());
  }
  return 0;
}

}  // namespace
}  // namespace cairn::modelgen

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: cairn_modelgen MODEL DIRECTORY\n");
    return 1;
  }
  return cairn::modelgen::Run(argv[1], argv[2]);
}
