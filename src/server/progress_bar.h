// ProgressBar: shows how far long work has come, on a terminal only.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace cairn::server {

class ProgressBar {
 public:
  // `total` 0: unknown, then only the count is shown.
  ProgressBar(std::string what, uint64_t total);
  ~ProgressBar();  // ends the line
  void Update(uint64_t done);

 private:
  const std::string what_;
  const uint64_t total_;
  const bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace cairn::server
