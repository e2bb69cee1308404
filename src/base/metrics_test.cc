#include "base/metrics.h"

#include <gtest/gtest.h>

#include <array>

namespace cairn::metrics {
namespace {

constexpr auto kBounds = std::to_array<double>({0.5, 1, 8});

TEST(Metrics, HistogramCountsUpToAndIncludingItsBounds) {
  Histogram histogram(kBounds);
  for (const double value : {0.25, 0.5, 0.75, 8.0, 9.5}) histogram.Observe(value);
  std::string text;
  histogram.AppendTo(text, "size", R"(kind="a")");
  EXPECT_EQ(text,
            "size_bucket{kind=\"a\",le=\"0.5\"} 2\n"
            "size_bucket{kind=\"a\",le=\"1\"} 3\n"
            "size_bucket{kind=\"a\",le=\"8\"} 4\n"
            "size_bucket{kind=\"a\",le=\"+Inf\"} 5\n"
            "size_sum{kind=\"a\"} 19\n"
            "size_count{kind=\"a\"} 5\n");
  EXPECT_EQ(histogram.count(), 5u);
}

TEST(Metrics, TimesAreSeconds) {
  Histogram histogram(SecondBounds());
  histogram.Observe(std::chrono::milliseconds(1500));
  std::string text;
  histogram.AppendTo(text, "t", "");
  EXPECT_NE(text.find("t_sum 1.5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("t_bucket{le=\"1\"} 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("t_bucket{le=\"2.5\"} 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("t_bucket{le=\"0.00005\"} 0\n"), std::string::npos) << text;
}

TEST(Metrics, LabelsAreEscapedSoThatALineStaysALine) {
  EXPECT_EQ(Label("name", "a\"b\\c\nd"), R"(name="a\"b\\c\nd")");
}

TEST(Metrics, MetricHasHelpTypeAndSample) {
  std::string text;
  AppendMetric(text, "things", Kind::kGauge, "How many.", 12345678901);
  EXPECT_EQ(text, "# HELP things How many.\n# TYPE things gauge\nthings 12345678901\n");
}

}  // namespace
}  // namespace cairn::metrics
