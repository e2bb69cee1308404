#include "http/chunked_decoder.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn::http {
namespace {

using Outcome = ChunkedDecoder::Outcome;

struct Decoded {
  Outcome outcome = Outcome::kNeedMore;
  std::string data;
  std::string rest;
};

Decoded Decode(std::string_view input, size_t piece_bytes) {
  ChunkedDecoder decoder;
  Decoded decoded;
  while (!input.empty()) {
    const ChunkedDecoder::Step step = decoder.Next(input.substr(0, piece_bytes));
    input.remove_prefix(step.consumed);
    decoded.data += step.data;
    decoded.outcome = step.outcome;
    if (step.outcome == Outcome::kDone || step.outcome == Outcome::kBroken) break;
  }
  decoded.rest = input;
  return decoded;
}

TEST(ChunkedDecoder, ChunksInAnyPiecesGiveTheBodyAndLeaveTheRest) {
  const std::string input = "5\r\nhello\r\nA;name=value\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\nGET /";
  for (size_t piece_bytes = 1; piece_bytes <= input.size(); ++piece_bytes) {
    const Decoded decoded = Decode(input, piece_bytes);
    EXPECT_EQ(decoded.outcome, Outcome::kDone) << piece_bytes;
    EXPECT_EQ(decoded.data, "hello0123456789") << piece_bytes;
    EXPECT_EQ(decoded.rest, "GET /") << piece_bytes;
  }
}

TEST(ChunkedDecoder, CutOffBodyNeedsMore) {
  for (const char* input : {"5", "5\r\nhel", "5\r\nhello\r\n0\r\n", "0\r\nA: b\r\n\r"}) {
    const Outcome outcome = Decode(input, 1).outcome;
    EXPECT_TRUE(outcome == Outcome::kNeedMore || outcome == Outcome::kData) << input;
  }
}

TEST(ChunkedDecoder, AmbiguousOrMalformedChunksAreBroken) {
  const std::string_view kInputs[] = {
      "\r\n",              // no size
      "g\r\n",             // not hexadecimal
      "+5\r\nhello\r\n",   // sign
      "-5\r\nhello\r\n",   //
      "0x5\r\nhello\r\n",  // prefix
      " 5\r\nhello\r\n",   // space before
      "5 \r\nhello\r\n",   // space after
      "5\nhello\r\n",      // bare LF
      "5\rhello\r\n",      // bare CR
      "5\r\nhelloX\r\n",   // more data than announced
      "5\r\nhello\n0\r\n\r\n",
      "1000000000000000\r\n",   // size overflow
      "FFFFFFFFFFFFFFFFF\r\n",  //
      "5;a\nb\r\nhello\r\n",    // LF in an extension
      "0\r\n folded\r\n\r\n",   // continuation line in the trailer
      "0\r\nA: b\n\r\n",        // bare LF in the trailer
      "0\r\n\n",
  };
  for (const std::string_view input : kInputs)
    EXPECT_EQ(Decode(input, 100).outcome, Outcome::kBroken) << input;
  EXPECT_EQ(Decode(std::string_view("5;\0\r\nhello\r\n", 12), 100).outcome, Outcome::kBroken);
}

TEST(ChunkedDecoder, ExtensionsBeyondTheLimitAreBroken) {
  EXPECT_EQ(Decode("5;" + std::string(20'000, 'x') + "\r\nhello\r\n", 4096).outcome, Outcome::kBroken);
  std::string many;
  for (int i = 0; i < 1'000; ++i) many += "1;" + std::string(100, 'x') + "\r\nA\r\n";
  EXPECT_EQ(Decode(many, 4096).outcome, Outcome::kBroken);
}

}  // namespace
}  // namespace cairn::http
