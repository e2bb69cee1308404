#include "calendar/zone_data.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/zone_folder.h"

namespace cairn::calendar {
namespace {

// FNV-1a: nobody gains anything by another file with the same number.
void Mix(uint64_t& hash, std::string_view bytes) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
}

std::string Hex(uint64_t number) {
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[number >> shift & 15];
  return text;
}

}  // namespace

Result<std::string> ZoneDataVersion() {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<std::string> names;  // Europe/Berlin
  const std::string& folder = ZoneFolder();
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().string().substr(folder.size());
    // The same zones again, with other rules for leap seconds.
    if (name == "posix" || name == "right") {
      entry.disable_recursion_pending();
      continue;
    }
    const bool is_zone = name.find('/') != std::string::npos || name == "UTC";
    if (is_zone && entry->is_regular_file(error)) names.push_back(std::move(name));
  }
  if (error || names.empty())
    return Fail(Code::kUnavailable, "there are no rules of time zones in " + folder);
  std::ranges::sort(names);
  uint64_t hash = 14695981039346656037u;
  for (const std::string& name : names) {
    std::ifstream file(folder + name, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!bytes.starts_with("TZif")) continue;
    Mix(hash, name);
    Mix(hash, bytes);
  }
  return Hex(hash);
}

}  // namespace cairn::calendar
