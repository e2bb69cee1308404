// Diagnostic: something to say about a model file, with the place in it. Made by the loader (errors) and by
// the linter (findings with stable codes); printed by `cairn model`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::model {

// Lines and columns count from 1; 0 means unknown.
struct Location {
  uint32_t line = 0;
  uint32_t column = 0;
  friend auto operator<=>(const Location&, const Location&) = default;
};

enum class Severity { kError, kWarning, kNote };

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;  // "" for a syntax error, else stable, e.g. "ISO-1"
  std::string message;
  std::string file;
  Location where;
  std::string subject;          // what it is about: "Task", "Task.GSI1", "pattern tasksByStatus"
  std::string accepted_reason;  // not empty: the model acknowledges this finding, and why
};

// "models/shop.toml:12:8: error ISO-1: ..."; one line.
std::string ToString(const Diagnostic& diagnostic);

using Diagnostics = std::vector<Diagnostic>;

}  // namespace cairn::model
