// Making a backup: a consistent copy of the data, with the key that everything is signed with. Used by `cairn
// backup`, in its own process or by the server that holds the data.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/engine.h"

namespace cairn::server {

enum class KeyInBackup { kYes, kNo };

// `target` must not exist. Returns what an operator should know about the copy, as sentences.
Result<std::string> MakeBackup(engine::Engine& engine, const std::string& data, const std::string& target,
                               KeyInBackup key);

}  // namespace cairn::server
