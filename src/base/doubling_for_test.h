// For tests that the work grows in proportion to the input, and not with its square or the product of two.
//
//   EXPECT_LT(GrowthOf(20'000, [](size_t n) { ...prepare...; return [=] { ...work...; }; }), kLinearGrowth);
//
// The same work is done on an input of n and on one eight times as large; compared is CPU time of this
// thread, the least of several runs of each, so that a busy machine makes no difference. Linear work takes 8
// times as long, n log n about 10 times, quadratic work 64 times: limit and outcomes are far apart. `n` has
// to be large enough that one run takes a hundred microseconds or so.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace cairn {

inline constexpr double kLinearGrowth = 26;

namespace internal {

inline double CpuSecondsOfThread() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

inline double LeastCpuSeconds(auto&& work, int runs) {
  double least = std::numeric_limits<double>::max();
  for (int run = 0; run < runs; ++run) {
    const double begun = CpuSecondsOfThread();
    work();
    least = std::min(least, CpuSecondsOfThread() - begun);
  }
  return least;
}

}  // namespace internal

// `make_work(n)` prepares an input of size n and returns what is measured.
double GrowthOf(size_t n, auto&& make_work) {
  auto small = make_work(n);
  auto large = make_work(8 * n);
  const double of_small = internal::LeastCpuSeconds(small, 7);
  double growth = internal::LeastCpuSeconds(large, 3) / of_small;
  if (growth < kLinearGrowth) return growth;
  return std::min(growth, internal::LeastCpuSeconds(large, 5) / internal::LeastCpuSeconds(small, 20));
}

}  // namespace cairn
