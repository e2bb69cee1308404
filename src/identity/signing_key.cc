#include "identity/signing_key.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

namespace cairn::identity {
namespace {

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

std::unexpected<Error> FileError(const std::string& path, std::string_view what, int error) {
  return Fail(Code::kUnavailable,
              "cannot " + std::string(what) + " the signing key " + path + ": " + std::strerror(error));
}

std::string PathIn(const std::string& directory) { return directory + "/" + std::string(kSigningKeyFile); }

// Nothing when there is no such file.
Result<std::optional<std::string>> ReadKey(const std::string& path) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.is_open()) {
    if (errno == ENOENT) return std::nullopt;
    return FileError(path, "open", errno);
  }
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) return FileError(path, "look at", errno);
  if (!S_ISREG(status.st_mode)) return Fail(Code::kUnavailable, "the signing key " + path + " is not a file");
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Fail(Code::kUnavailable,
                "the signing key " + path +
                    " may be read or changed by others: whoever has it can act as any user. Run "
                    "chmod 600 on it, or delete it to get a new one (all tokens end then)");
  }
  std::string key(kSigningKeyBytes, '\0');
  const ssize_t count = ::read(file.descriptor(), key.data(), key.size());
  if (count < 0) return FileError(path, "read", errno);
  if (status.st_size != static_cast<off_t>(kSigningKeyBytes) || count != static_cast<ssize_t>(key.size())) {
    return Fail(Code::kUnavailable, "the signing key " + path + " must have 32 bytes but has " +
                                        std::to_string(status.st_size) +
                                        "; delete it to get a new one (all tokens end then)");
  }
  return key;
}

Status SyncDirectory(const std::string& directory) {
  const File folder(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open() || ::fsync(folder.descriptor()) != 0) return FileError(directory, "keep", errno);
  return {};
}

Status WriteDraft(const std::string& path, const std::string& key) {
  const File file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return FileError(path, "create", errno);
  const ssize_t count = ::write(file.descriptor(), key.data(), key.size());
  if (count != static_cast<ssize_t>(key.size())) return FileError(path, "write", count < 0 ? errno : ENOSPC);
  if (::fsync(file.descriptor()) != 0) return FileError(path, "write", errno);
  return {};
}

// The file appears under its name only when it is complete and on disk, and never replaces one that is there.
Status CreateKey(const std::string& directory, const std::string& path, Random& random) {
  const std::string draft = path + "." + NewUuid(random);
  Status written = WriteDraft(draft, NewSigningKey(random));
  if (written && ::link(draft.c_str(), path.c_str()) != 0 && errno != EEXIST) {
    written = FileError(path, "create", errno);
  }
  ::unlink(draft.c_str());
  RETURN_IF_ERROR(written);
  return SyncDirectory(directory);
}

}  // namespace

std::string NewSigningKey(Random& random) {
  std::string key;
  while (key.size() < kSigningKeyBytes) {
    const uint64_t bits = random.Next();
    key.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  }
  return key;
}

Result<std::string> LoadOrCreateSigningKey(const std::string& directory, Random& random) {
  const std::string path = PathIn(directory);
  ASSIGN_OR_RETURN(auto key, ReadKey(path));
  if (!key) {
    RETURN_IF_ERROR(CreateKey(directory, path, random));
    ASSIGN_OR_RETURN(key, ReadKey(path));
  }
  if (!key) return Fail(Code::kUnavailable, "the signing key " + path + " vanished while it was made");
  return *std::move(key);
}

Result<bool> CopySigningKey(const std::string& from, const std::string& to) {
  ASSIGN_OR_RETURN(const auto key, ReadKey(PathIn(from)));
  if (!key) return false;
  RETURN_IF_ERROR(WriteDraft(PathIn(to), *key));
  RETURN_IF_ERROR(SyncDirectory(to));
  return true;
}

}  // namespace cairn::identity
