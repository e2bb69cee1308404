#include "engine/internal/log_scan.h"

#include <algorithm>
#include <string>

#include "engine/internal/crc32c.h"

namespace cairn::engine::internal {
namespace {

constexpr size_t kBlockBytes = 32 * 1024;
constexpr size_t kHeaderBytes = 7;
constexpr size_t kBatchHeaderBytes = 12;
enum FragmentType : uint8_t { kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

uint64_t ReadLittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

// RocksDB stores checksums rotated and shifted, so that a checksum of bytes with checksums in them is no
// trouble.
uint32_t Masked(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8; }

struct Fragment {
  uint8_t type;
  std::string_view bytes;
  size_t end;  // offset behind it
};

class Scanner {
 public:
  explicit Scanner(std::string_view log) : log_(log) { scan_.bytes = log.size(); }

  LogScan Run() {
    while (position_ < log_.size() && !scan_.damaged) {
      if (SkipTrailer()) continue;
      const auto fragment = FragmentAt(position_);
      if (!fragment || !Take(*fragment)) return Damaged();
      position_ = fragment->end;
    }
    if (in_record_) return Damaged();
    return scan_;
  }

 private:
  // The few bytes at the end of a block that are too short for a fragment.
  bool SkipTrailer() {
    const size_t left = kBlockBytes - position_ % kBlockBytes;
    if (left >= kHeaderBytes) return false;
    position_ += left;
    return true;
  }

  std::optional<Fragment> FragmentAt(size_t at) const {
    const size_t block_end = std::min(log_.size(), at - at % kBlockBytes + kBlockBytes);
    if (at + kHeaderBytes > block_end) return std::nullopt;
    const auto type = static_cast<uint8_t>(log_[at + 6]);
    const size_t length = ReadLittleEndian(log_.substr(at + 4, 2));
    if (type < kFull || type > kLast || at + kHeaderBytes + length > block_end) return std::nullopt;
    if (Masked(Crc32c(log_.substr(at + 6, 1 + length))) != ReadLittleEndian(log_.substr(at, 4))) {
      return std::nullopt;
    }
    return Fragment{type, log_.substr(at + kHeaderBytes, length), at + kHeaderBytes + length};
  }

  // False: a fragment that cannot come here.
  bool Take(const Fragment& fragment) {
    const bool begins = fragment.type == kFull || fragment.type == kFirst;
    if (begins == in_record_) return false;
    if (begins) {
      record_head_.clear();
      record_at_ = position_;
    }
    if (record_head_.size() < kBatchHeaderBytes) record_head_ += fragment.bytes.substr(0, kBatchHeaderBytes);
    in_record_ = fragment.type == kFirst || fragment.type == kMiddle;
    if (!in_record_) EndRecord(fragment.end);
    return true;
  }

  void EndRecord(size_t end) {
    scan_.good_bytes = end;
    if (record_head_.size() < kBatchHeaderBytes) return;
    const uint64_t sequence = ReadLittleEndian(std::string_view(record_head_).substr(0, 8));
    const uint64_t count = ReadLittleEndian(std::string_view(record_head_).substr(8, 4));
    if (count == 0) return;
    if (!scan_.first_sequence) scan_.first_sequence = sequence;
    scan_.last_sequence = sequence + count - 1;
  }

  LogScan Damaged() {
    scan_.damaged = true;
    const size_t record = in_record_ ? record_at_ : position_;
    if (record + kHeaderBytes + 8 <= log_.size()) {
      scan_.damaged_sequence = ReadLittleEndian(log_.substr(record + kHeaderBytes, 8));
    }
    scan_.records_follow = RecordBeginsAfter(position_);
    return scan_;
  }

  // Lengths cannot be trusted behind the damage, so every byte may be a beginning; where a type and a length
  // make sense, the checksum decides.
  bool RecordBeginsAfter(size_t damage) const {
    for (size_t at = damage + 1; at + kHeaderBytes <= log_.size(); ++at) {
      const auto type = static_cast<uint8_t>(log_[at + 6]);
      if ((type == kFull || type == kFirst) && FragmentAt(at)) return true;
    }
    return false;
  }

  const std::string_view log_;
  LogScan scan_;
  size_t position_ = 0;
  bool in_record_ = false;
  size_t record_at_ = 0;     // where the current record begins
  std::string record_head_;  // its first bytes
};

}  // namespace

LogScan ScanLog(std::string_view log) { return Scanner(log).Run(); }

}  // namespace cairn::engine::internal
