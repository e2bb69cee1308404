#include "http/chunked_decoder.h"

#include <algorithm>

namespace cairn::http {
namespace {

constexpr int kSizeDigitsMax = 15;            // 60 bits: cannot overflow
constexpr size_t kExtraBytesMax = 16 * 1024;  // nobody needs extensions; they must not carry unbounded input

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsControl(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }

}  // namespace

ChunkedDecoder::Step ChunkedDecoder::Next(std::string_view input) {
  for (size_t i = 0; i < input.size(); ++i) {
    if (place_ == Place::kData) {
      const std::string_view data = input.substr(i, std::min<uint64_t>(chunk_bytes_left_, input.size() - i));
      chunk_bytes_left_ -= data.size();
      if (chunk_bytes_left_ == 0) place_ = Place::kDataCr;
      return {Outcome::kData, i + data.size(), data};
    }
    if (!Accept(input[i])) return {Outcome::kBroken, i, {}};
    if (finished_) return {Outcome::kDone, i + 1, {}};
  }
  return {Outcome::kNeedMore, input.size(), {}};
}

bool ChunkedDecoder::Accept(char c) {
  const auto expect = [&](char wanted, Place next) {
    place_ = next;
    return c == wanted;
  };
  switch (place_) {
    case Place::kSize:
      return AcceptSize(c);
    case Place::kExtension:
      return c == '\r' ? expect('\r', Place::kSizeEnd) : AcceptExtra(c);
    case Place::kSizeEnd:
      size_digits_ = 0;
      return expect('\n', chunk_bytes_left_ > 0 ? Place::kData : Place::kTrailer);
    case Place::kDataCr:
      return expect('\r', Place::kDataLf);
    case Place::kDataLf:
      return expect('\n', Place::kSize);
    case Place::kTrailer:
      if (c == '\r') return expect('\r', Place::kEnd);
      place_ = Place::kTrailerLine;
      return c != ' ' && c != '\t' && AcceptExtra(c);
    case Place::kTrailerLine:
      return c == '\r' ? expect('\r', Place::kTrailerEnd) : AcceptExtra(c);
    case Place::kTrailerEnd:
      return expect('\n', Place::kTrailer);
    case Place::kEnd:
      finished_ = true;
      return c == '\n';
    case Place::kData:
      break;
  }
  return false;
}

bool ChunkedDecoder::AcceptSize(char c) {
  if (const int digit = HexValue(c); digit >= 0) {
    chunk_bytes_left_ = chunk_bytes_left_ * 16 + static_cast<uint64_t>(digit);
    return ++size_digits_ <= kSizeDigitsMax;
  }
  if (size_digits_ == 0) return false;
  if (c == '\r') place_ = Place::kSizeEnd;
  if (c == ';') place_ = Place::kExtension;
  return place_ != Place::kSize;
}

bool ChunkedDecoder::AcceptExtra(char c) { return !IsControl(c) && ++extra_bytes_ <= kExtraBytesMax; }

}  // namespace cairn::http
