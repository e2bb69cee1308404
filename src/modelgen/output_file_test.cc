#include "modelgen/output_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace cairn::modelgen {
namespace {

class OutputFileTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(directory_); }
  const std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / ("cairn_output_file_" + std::to_string(getpid()));
};

TEST_F(OutputFileTest, SameContentLeavesTheFileAlone) {
  const std::string path = directory_ / "deep" / "a.h";
  EXPECT_EQ(WriteIfChanged(path, "one"), Written::kChanged);
  const auto old_time = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(path, old_time);
  EXPECT_EQ(WriteIfChanged(path, "one"), Written::kUnchanged);
  EXPECT_EQ(std::filesystem::last_write_time(path), old_time);
  EXPECT_EQ(WriteIfChanged(path, "two"), Written::kChanged);
  EXPECT_EQ(ReadFile(path), "two");
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST_F(OutputFileTest, MissingFileCannotBeRead) {
  const auto content = ReadFile(directory_ / "nothing");
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, Code::kUnavailable);
}

TEST_F(OutputFileTest, DirectoryInTheWayIsReported) {
  std::filesystem::create_directories(directory_ / "a.h.new");
  EXPECT_FALSE(WriteIfChanged(directory_ / "a.h", "one"));
}

}  // namespace
}  // namespace cairn::modelgen
