#include "identity/signing_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace cairn::identity {
namespace {

using testing::HasSubstr;

class SigningKey : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "cairn-key-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    file_ = directory_ + "/signing.key";
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void Write(const std::string& bytes, mode_t mode) {
    std::ofstream(file_, std::ios::binary) << bytes;
    ASSERT_EQ(::chmod(file_.c_str(), mode), 0);
  }
  std::string Complaint() {
    const auto key = LoadOrCreateSigningKey(directory_, random_);
    return key ? "" : key.error().message;
  }

  SystemRandom random_;
  std::string directory_, file_;
};

TEST_F(SigningKey, IsMadeOnceForItsOwnerOnly) {
  const auto made = LoadOrCreateSigningKey(directory_, random_);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->size(), kSigningKeyBytes);
  struct stat status {};
  ASSERT_EQ(::stat(file_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(LoadOrCreateSigningKey(directory_, random_).value(), *made);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_), {}), 1) << "drafts are removed";
}

TEST_F(SigningKey, TwoInstallationsHaveDifferentKeys) {
  EXPECT_NE(NewSigningKey(random_), NewSigningKey(random_));
}

TEST_F(SigningKey, ManyAtOnceAgree) {
  std::vector<std::string> keys(8);
  std::vector<std::thread> threads;
  for (std::string& key : keys) {
    threads.emplace_back([&] { key = LoadOrCreateSigningKey(directory_, random_).value_or(""); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& key : keys) {
    EXPECT_EQ(key.size(), kSigningKeyBytes);
    EXPECT_EQ(key, keys[0]);
  }
}

TEST_F(SigningKey, FileThatOthersMayReadIsRefused) {
  for (const mode_t mode : {0640, 0604, 0620, 0602, 0644, 0777}) {
    Write(std::string(32, 'k'), mode);
    EXPECT_THAT(Complaint(), HasSubstr("by others")) << std::oct << mode;
  }
  Write(std::string(32, 'k'), 0400);
  EXPECT_EQ(Complaint(), "");
}

TEST_F(SigningKey, WrongSizeIsRefused) {
  for (const size_t size : {0, 1, 31, 33, 64}) {
    std::filesystem::remove(file_);
    Write(std::string(size, 'k'), 0600);
    EXPECT_THAT(Complaint(), HasSubstr("must have 32 bytes")) << size;
  }
}

TEST_F(SigningKey, LinkIsRefused) {
  const std::string elsewhere = directory_ + "/elsewhere";
  std::ofstream(elsewhere) << std::string(32, 'k');
  std::filesystem::create_symlink(elsewhere, file_);
  EXPECT_THAT(Complaint(), HasSubstr("cannot open"));
}

TEST_F(SigningKey, CopyIsTheSameKeyForItsOwnerOnly) {
  const std::string other = directory_ + "/copy";
  std::filesystem::create_directory(other);
  EXPECT_EQ(CopySigningKey(directory_, other).value_or(true), false) << "there is none yet";
  const auto key = LoadOrCreateSigningKey(directory_, random_);
  ASSERT_TRUE(key);
  ASSERT_TRUE(CopySigningKey(directory_, other).value_or(false));
  EXPECT_EQ(LoadOrCreateSigningKey(other, random_).value_or(""), *key);
  EXPECT_FALSE(CopySigningKey(directory_, other)) << "never replaces one";
}

TEST_F(SigningKey, MissingDirectoryIsAnError) {
  directory_ += "/missing";
  EXPECT_THAT(Complaint(), HasSubstr("cannot create"));
  directory_ = std::filesystem::path(directory_).parent_path();
}

}  // namespace
}  // namespace cairn::identity
