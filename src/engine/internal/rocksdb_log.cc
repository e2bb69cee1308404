#include "engine/internal/rocksdb_log.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <string_view>

#include "base/log.h"

namespace cairn::engine::internal {
namespace {

using rocksdb::InfoLogLevel;

class Log final : public rocksdb::Logger {
 public:
  Log() : Logger(InfoLogLevel::WARN_LEVEL) {}

  void LogHeader(const char*, va_list) override {}  // every option, at every start

  using Logger::Logv;
  void Logv(const InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < GetInfoLogLevel() || level == InfoLogLevel::HEADER_LEVEL) return;
    if (IsOfNoUse(format) || SaidLately(format)) return;
    std::array<char, 1024> buffer;
    const int length = std::vsnprintf(buffer.data(), buffer.size(), format, arguments);
    if (length < 0) return;
    std::string_view text(buffer.data(), std::min<size_t>(length, buffer.size() - 1));
    if (text.ends_with('\n')) text.remove_suffix(1);
    // Never an error: what RocksDB could not do and we cannot either is said by who asked for it.
    log::Warning("rocksdb", {{"message", text}});
  }

 private:
  // Whoever reads tables one by one, as `verify` does, has nothing to compare their ids with.
  static bool IsOfNoUse(std::string_view format) {
    return format.find("without unique ID") != std::string_view::npos;
  }

  // While the disk is full, RocksDB says so every five seconds.
  bool SaidLately(const char* format) {
    std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    const auto [said, first] = said_.try_emplace(format, now);
    if (!first && now - said->second < std::chrono::minutes(1)) return true;
    said->second = now;
    return false;
  }

  std::mutex mutex_;
  std::map<const void*, std::chrono::steady_clock::time_point> said_;  // by the place of the format
};

}  // namespace

std::shared_ptr<rocksdb::Logger> RocksDbLog() { return std::make_shared<Log>(); }

}  // namespace cairn::engine::internal
