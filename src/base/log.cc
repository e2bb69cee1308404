#include "base/log.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/time_text.h"

namespace cairn::log {
namespace {

std::atomic<Level> threshold{Level::kInfo};
constexpr auto kLevelNames = std::to_array<std::string_view>({"debug", "info", "warning", "error", "off"});

void Write(Level level, std::string_view event, std::initializer_list<Field> fields) {
  if (level < threshold.load(std::memory_order_relaxed)) return;
  std::string line = R"({"time":")" + FormatIsoMilliseconds(SystemClock().Now()) + R"(","level":")";
  line += kLevelNames[static_cast<size_t>(level)];
  line += R"(","event":)";
  AppendJsonString(line, event);
  for (const Field& field : fields) {
    line += ',';
    AppendJsonString(line, field.name);
    line += ':';
    line += field.json;
  }
  line += "}\n";
  // One write call, so that lines of several threads do not mix. Nothing sensible can be done if it fails.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

Field::Field(std::string_view field_name, std::string_view text) : name(field_name) {
  AppendJsonString(json, text);
}

void SetLevel(Level level) { threshold = level; }

std::optional<Level> ParseLevel(std::string_view name) {
  for (size_t i = 0; i < kLevelNames.size(); ++i) {
    if (kLevelNames[i] == name) return static_cast<Level>(i);
  }
  return std::nullopt;
}

void Debug(std::string_view event, std::initializer_list<Field> fields) {
  Write(Level::kDebug, event, fields);
}
void Info(std::string_view event, std::initializer_list<Field> fields) { Write(Level::kInfo, event, fields); }
void Warning(std::string_view event, std::initializer_list<Field> fields) {
  Write(Level::kWarning, event, fields);
}
void Failure(std::string_view event, std::initializer_list<Field> fields) {
  Write(Level::kError, event, fields);
}

}  // namespace cairn::log
