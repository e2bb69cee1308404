#include "server/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/metrics.h"

namespace cairn::server {
namespace {

double ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  double pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double OpenFiles() {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  return error ? 0 : static_cast<double>(std::distance(begin(files), end(files)));
}

}  // namespace

std::string ProcessMetricsText() {
  using metrics::Kind;
  std::string text;
  metrics::AppendMetric(text, "process_resident_memory_bytes", Kind::kGauge, "Resident memory.",
                        ResidentBytes());
  metrics::AppendMetric(text, "process_cpu_seconds_total", Kind::kCounter, "CPU time, user and system.",
                        CpuSeconds());
  metrics::AppendMetric(text, "process_open_fds", Kind::kGauge, "Open file descriptors.", OpenFiles());
  return text;
}

}  // namespace cairn::server
