// The commands of the program: one file each. Every command adds itself to the command line and returns what
// runs when it was chosen; the result is the exit code.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "engine/engine.h"

namespace CLI {
class App;
}

namespace cairn::server {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitNoWrites = 3;  // of serve: stopped while the store took no writes

using Command = std::function<int()>;

Command AddServe(CLI::App& program);
Command AddTables(CLI::App& program);
Command AddBackup(CLI::App& program);
Command AddRestore(CLI::App& program);
Command AddExport(CLI::App& program);
Command AddImport(CLI::App& program);
Command AddVerify(CLI::App& program);
Command AddModel(CLI::App& program);
Command AddToken(CLI::App& program);
Command AddUser(CLI::App& program);
Command AddDemo(CLI::App& program);

// Prints "cairn: <sentence>" on standard error.
int Complain(const std::string& sentence, int exit_code = kExitFailure);

// Opens a data directory that must exist, for commands that work without a server.
Result<std::unique_ptr<engine::Engine>> OpenExisting(const std::string& directory);

}  // namespace cairn::server
