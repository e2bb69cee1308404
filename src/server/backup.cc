// cairn backup and cairn restore: whole data directories.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "engine/engine.h"
#include "server/command.h"
#include "server/control_socket.h"
#include "server/progress_bar.h"

namespace cairn::server {
namespace {

namespace fs = std::filesystem;

struct Paths {
  std::string data = "./data";
  std::string other;
};

// A running server makes the copy itself; otherwise this process opens the directory.
int Backup(const Paths& paths) {
  const std::string target = fs::absolute(paths.other).lexically_normal().string();
  if (fs::exists(target)) return Complain("backup target exists already: " + target);
  Status status;
  if (auto answer = AskServer(paths.data, {"checkpoint", target}); !answer) status = Fail(answer.error());
  if (!status && status.error().code == Code::kUnavailable) {
    auto engine = OpenExisting(paths.data);
    if (!engine) return Complain(engine.error().message);
    status = (*engine)->Checkpoint(target);
  }
  if (!status) return Complain(status.error().message);
  std::printf("backup of %s written to %s\n", paths.data.c_str(), target.c_str());
  return kExitOk;
}

Status CopyDirectory(const fs::path& from, const fs::path& to) {
  std::error_code error;
  uint64_t total = 0, done = 0;
  for (const auto& entry : fs::directory_iterator(from, error)) total += entry.is_regular_file() ? 1 : 0;
  const fs::path unfinished = to.string() + ".unfinished";
  fs::remove_all(unfinished, error);
  fs::create_directories(unfinished, error);
  ProgressBar bar("restoring", total);
  for (const auto& entry : fs::directory_iterator(from, error)) {
    if (!entry.is_regular_file() || entry.path().filename() == "LOCK") continue;
    fs::copy_file(entry.path(), unfinished / entry.path().filename(), error);
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
  if (auto copied = CopyDirectory(paths.other, paths.data); !copied) return Complain(copied.error().message);
  std::printf("restored %s to %s\n", paths.other.c_str(), paths.data.c_str());
  return kExitOk;
}

}  // namespace

Command AddBackup(CLI::App& program) {
  auto* command = program.add_subcommand("backup", "Copy a data directory, also while a server uses it");
  auto paths = std::make_shared<Paths>();
  command->add_option("--data", paths->data, "Data directory")->capture_default_str();
  command->add_option("--to", paths->other, "Directory to write; must not exist")->required();
  return [paths] { return Backup(*paths); };
}

Command AddRestore(CLI::App& program) {
  auto* command = program.add_subcommand("restore", "Make a data directory from a backup, checking it first");
  auto paths = std::make_shared<Paths>();
  command->add_option("--from", paths->other, "Backup made by cairn backup")->required();
  command->add_option("--data", paths->data, "Data directory to make; must not exist")->capture_default_str();
  return [paths] { return Restore(*paths); };
}

}  // namespace cairn::server
