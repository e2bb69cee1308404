#include "server/control_socket.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

namespace cairn::server {
namespace {

class ControlSocketTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  const std::string directory_ =
      (std::filesystem::temp_directory_path() / ("cairn_control_" + std::to_string(getpid()))).string();
};

TEST_F(ControlSocketTest, WordsArriveAsTheyAre) {
  std::vector<std::string> heard;
  ControlSocket socket(directory_, [&](const std::vector<std::string>& words) -> Result<std::string> {
    heard = words;
    return std::string("a\nb");
  });
  const std::vector<std::string> words = {"user", "two\nlines", std::string("a\0b", 3),
                                          "",     "\n",         std::string(60'000, 'x')};
  const auto answer = AskServer(directory_, words);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(*answer, "a\nb");
  EXPECT_EQ(heard, words);
}

TEST_F(ControlSocketTest, WhatIsTooLongIsRefusedAndNotCut) {
  bool is_asked = false;
  ControlSocket socket(directory_, [&](const std::vector<std::string>&) -> Result<std::string> {
    is_asked = true;
    return std::string();
  });
  EXPECT_FALSE(AskServer(directory_, {"user", std::string(70'000, 'x')}));
  EXPECT_FALSE(AskServer(directory_, {}));
  EXPECT_FALSE(is_asked);
}

}  // namespace
}  // namespace cairn::server
