#include "calendar/internal/zone_file.h"

#include <cstdint>

namespace cairn::calendar {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr size_t kHeaderBytes = 44;
constexpr int64_t kOffsetMax = 26 * 3600;
constexpr uint64_t kCountMax = 100'000;

uint64_t BigEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

// Of one of the two blocks of a file: the same times with 32 and with 64 bits.
struct Counts {
  uint64_t is_ut, is_standard, leaps, times, types, chars;

  uint64_t Bytes(uint64_t time_bytes) const {
    return times * (time_bytes + 1) + types * 6 + chars + leaps * (time_bytes + 4) + is_standard + is_ut;
  }
  bool IsSane() const {
    return is_ut <= kCountMax && is_standard <= kCountMax && leaps <= kCountMax && times <= kCountMax &&
           types >= 1 && types <= 256 && chars <= kCountMax;
  }
};

std::unexpected<Error> NoZone() { return Fail(Code::kDamaged, "it is no file of a time zone"); }

Result<Counts> ReadHeader(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes || !bytes.starts_with("TZif") || bytes[4] < '2') return NoZone();
  const auto count = [&](size_t i) { return BigEndian(bytes.substr(20 + 4 * i, 4)); };
  const Counts counts{.is_ut = count(0),
                      .is_standard = count(1),
                      .leaps = count(2),
                      .times = count(3),
                      .types = count(4),
                      .chars = count(5)};
  if (!counts.IsSane()) return NoZone();
  return counts;
}

}  // namespace

Result<ZoneFile> ParseZoneFile(std::string_view bytes) {
  ASSIGN_OR_RETURN(const Counts first, ReadHeader(bytes));
  const uint64_t first_bytes = kHeaderBytes + first.Bytes(4);
  if (bytes.size() < first_bytes) return NoZone();
  bytes.remove_prefix(first_bytes);
  ASSIGN_OR_RETURN(const Counts counts, ReadHeader(bytes));
  bytes.remove_prefix(kHeaderBytes);
  if (bytes.size() < counts.Bytes(8)) return NoZone();

  const std::string_view indexes = bytes.substr(counts.times * 8);
  const std::string_view types = indexes.substr(counts.times);
  const auto offset_of = [&](uint64_t type) {
    return seconds(static_cast<int32_t>(BigEndian(types.substr(type * 6, 4))));
  };
  ZoneFile zone{.first_offset = offset_of(0), .changes = {}, .tail = {}};
  for (uint64_t i = 0; i < counts.times; ++i) {
    const sys_seconds at{seconds(static_cast<int64_t>(BigEndian(bytes.substr(i * 8, 8))))};
    const auto type = static_cast<unsigned char>(indexes[i]);
    if (type >= counts.types || (i > 0 && at <= zone.changes.back().at)) return NoZone();
    const seconds offset = offset_of(type);
    if (offset.count() < -kOffsetMax || offset.count() > kOffsetMax) return NoZone();
    zone.changes.push_back({at, offset});
  }
  // Between two line ends.
  std::string_view tail = bytes.substr(counts.Bytes(8));
  if (tail.size() < 2 || tail.front() != '\n' || tail.back() != '\n') return NoZone();
  zone.tail = tail.substr(1, tail.size() - 2);
  return zone;
}

}  // namespace cairn::calendar
