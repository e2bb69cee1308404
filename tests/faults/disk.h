// Disk: the files of a machine that can lose its power, in memory. It keeps apart what running programs see
// and what has reached the medium, for bytes and for directory entries alike. Knows nothing of RocksDB; not
// thread-safe (CrashFs guards it).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::faults {

using RandomEngine = std::mt19937_64;
inline uint64_t Below(RandomEngine& random, uint64_t bound) {
  return std::uniform_int_distribution<uint64_t>(0, bound - 1)(random);
}
inline bool Coin(RandomEngine& random) { return Below(random, 2) == 0; }

// What a power loss leaves of that which was written but not synced.
enum class Tail {
  kLost,  // nothing: the worst a file system may do in order
  kTorn,  // any of: nothing, a prefix, zeroes, garbage, some pages of it; some of the directory entries
};

struct File {
  std::string live;     // as programs read it
  std::string durable;  // as it was when it was last synced
  bool overwritten_in_place = false;
  // [from, to) that a failed sync has dropped: programs still read the bytes, but no later sync writes them.
  std::vector<std::pair<size_t, size_t>> dropped;
};
using FileRef = std::shared_ptr<File>;

class Disk {
 public:
  using Contents = std::map<std::string, std::string>;  // path -> bytes

  Disk() = default;
  // A copy has files of its own: what is done to one disk is not seen on the other.
  Disk(const Disk& other);
  Disk(Disk&& other) = default;
  Disk& operator=(Disk&& other) = default;

  FileRef Find(const std::string& path) const;
  FileRef Create(const std::string& path);  // replaces what was there
  bool Remove(const std::string& path);
  bool Rename(const std::string& from, const std::string& to);
  bool Link(const std::string& from, const std::string& to);
  void MakeDirectory(const std::string& path);  // durable at once
  bool RemoveDirectory(const std::string& path);
  bool IsDirectory(const std::string& path) const { return directories_.contains(path); }
  std::optional<std::vector<std::string>> List(const std::string& directory) const;

  static void Sync(File& file);
  // The kernel marks pages clean when writing them back failed: what was not synced never will be.
  static void FailSync(File& file);
  void SyncDirectory(const std::string& directory);
  bool EntryIsDurable(const std::string& path) const;

  // What programs see afterwards is what the medium holds. Files of before are no longer reachable.
  void LosePower(Tail tail, RandomEngine& random);

  Contents Read() const;                     // what programs see
  static Disk Of(const Contents& contents);  // all of it durable

 private:
  // A change of one or two entries of a directory that happens as a whole; null: the entry goes.
  using EntryChange = std::vector<std::pair<std::string, FileRef>>;
  struct Directory {
    std::map<std::string, FileRef> live, durable;
    std::vector<EntryChange> unsynced;  // in order
  };
  static std::pair<std::string, std::string> Split(const std::string& path);
  bool Change(const std::string& directory, EntryChange change);

  std::map<std::string, Directory> directories_;
};

}  // namespace cairn::faults
