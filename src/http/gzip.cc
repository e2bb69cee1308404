#include "http/gzip.h"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "http/http.h"

namespace cairn::http {
namespace {

constexpr int kGzipWindowBits = 15 + 16;  // largest window, gzip framing
constexpr int kMemoryLevel = 8;           // zlib's default
constexpr size_t kFirstOutputBytes = 16 * 1024;

struct Inflater {
  Inflater() { CHECK(inflateInit2(&stream, kGzipWindowBits) == Z_OK, "zlib has memory for a window"); }
  ~Inflater() { inflateEnd(&stream); }
  z_stream stream{};
};

// zlib's interface predates const.
Bytef* InputBytes(std::string_view data) { return reinterpret_cast<Bytef*>(const_cast<char*>(data.data())); }
Bytef* OutputBytes(std::string& out, size_t offset) { return reinterpret_cast<Bytef*>(out.data() + offset); }

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Takes the text up to `separator` off the front of `list`.
std::string_view TakeElement(std::string_view& list, char separator) {
  const size_t end = list.find(separator);
  const std::string_view element = list.substr(0, end);
  list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
  return Trim(element);
}

// A quality value in thousandths; one that is not well formed counts as 0.
int ParseQuality(std::string_view text) {
  if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return 0;
  if (text.size() > 1 && text[1] != '.') return 0;
  int thousandths = (text[0] - '0') * 1000;
  int place = 100;
  for (const char c : text.substr(std::min<size_t>(2, text.size()))) {
    if (c < '0' || c > '9') return 0;
    thousandths += (c - '0') * place;
    place /= 10;
  }
  return std::min(thousandths, 1000);
}

int QualityOf(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string_view parameter = TakeElement(parameters, ';');
    if (parameter.starts_with("q=") || parameter.starts_with("Q=")) return ParseQuality(parameter.substr(2));
  }
  return 1000;
}

}  // namespace

struct GzipStream::Deflater {
  Deflater() {
    const int status =
        deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindowBits, kMemoryLevel, Z_DEFAULT_STRATEGY);
    CHECK(status == Z_OK, "zlib has memory for a window");
  }
  ~Deflater() { deflateEnd(&stream); }
  z_stream stream{};
};

GzipStream::GzipStream() : deflater_(std::make_unique<Deflater>()) {}
GzipStream::~GzipStream() = default;

std::string GzipStream::Add(std::string_view data) { return Run(data, Z_NO_FLUSH); }

std::string GzipStream::Finish() { return Run({}, Z_FINISH); }

std::string GzipStream::Run(std::string_view data, int flush) {
  z_stream& stream = deflater_->stream;
  stream.next_in = InputBytes(data);
  stream.avail_in = static_cast<uInt>(data.size());
  std::string out;
  size_t used = 0;
  do {
    out.resize(used + kFirstOutputBytes);
    stream.next_out = OutputBytes(out, used);
    stream.avail_out = static_cast<uInt>(kFirstOutputBytes);
    CHECK(deflate(&stream, flush) != Z_STREAM_ERROR, "a stream is used until it is finished");
    used = out.size() - stream.avail_out;
  } while (stream.avail_out == 0);  // room left: there is no more for now
  out.resize(used);
  return out;
}

Result<std::string> Gunzip(std::string_view data, size_t bytes_max) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  stream.next_in = InputBytes(data);
  stream.avail_in = static_cast<uInt>(data.size());
  std::string out;
  size_t used = 0;
  for (;;) {
    if (used == out.size()) {
      // One byte above the limit tells "exactly full" from "too large".
      if (used > bytes_max) return Fail(Code::kTooLarge, "the decoded body is too large");
      out.resize(std::min(bytes_max + 1, std::max(kFirstOutputBytes, 2 * used)));
    }
    stream.next_out = OutputBytes(out, used);
    stream.avail_out = static_cast<uInt>(out.size() - used);
    const int status = inflate(&stream, Z_NO_FLUSH);
    used = out.size() - stream.avail_out;
    if (status == Z_STREAM_END) {
      if (stream.avail_in == 0) break;
      inflateReset(&stream);  // another member follows, or what follows will not pass as one
      continue;
    }
    const bool needs_input = stream.avail_in == 0 && stream.avail_out > 0;
    if (status != Z_OK || needs_input) return Fail(Code::kMalformed, "the body is not valid gzip");
  }
  if (used > bytes_max) return Fail(Code::kTooLarge, "the decoded body is too large");
  out.erase(used);
  return out;
}

std::string GzipStream::Whole(std::string_view data) {
  Deflater deflater;
  z_stream& stream = deflater.stream;
  std::string out;
  out.resize(deflateBound(&stream, data.size()));
  stream.next_in = InputBytes(data);
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = OutputBytes(out, 0);
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END, "deflateBound is enough room");
  out.resize(stream.total_out);
  return out;
}

std::string Gzip(std::string_view data) { return GzipStream::Whole(data); }

bool AcceptsGzip(std::string_view accept_encoding) {
  std::optional<int> gzip;
  int any = 0;
  int identity = 0;
  while (!accept_encoding.empty()) {
    std::string_view parameters = TakeElement(accept_encoding, ',');
    const std::string_view coding = TakeElement(parameters, ';');
    const int quality = QualityOf(parameters);
    if (EqualsIgnoreCase(coding, "gzip") || EqualsIgnoreCase(coding, "x-gzip")) gzip = quality;
    if (EqualsIgnoreCase(coding, "identity")) identity = quality;
    if (coding == "*") any = quality;
  }
  const int quality = gzip.value_or(any);
  return quality > 0 && quality >= identity;
}

bool IsCompressible(std::string_view content_type) {
  std::string_view rest = content_type;
  const std::string_view type = TakeElement(rest, ';');
  return type.starts_with("text/") || type.starts_with("application/json") ||
         type.starts_with("application/x-amz-json") || type.ends_with("+json") || type.ends_with("+xml") ||
         type == "application/javascript" || type == "application/xml" || type == "application/wasm";
}

uint32_t Crc32(std::string_view data) {
  return libdeflate_crc32(0, data.data(), data.size());  // many times as fast as zlib's
}

}  // namespace cairn::http
