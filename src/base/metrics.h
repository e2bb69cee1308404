// Numbers for operators, in the text format that Prometheus reads. Whoever counts something owns its counters
// and histograms and writes them with these functions; there is no registry.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace cairn::metrics {

// Upper bounds, ascending: of times in seconds (50 us to 10 s), of numbers of things (1 to 1024).
std::span<const double> SecondBounds();
std::span<const double> CountBounds();

// How often something was how large. Observing is two atomic additions; no lock.
class Histogram {
 public:
  explicit Histogram(std::span<const double> bounds);
  void Observe(double value);
  void Observe(std::chrono::steady_clock::duration time) {
    Observe(std::chrono::duration<double>(time).count());
  }
  uint64_t count() const;
  // The samples of `name`; `labels` is "" or `operation="PutItem"`.
  void AppendTo(std::string& text, std::string_view name, std::string_view labels) const;

 private:
  std::span<const double> bounds_;
  std::unique_ptr<std::atomic<uint64_t>[]> buckets_;  // one more than bounds: what is larger than all
  std::atomic<double> sum_ = 0;
};

enum class Kind { kCounter, kGauge, kHistogram };

// What stands before the samples of a metric.
void AppendHead(std::string& text, std::string_view name, Kind kind, std::string_view help);
void AppendSample(std::string& text, std::string_view name, std::string_view labels, double value);
// Both, for a metric without labels.
void AppendMetric(std::string& text, std::string_view name, Kind kind, std::string_view help, double value);

// `name="value"`, escaped.
std::string Label(std::string_view name, std::string_view value);

}  // namespace cairn::metrics
