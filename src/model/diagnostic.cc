#include "model/diagnostic.h"

#include <string_view>

namespace cairn::model {
namespace {

std::string_view Word(const Diagnostic& diagnostic) {
  if (!diagnostic.accepted_reason.empty()) return "accepted";
  switch (diagnostic.severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "error";
}

// One line: what a model file or a library says may contain line breaks.
void AppendOneLine(std::string& out, std::string_view text) {
  for (const char c : text) out += c == '\n' || c == '\r' ? ' ' : c;
}

}  // namespace

std::string ToString(const Diagnostic& diagnostic) {
  std::string line;
  if (!diagnostic.file.empty()) {
    line += diagnostic.file;
    line += ':';
    if (diagnostic.where.line != 0) {
      line += std::to_string(diagnostic.where.line) + ":";
      if (diagnostic.where.column != 0) line += std::to_string(diagnostic.where.column) + ":";
    }
    line += ' ';
  }
  line += Word(diagnostic);
  if (!diagnostic.code.empty()) line += " " + diagnostic.code;
  line += ": ";
  AppendOneLine(line, diagnostic.message);
  if (!diagnostic.accepted_reason.empty()) {
    line += " (";
    AppendOneLine(line, diagnostic.accepted_reason);
    line += ')';
  }
  return line;
}

}  // namespace cairn::model
