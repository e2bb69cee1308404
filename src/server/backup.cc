// cairn backup and cairn restore: whole data directories.
#include "server/backup.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "identity/signing_key.h"
#include "server/command.h"
#include "server/control_socket.h"
#include "server/progress_bar.h"

namespace cairn::server {
namespace {

namespace fs = std::filesystem;

struct Paths {
  std::string data = "./data";
  std::string other;
  bool without_key = false;
};

constexpr std::string_view kWithKey = "with-key", kWithoutKey = "without-key";
constexpr std::string_view kWhatEndsWithoutKey =
    "a server restored from it makes a new one, so everybody logs in again, tokens end, and webhooks get new "
    "secrets";

// A running server makes the copy itself; otherwise this process opens the directory.
int Backup(const Paths& paths) {
  const std::string target = fs::absolute(paths.other).lexically_normal().string();
  if (fs::exists(target)) return Complain("backup target exists already: " + target);
  const std::string key(paths.without_key ? kWithoutKey : kWithKey);
  auto made = AskServer(paths.data, {"backup", target, key});
  if (!made && made.error().code == Code::kUnavailable) {
    auto engine = OpenExisting(paths.data);
    if (!engine) return Complain(engine.error().message);
    made = MakeBackup(**engine, paths.data, target, paths.without_key ? KeyInBackup::kNo : KeyInBackup::kYes);
  }
  if (!made) return Complain(made.error().message);
  std::printf("backup of %s written to %s\n%s", paths.data.c_str(), target.c_str(), made->c_str());
  return kExitOk;
}

// For the eyes of their owner only, whatever a backup of an earlier version had.
Status CopyDirectory(const fs::path& from, const fs::path& to, KeyInBackup key) {
  std::error_code error;
  uint64_t total = 0, done = 0;
  for (const auto& entry : fs::directory_iterator(from, error)) total += entry.is_regular_file() ? 1 : 0;
  const fs::path unfinished = to.string() + ".unfinished";
  fs::remove_all(unfinished, error);
  fs::create_directories(unfinished, error);
  ProgressBar bar("restoring", total);
  for (const auto& entry : fs::directory_iterator(from, error)) {
    if (!entry.is_regular_file() || entry.path().filename() == "LOCK") continue;
    if (key == KeyInBackup::kNo && entry.path().filename() == identity::kSigningKeyFile) continue;
    const fs::path copy = unfinished / entry.path().filename();
    fs::copy_file(entry.path(), copy, error);
    if (!error) fs::permissions(copy, fs::perms::owner_read | fs::perms::owner_write, error);
    if (error) break;
    bar.Update(++done);
  }
  // Renamed last: a target that exists is a complete one.
  if (!error) fs::rename(unfinished, to, error);
  if (error) return Fail(Code::kUnavailable, "cannot restore to " + to.string() + ": " + error.message());
  return {};
}

// Checks the backup before anything is copied.
int Restore(const Paths& paths) {
  if (fs::exists(paths.data)) {
    return Complain("restore target exists already: " + paths.data +
                    " (move it away first; nothing was changed)");
  }
  {
    auto backup = OpenExisting(paths.other);
    if (!backup) return Complain(backup.error().message);
    auto report = (*backup)->Verify({});
    if (!report) return Complain(report.error().message);
    if (!report->findings.empty()) return Complain("the backup is damaged: " + report->findings.front());
  }
  const KeyInBackup key = paths.without_key ? KeyInBackup::kNo : KeyInBackup::kYes;
  if (auto copied = CopyDirectory(paths.other, paths.data, key); !copied)
    return Complain(copied.error().message);
  std::printf("restored %s to %s\n", paths.other.c_str(), paths.data.c_str());
  if (fs::exists(fs::path(paths.data) / identity::kSigningKeyFile)) {
    std::printf("The signing key is in place: sessions, tokens and webhook secrets go on.\n");
  } else {
    std::printf("There is no signing key: %.*s.\n", static_cast<int>(kWhatEndsWithoutKey.size()),
                kWhatEndsWithoutKey.data());
  }
  return kExitOk;
}

}  // namespace

Result<std::string> MakeBackup(engine::Engine& engine, const std::string& data, const std::string& target,
                               KeyInBackup key) {
  RETURN_IF_ERROR(engine.Checkpoint(target));
  const std::string without = ": " + std::string(kWhatEndsWithoutKey) + ".\n";
  if (key == KeyInBackup::kNo) return "The signing key was left out" + without;
  auto copied = identity::CopySigningKey(data, target);
  if (!copied) {
    std::error_code ignored;
    fs::remove_all(target, ignored);  // half a backup is none
    return Fail(copied.error());
  }
  if (!*copied) return "There is no signing key yet" + without;
  return std::string(
      "It holds the signing key: whoever reads it can act as any user. Keep it as safe as the data "
      "(--without-key leaves it out).\n");
}

Command AddBackup(CLI::App& program) {
  auto* command = program.add_subcommand("backup", "Copy a data directory, also while a server uses it");
  auto paths = std::make_shared<Paths>();
  command->add_option("--data", paths->data, "Data directory")->capture_default_str();
  command->add_option("--to", paths->other, "Directory to write; must not exist")->required();
  command->add_flag("--without-key", paths->without_key,
                    "Leave out the signing key: after a restore everybody has to log in again");
  return [paths] { return Backup(*paths); };
}

Command AddRestore(CLI::App& program) {
  auto* command = program.add_subcommand("restore", "Make a data directory from a backup, checking it first");
  auto paths = std::make_shared<Paths>();
  command->add_option("--from", paths->other, "Backup made by cairn backup")->required();
  command->add_option("--data", paths->data, "Data directory to make; must not exist")->capture_default_str();
  command->add_flag("--without-key", paths->without_key,
                    "Leave the backup's signing key out: everybody has to log in again");
  return [paths] { return Restore(*paths); };
}

}  // namespace cairn::server
