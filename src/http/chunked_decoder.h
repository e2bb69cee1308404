// ChunkedDecoder: takes the chunks out of a chunked body as it arrives. Pure: no I/O, keeps no data.
//
// Extensions and trailer fields are checked for control characters, bounded and dropped.
#pragma once

#include <cstdint>
#include <string_view>

namespace cairn::http {

class ChunkedDecoder {
 public:
  enum class Outcome { kNeedMore, kData, kDone, kBroken };
  struct Step {
    Outcome outcome;
    size_t consumed = 0;    // of the input
    std::string_view data;  // with kData: a view into the input
  };

  // Call again with the rest of the input after kData; with new input after kNeedMore (which has consumed
  // everything).
  Step Next(std::string_view input);

 private:
  enum class Place {
    kSize,
    kExtension,
    kSizeEnd,
    kData,
    kDataCr,
    kDataLf,
    kTrailer,
    kTrailerLine,
    kTrailerEnd,
    kEnd
  };

  // One byte of everything that is not data. False: not a chunked body.
  bool Accept(char c);
  bool AcceptSize(char c);
  bool AcceptExtra(char c);

  Place place_ = Place::kSize;
  uint64_t chunk_bytes_left_ = 0;
  int size_digits_ = 0;
  size_t extra_bytes_ = 0;  // extensions and trailer fields of the whole body
  bool finished_ = false;
};

}  // namespace cairn::http
