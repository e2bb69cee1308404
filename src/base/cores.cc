#include "base/cores.h"

#include <sched.h>

#include <thread>

namespace cairn {

unsigned CoresOfThisProcess() {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return std::thread::hardware_concurrency();
  return static_cast<unsigned>(CPU_COUNT(&cores));
}

}  // namespace cairn
