// What an operator asks of the applications of a data directory: accounts and demo data. A command sends it
// to the server that holds the directory, or does it itself when there is none.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "server/application.h"

namespace cairn::server {

// Does it; the answer is what the command prints, lines and all. Blocks; not on an event loop.
//   {"user", "add", email, password}       {"user", "list"}        {"user", "reset-password", email, password
//   or ""}
//   {"user", "disable", email}             {"user", "enable", email}            {"demo", email}
Result<std::string> RunOperatorRequest(Application& application, Random& random,
                                       const std::vector<std::string>& words);

// Whether the first word is one of these.
bool IsOperatorRequest(const std::string& word);

// Asks the running server of a data directory, or works on the directory itself.
Result<std::string> AskOrRun(const std::string& data, const std::vector<std::string>& words);

}  // namespace cairn::server
