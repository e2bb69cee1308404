#include "base/zone_folder.h"

#include <cstdlib>

namespace cairn {

const std::string& ZoneFolder() {
  static const std::string folder = [] {
    const char* const named = std::getenv("TZDIR");
    std::string path = named != nullptr && *named != '\0' ? named : "/usr/share/zoneinfo";
    if (!path.ends_with('/')) path += '/';
    return path;
  }();
  return folder;
}

}  // namespace cairn
