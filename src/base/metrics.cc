#include "base/metrics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace cairn::metrics {
namespace {

void AppendNumber(std::string& text, double value) {
  char digits[400];
  // Whole numbers as such: counters are compared and read by people.
  const bool whole = std::abs(value) < 9e15 && value == std::floor(value);
  const auto end = whole ? std::to_chars(digits, digits + sizeof digits, static_cast<int64_t>(value))
                         : std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed);
  text.append(digits, end.ptr);
}

}  // namespace

std::span<const double> SecondBounds() {
  static constexpr auto kBounds =
      std::to_array<double>({0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                             0.25, 0.5, 1, 2.5, 10});
  return kBounds;
}

std::span<const double> CountBounds() {
  static constexpr auto kBounds = std::to_array<double>({1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024});
  return kBounds;
}

Histogram::Histogram(std::span<const double> bounds)
    : bounds_(bounds), buckets_(std::make_unique<std::atomic<uint64_t>[]>(bounds.size() + 1)) {}

void Histogram::Observe(double value) {
  const auto bucket = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
  buckets_[static_cast<size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
  sum_.fetch_add(value, std::memory_order_relaxed);
}

uint64_t Histogram::count() const {
  uint64_t count = 0;
  for (size_t i = 0; i <= bounds_.size(); ++i) count += buckets_[i].load(std::memory_order_relaxed);
  return count;
}

void Histogram::AppendTo(std::string& text, std::string_view name, std::string_view labels) const {
  const std::string bucket_name = std::string(name) + "_bucket";
  const std::string separator = labels.empty() ? "" : ",";
  uint64_t so_far = 0;
  for (size_t i = 0; i <= bounds_.size(); ++i) {
    so_far += buckets_[i].load(std::memory_order_relaxed);
    std::string bound = "+Inf";
    if (i < bounds_.size()) AppendNumber(bound = "", bounds_[i]);
    AppendSample(text, bucket_name, std::string(labels) + separator + Label("le", bound),
                 static_cast<double>(so_far));
  }
  AppendSample(text, std::string(name) + "_sum", labels, sum_.load(std::memory_order_relaxed));
  AppendSample(text, std::string(name) + "_count", labels, static_cast<double>(so_far));
}

void AppendHead(std::string& text, std::string_view name, Kind kind, std::string_view help) {
  static constexpr std::string_view kKinds[] = {"counter", "gauge", "histogram"};
  text.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ").append(name).append(" ");
  text.append(kKinds[static_cast<size_t>(kind)]).append("\n");
}

void AppendSample(std::string& text, std::string_view name, std::string_view labels, double value) {
  text.append(name);
  if (!labels.empty()) text.append("{").append(labels).append("}");
  text += ' ';
  AppendNumber(text, value);
  text += '\n';
}

void AppendMetric(std::string& text, std::string_view name, Kind kind, std::string_view help, double value) {
  AppendHead(text, name, kind, help);
  AppendSample(text, name, "", value);
}

std::string Label(std::string_view name, std::string_view value) {
  std::string label(name);
  label += "=\"";
  for (const char c : value) {
    if (c == '\n') {
      label += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') label += '\\';
    label += c;
  }
  label += '"';
  return label;
}

}  // namespace cairn::metrics
