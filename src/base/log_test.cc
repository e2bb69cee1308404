#include "base/log.h"

namespace cairn {
namespace {

class LogTest : public testing::Test {
 protected:
  ~LogTest() override { log::SetLevel(log::Level::kInfo); }
};

TEST_F(LogTest, OneEventIsOneLineOfJson) {
  testing::internal::CaptureStderr();
  log::Info("table created", {{"table", "a\n\"b"}, {"items", 3}});
  const std::string line = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(line.starts_with(R"({"time":")")) << line;
  EXPECT_TRUE(line.ends_with(R"("level":"info","event":"table created","table":"a\n\"b","items":3})"
                             "\n"))
      << line;
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
}

TEST_F(LogTest, LevelsBelowTheThresholdAreSilent) {
  log::SetLevel(log::ParseLevel("error").value());
  testing::internal::CaptureStderr();
  log::Debug("a");
  log::Info("b");
  log::Warning("c");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  log::Failure("d");
  EXPECT_NE(testing::internal::GetCapturedStderr(), "");
}

TEST_F(LogTest, UnknownLevelNameIsNone) { EXPECT_EQ(log::ParseLevel("loud"), std::nullopt); }

}  // namespace
}  // namespace cairn
