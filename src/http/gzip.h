// gzip as a content coding: decode request bodies, encode response bodies, and decide whether a client takes
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cairn::http {

// The decoded bytes of one or several gzip members. Fails with kMalformed (damaged, cut off, or followed by
// something else) or kTooLarge (more than `bytes_max` decoded; no more than that is ever held).
Result<std::string> Gunzip(std::string_view data, size_t bytes_max);

// One gzip member, at the fastest level: answers are compressed while a client waits.
std::string Gzip(std::string_view data);

// One gzip member of a body that comes in parts.
class GzipStream {
 public:
  // About what one of them holds.
  static constexpr size_t kMemoryBytes = 256 * 1024;

  GzipStream();
  ~GzipStream();

  // What is ready to be sent; may be nothing yet.
  std::string Add(std::string_view data);
  std::string Finish();

  // A body that is at hand as a whole.
  static std::string Whole(std::string_view data);

 private:
  std::string Run(std::string_view data, int flush);

  struct Deflater;
  std::unique_ptr<Deflater> deflater_;
};

// What an Accept-Encoding field says about gzip, quality values included.
bool AcceptsGzip(std::string_view accept_encoding);

// Whether bodies of this media type shrink: text in any form.
bool IsCompressible(std::string_view content_type);

// CRC-32 as in gzip and in DynamoDB's x-amz-crc32.
uint32_t Crc32(std::string_view data);

}  // namespace cairn::http
