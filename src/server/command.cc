#include "server/command.h"

#include <cstdio>
#include <filesystem>

#include "base/clock.h"
#include "base/random.h"

namespace cairn::server {

int Complain(const std::string& sentence, int exit_code) {
  std::fprintf(stderr, "cairn: %s\n", sentence.c_str());
  return exit_code;
}

Result<std::unique_ptr<engine::Engine>> OpenExisting(const std::string& directory) {
  static const SystemClock clock;
  static SystemRandom random;
  if (!std::filesystem::exists(std::filesystem::path(directory) / "CURRENT")) {
    return Fail(Code::kUnavailable, directory + " is not a cairn data directory");
  }
  // Offline commands only look: expiring items and trimming streams is the server's business.
  return engine::Engine::Open({.directory = directory, .background_jobs = engine::BackgroundJobs::kOff},
                              clock, random);
}

}  // namespace cairn::server
