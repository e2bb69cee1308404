#include "server/serve_settings.h"

#include <toml++/toml.h>
#include <CLI/CLI.hpp>
#include <sstream>

namespace cairn::server {
namespace {

std::string At(const std::string& file, const toml::source_position& where) {
  return file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": ";
}

Result<std::string> AsText(const toml::node& value, const std::string& place) {
  if (const auto text = value.value_exact<std::string>()) return *text;
  if (const auto number = value.value_exact<int64_t>()) return std::to_string(*number);
  if (const auto truth = value.value_exact<bool>()) return std::string(*truth ? "true" : "false");
  return Fail(Invalid(place + "expected a string, a whole number or a boolean"));
}

}  // namespace

void AddFlags(CLI::App& serve, ServeSettings& settings) {
  serve.add_option("--host", settings.host, "Address to listen on")->capture_default_str();
  serve.add_option("--port", settings.port, "Port to listen on; 0 takes a free one")->capture_default_str();
  auto* data =
      serve.add_option("--data", settings.data, "Data directory, created if missing")->capture_default_str();
  serve.add_flag("--memory", settings.memory, "Keep everything in memory; nothing survives the process")
      ->excludes(data);
  serve
      .add_option("--durability", settings.durability,
                  "sync: a write is on disk before it is acknowledged; relaxed: up to 100 ms later")
      ->check(CLI::IsMember({"sync", "relaxed"}))
      ->capture_default_str();
  serve.add_option("--config", settings.config, "TOML file with any of these settings, e.g. port = 8000");
  serve.add_option("--credentials", settings.credentials,
                   "JSON file with access keys; requests must then be signed with one of them");
  serve.add_option("--threads", settings.threads, "Threads that serve requests; 0: one per core")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  serve.add_option("--cache-mb", settings.cache_mb, "Memory for blocks read from disk")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  serve.add_option("--ttl-sweep-seconds", settings.ttl_sweep_seconds, "How often expired items are removed")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  serve.add_option("--log-level", settings.log_level, "Least severe events to log")
      ->check(CLI::IsMember({"debug", "info", "warning", "error", "off"}))
      ->capture_default_str();
}

Status ApplyConfig(CLI::App& serve, const std::string& file) {
  try {
    const toml::table config = toml::parse_file(file);
    for (const auto& [key, value] : config) {
      const std::string place = At(file, value.source().begin);
      CLI::Option* option = serve.get_option_no_throw("--" + std::string(key.str()));
      if (!option || key.str() == "config" || key.str() == "help") {
        return Fail(Invalid(place + "unknown setting '" + std::string(key.str()) +
                            "'; cairn serve --help lists them"));
      }
      if (option->count() > 0) continue;  // the command line wins
      ASSIGN_OR_RETURN(const std::string text, AsText(value, place));
      try {
        option->add_result(text);
        option->run_callback();
      } catch (const CLI::Error& error) {
        return Fail(Invalid(place + error.what()));
      }
    }
  } catch (const toml::parse_error& error) {
    std::ostringstream what;
    what << error.description();
    return Fail(Invalid(At(file, error.source().begin) + what.str()));
  }
  return {};
}

}  // namespace cairn::server
