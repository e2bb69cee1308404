// cairn model: what a person does with a model file besides running it. One file per group of subcommands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/load.h"
#include "server/command.h"

namespace cairn::server {

// Each adds one subcommand to `cairn model`.
Command AddModelCheck(CLI::App& model);
Command AddModelCost(CLI::App& model);
Command AddModelDocs(CLI::App& model);
Command AddModelExport(CLI::App& model);
Command AddModelInit(CLI::App& model);
Command AddModelVerify(CLI::App& model);

// Null when the file is no model; then every reason is on standard error, one line each.
model::ModelPtr LoadOrComplain(const std::string& file);

// Writes to a file, or to standard output for "" and "-"; the exit code.
int WriteText(const std::string& file, std::string_view text);

}  // namespace cairn::server
