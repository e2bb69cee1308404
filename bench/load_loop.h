// The closed loop: every connection sends its next request when the answer to the last one is complete. One
// thread, one epoll, keep-alive.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "latency_histogram.h"
#include "load_request.h"

namespace bench {

struct LoadOptions {
  uint16_t port = 0;
  pid_t server = 0;  // whose CPU time is taken
  int connections = 1;
  double warmup_seconds = 0;
  double seconds = 0;  // ignored by operations that go through the keys in order: they end with the last key
  DataSet data;
  uint64_t seed = 1;
  std::vector<std::string> messages = {};  // instead of the operation's: whole requests, in random order
  // How the driver waits. A sleeping driver is woken by every answer it does not expect yet, and on a virtual
  // machine that costs the sender, the server, several microseconds. A spinning one takes a whole core and
  // costs it nothing.
  enum class Wait { kSleep, kSpin } wait = Wait::kSleep;
};

struct LoadFigures {
  double seconds = 0;
  double server_cpu_seconds = 0;
  double driver_cpu_seconds = 0;
  uint64_t wrong_replies = 0;
  std::string first_wrong_reply;
  LatencyHistogram latencies;
};

// The versions of the items as the load has written them; kept from one load to the next of the same server.
using Versions = std::vector<uint32_t>;

// Throws std::runtime_error if the server cannot be reached or hangs up.
LoadFigures RunLoad(const Operation& operation, const LoadOptions& options, Versions& versions);

// User and system time that a process has used, all its threads, in seconds.
double CpuSeconds(pid_t process);

}  // namespace bench
