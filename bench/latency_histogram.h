// Latencies in buckets of 1.6 % width: constant memory, no sorting, exact enough for percentiles.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

namespace bench {

class LatencyHistogram {
 public:
  void Add(uint64_t nanoseconds) {
    ++counts_[BucketOf(nanoseconds)];
    ++total_;
    if (nanoseconds > max_) max_ = nanoseconds;
  }

  // The least latency that `share` (0 to 1) of all operations did not exceed, in microseconds.
  double PercentileUs(double share) const {
    const auto wanted = static_cast<uint64_t>(share * static_cast<double>(total_));
    uint64_t seen = 0;
    for (size_t bucket = 0; bucket < counts_.size(); ++bucket) {
      seen += counts_[bucket];
      if (seen > wanted) return static_cast<double>(MiddleOf(bucket)) / 1e3;
    }
    return MaxUs();
  }

  double MaxUs() const { return static_cast<double>(max_) / 1e3; }
  uint64_t total() const { return total_; }

 private:
  // A bucket is a power of two and the six bits below its highest one.
  static constexpr unsigned kBits = 6;

  static size_t BucketOf(uint64_t value) {
    if (value < (1u << kBits)) return static_cast<size_t>(value);
    const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - 1 - kBits;
    return (static_cast<size_t>(shift) << kBits) + static_cast<size_t>(value >> shift);
  }

  static uint64_t MiddleOf(size_t bucket) {
    if (bucket < (2u << kBits)) return bucket;
    const size_t shift = (bucket >> kBits) - 1;
    const uint64_t low = ((bucket & ((1u << kBits) - 1)) | (1u << kBits));
    return (low << shift) + ((uint64_t{1} << shift) / 2);
  }

  std::array<uint64_t, (64 - kBits + 1) << kBits> counts_{};
  uint64_t total_ = 0;
  uint64_t max_ = 0;
};

}  // namespace bench
