#include "modelgen/output_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace cairn::modelgen {

Result<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof()) return Fail(Code::kUnavailable, "cannot read " + path);
  return content;
}

Result<Written> WriteIfChanged(const std::string& path, std::string_view content) {
  if (const auto there = ReadFile(path); there && *there == content) return Written::kUnchanged;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const std::string draft = path + ".new";
  std::ofstream file(draft, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) return Fail(Code::kUnavailable, "cannot write " + draft);
  std::filesystem::rename(draft, path, error);
  if (error) return Fail(Code::kUnavailable, "cannot write " + path + ": " + error.message());
  return Written::kChanged;
}

}  // namespace cairn::modelgen
