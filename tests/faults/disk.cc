#include "disk.h"

#include <algorithm>

namespace cairn::faults {
namespace {

constexpr size_t kPageBytes = 4096;

char Garbage(RandomEngine& random) { return static_cast<char>(random()); }

// The pages of an unsynced tail reach the disk in any order: each of them did, or did not (then the file has
// a page of zeroes there), or was being written.
std::string SomePages(std::string tail, size_t starts_at, RandomEngine& random) {
  for (size_t from = 0; from < tail.size();) {
    const size_t to = std::min(tail.size(), from + kPageBytes - (starts_at + from) % kPageBytes);
    const auto begin = tail.begin() + static_cast<ptrdiff_t>(from),
               end = tail.begin() + static_cast<ptrdiff_t>(to);
    switch (Below(random, 4)) {
      case 0:
        std::fill(begin, end, '\0');
        break;
      case 1:
        std::generate(begin, end, [&] { return Garbage(random); });
        break;
      default:
        break;
    }
    from = to;
  }
  return tail;
}

std::string Torn(std::string tail, size_t starts_at, RandomEngine& random) {
  const size_t kept = Below(random, tail.size() + 1);
  const auto cut = tail.begin() + static_cast<ptrdiff_t>(kept);
  switch (Below(random, 6)) {
    case 0:
      return {};
    case 1:
      return tail;
    case 2:
      tail.resize(kept);
      return tail;
    case 3:
      std::fill(cut, tail.end(), '\0');
      return tail;
    case 4:
      std::generate(cut, tail.end(), [&] { return Garbage(random); });
      return tail;
    default:
      return SomePages(std::move(tail), starts_at, random);
  }
}

std::string AfterPowerLoss(const File& file, Tail tail, RandomEngine& random) {
  if (tail == Tail::kLost || file.live == file.durable) return file.durable;
  // A few bytes in the middle of a sector, or a change of length: there or not there.
  if (file.overwritten_in_place || file.live.size() < file.durable.size()) {
    return Coin(random) ? file.live : file.durable;
  }
  std::string unsynced = file.live.substr(file.durable.size());
  return file.durable + Torn(std::move(unsynced), file.durable.size(), random);
}

}  // namespace

Disk::Disk(const Disk& other) : directories_(other.directories_) {
  std::map<FileRef, FileRef> copies;  // a file may have several names, and names of before
  const auto copy = [&](FileRef& file) {
    if (!file) return;
    FileRef& made = copies[file];
    if (!made) made = std::make_shared<File>(*file);
    file = made;
  };
  for (auto& [path, directory] : directories_) {
    for (auto& [name, file] : directory.live) copy(file);
    for (auto& [name, file] : directory.durable) copy(file);
    for (EntryChange& change : directory.unsynced) {
      for (auto& [name, file] : change) copy(file);
    }
  }
}

std::pair<std::string, std::string> Disk::Split(const std::string& path) {
  const size_t slash = path.rfind('/');
  return {path.substr(0, slash), path.substr(slash + 1)};
}

FileRef Disk::Find(const std::string& path) const {
  const auto [directory, name] = Split(path);
  const auto found = directories_.find(directory);
  if (found == directories_.end()) return nullptr;
  const auto entry = found->second.live.find(name);
  return entry == found->second.live.end() ? nullptr : entry->second;
}

bool Disk::Change(const std::string& directory, EntryChange change) {
  const auto found = directories_.find(directory);
  if (found == directories_.end()) return false;
  for (const auto& [name, file] : change) {
    if (file) {
      found->second.live[name] = file;
    } else {
      found->second.live.erase(name);
    }
  }
  found->second.unsynced.push_back(std::move(change));
  return true;
}

FileRef Disk::Create(const std::string& path) {
  const auto [directory, name] = Split(path);
  auto file = std::make_shared<File>();
  return Change(directory, {{name, file}}) ? file : nullptr;
}

bool Disk::Remove(const std::string& path) {
  const auto [directory, name] = Split(path);
  return Find(path) && Change(directory, {{name, nullptr}});
}

bool Disk::Rename(const std::string& from, const std::string& to) {
  const auto [directory, name] = Split(from);
  const auto [target_directory, target_name] = Split(to);
  const FileRef file = Find(from);
  if (!file || directory != target_directory) return false;
  return Change(directory, {{name, nullptr}, {target_name, file}});
}

bool Disk::Link(const std::string& from, const std::string& to) {
  const auto [directory, name] = Split(to);
  const FileRef file = Find(from);
  return file && !Find(to) && Change(directory, {{name, file}});
}

void Disk::MakeDirectory(const std::string& path) { directories_.try_emplace(path); }

bool Disk::RemoveDirectory(const std::string& path) { return directories_.erase(path) > 0; }

std::optional<std::vector<std::string>> Disk::List(const std::string& directory) const {
  const auto found = directories_.find(directory);
  if (found == directories_.end()) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, file] : found->second.live) names.push_back(name);
  return names;
}

void Disk::Sync(File& file) {
  if (file.overwritten_in_place || file.live.size() < file.durable.size()) {
    file.durable = file.live;
  } else {
    file.durable.append(file.live, file.durable.size());
  }
  for (const auto& [from, to] : file.dropped) {
    if (from < file.durable.size()) file.durable.replace(from, to - from, to - from, '\0');
  }
}

void Disk::FailSync(File& file) {
  const size_t from = std::min(file.durable.size(), file.live.size());
  if (from < file.live.size()) file.dropped.emplace_back(from, file.live.size());
}

void Disk::SyncDirectory(const std::string& directory) {
  const auto found = directories_.find(directory);
  if (found == directories_.end()) return;
  found->second.durable = found->second.live;
  found->second.unsynced.clear();
}

bool Disk::EntryIsDurable(const std::string& path) const {
  const auto [directory, name] = Split(path);
  const auto entry = directories_.at(directory).durable.find(name);
  return entry != directories_.at(directory).durable.end() && entry->second == Find(path);
}

void Disk::LosePower(Tail tail, RandomEngine& random) {
  for (auto& [path, directory] : directories_) {
    // File systems keep the order of such changes in their journal, so a prefix of them is there.
    const size_t kept = tail == Tail::kLost ? 0 : Below(random, directory.unsynced.size() + 1);
    for (size_t i = 0; i < kept; ++i) {
      for (auto& [name, file] : directory.unsynced[i]) {
        if (file) {
          directory.durable[name] = file;
        } else {
          directory.durable.erase(name);
        }
      }
    }
    directory.unsynced.clear();
    for (auto& [name, file] : directory.durable) {
      auto left = std::make_shared<File>();
      left->live = left->durable = AfterPowerLoss(*file, tail, random);
      file = std::move(left);
    }
    directory.live = directory.durable;
  }
}

Disk::Contents Disk::Read() const {
  Contents contents;
  for (const auto& [path, directory] : directories_) {
    for (const auto& [name, file] : directory.live) contents[path + "/" + name] = file->live;
  }
  return contents;
}

Disk Disk::Of(const Contents& contents) {
  Disk disk;
  for (const auto& [path, bytes] : contents) {
    disk.MakeDirectory(Split(path).first);
    const FileRef file = disk.Create(path);
    file->live = file->durable = bytes;
  }
  for (auto& [path, directory] : disk.directories_) disk.SyncDirectory(path);
  return disk;
}

}  // namespace cairn::faults
