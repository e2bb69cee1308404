#include "http/websocket_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "http/websocket.h"
#include "http/websocket_client_for_tests.h"

namespace cairn::http {
namespace {

using Outcome = WebSocketDecoder::Outcome;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr size_t kMessageBytesMax = 64 * 1024;

struct Event {
  Outcome outcome;
  std::string payload;
  uint16_t code = 0;

  friend bool operator==(const Event&, const Event&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Event& event) {
    return out << static_cast<int>(event.outcome) << " " << event.code << ": "
               << event.payload.substr(0, 100);
  }
};

Event Text(std::string text) { return {Outcome::kText, std::move(text)}; }

// Feeds the decoder with pieces of the given sizes, the last of which repeats.
std::vector<Event> Decode(std::string_view input, std::vector<size_t> piece_bytes = {SIZE_MAX}) {
  WebSocketDecoder decoder(kMessageBytesMax);
  std::vector<Event> events;
  for (size_t i = 0; !input.empty(); ++i) {
    std::string_view piece = input.substr(0, piece_bytes[std::min(i, piece_bytes.size() - 1)]);
    input.remove_prefix(piece.size());
    for (;;) {
      const WebSocketDecoder::Step step = decoder.Next(piece);
      piece.remove_prefix(step.consumed);
      if (step.outcome == Outcome::kNeedMore) break;
      events.push_back({step.outcome, std::string(step.payload), step.code});
    }
    EXPECT_TRUE(piece.empty());
  }
  return events;
}

uint16_t BrokenWith(std::string_view input) {
  const std::vector<Event> events = Decode(input);
  EXPECT_EQ(events.size(), 1u);
  return events.size() == 1 && events[0].outcome == Outcome::kBroken ? events[0].code : 0;
}

// A header written by hand: what EncodeFrame would never write.
std::string Raw(std::initializer_list<int> bytes, std::string_view behind = "") {
  std::string raw;
  for (const int byte : bytes) raw += static_cast<char>(byte);
  return raw + std::string(behind);
}
constexpr std::string_view kNoMask("\0\0\0\0", 4);
std::string Masked(std::initializer_list<int> bytes, std::string_view payload = "") {
  return Raw(bytes, std::string(kNoMask) + std::string(payload));
}

TEST(WebSocketDecoder, ExampleOfTheStandardIsRead) {
  EXPECT_THAT(Decode("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"), ElementsAre(Text("Hello")));
}

TEST(WebSocketDecoder, LengthsOfAllFormsAreRead) {
  for (const size_t size : {0u, 1u, 125u, 126u, 127u, 65'535u, 65'536u}) {
    EXPECT_THAT(Decode(ClientText(std::string(size, 'x'))), ElementsAre(Text(std::string(size, 'x'))));
  }
}

TEST(WebSocketDecoder, FragmentsMakeOneMessageWithControlFramesBetween) {
  const std::string input = ClientFrame(Opcode::kText, "one ", Part::kMoreFollow) +
                            ClientFrame(Opcode::kPing, "p") +
                            ClientFrame(Opcode::kContinuation, "", Part::kMoreFollow) +
                            ClientFrame(Opcode::kPong, std::string(125, 'q')) +
                            ClientFrame(Opcode::kContinuation, "two") + ClientText("next");
  EXPECT_THAT(Decode(input),
              ElementsAre(Event{Outcome::kPing, "p"}, Event{Outcome::kPong, std::string(125, 'q')},
                          Text("one two"), Text("next")));
}

TEST(WebSocketDecoder, CharacterMayBeSplitBetweenFragments) {
  EXPECT_THAT(Decode(ClientFrame(Opcode::kText, "gr\xc3", Part::kMoreFollow) +
                     ClientFrame(Opcode::kContinuation, "\xbc\xc3\x9f")),
              ElementsAre(Text("gr\xc3\xbc\xc3\x9f")));
}

TEST(WebSocketDecoder, WhatIsNotUtf8Is1007) {
  for (const char* text : {"\xff", "a\xc3", "\xed\xa0\x80", "\xc0\xaf", "\xf4\x90\x80\x80"}) {
    EXPECT_EQ(BrokenWith(ClientText(text)), close_code::kNotUtf8);
    EXPECT_EQ(BrokenWith(ClientFrame(Opcode::kText, "", Part::kMoreFollow) +
                         ClientFrame(Opcode::kContinuation, text)),
              close_code::kNotUtf8);
  }
  EXPECT_EQ(BrokenWith(ClientFrame(Opcode::kClose, CloseCode(1000) + "\xff")), close_code::kNotUtf8);
}

TEST(WebSocketDecoder, WhatTheStandardForbidsIs1002) {
  const std::string kInputs[] = {
      Raw({0x81, 0x01}, "x"),                               // not masked
      Raw({0x89, 0x00}),                                    //
      Masked({0xc1, 0x80}),                                 // reserved bits
      Masked({0xa1, 0x80}),                                 //
      Masked({0x91, 0x80}),                                 //
      Masked({0xc9, 0x80}),                                 //
      Masked({0x83, 0x80}),                                 // unknown opcodes
      Masked({0x87, 0x80}),                                 //
      Masked({0x8b, 0x80}),                                 //
      Masked({0x8f, 0x80}),                                 //
      Masked({0x09, 0x80}),                                 // fragmented ping
      Masked({0x0a, 0x80}),                                 // fragmented pong
      Masked({0x08, 0x80}),                                 // fragmented close
      Masked({0x89, 0xfe, 0, 126}, std::string(126, 'p')),  // long ping
      Masked({0x88, 0xff, 0, 0, 0, 0, 0, 1, 0, 0}),         // long close
      Masked({0x80, 0x80}),                                 // nothing to continue
      Masked({0x00, 0x80}),                                 //
      Masked({0x81, 0xfe, 0, 125}),                         // lengths in too long a form
      Masked({0x81, 0xfe, 0, 0}),                           //
      Masked({0x81, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff}),   //
      Masked({0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0}),      // highest bit
      Masked({0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}),
      ClientFrame(Opcode::kText, "a", Part::kMoreFollow) + ClientText("b"),  // a message inside a message
      ClientFrame(Opcode::kText, "a", Part::kMoreFollow) + ClientFrame(Opcode::kBinary, "b"),
      ClientFrame(Opcode::kClose, "\x03"),  // half a close code
  };
  for (const std::string& input : kInputs) {
    SCOPED_TRACE(testing::PrintToString(input.substr(0, 20)));
    EXPECT_EQ(BrokenWith(input), close_code::kProtocolError);
  }
}

TEST(WebSocketDecoder, MessageIsOverAfterItsEnd) {
  const auto events =
      Decode(ClientFrame(Opcode::kText, "a", Part::kMoreFollow) + ClientFrame(Opcode::kContinuation, "b") +
             ClientFrame(Opcode::kContinuation, "c"));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0], Text("ab"));
  EXPECT_EQ(events[1].code, close_code::kProtocolError);
}

TEST(WebSocketDecoder, BinaryMessageIs1003) {
  EXPECT_EQ(BrokenWith(ClientFrame(Opcode::kBinary, "b")), close_code::kUnsupported);
  EXPECT_EQ(BrokenWith(ClientFrame(Opcode::kBinary, "b", Part::kMoreFollow)), close_code::kUnsupported);
}

TEST(WebSocketDecoder, LargeMessageIs1009AsSoonAsItIsAnnounced) {
  EXPECT_EQ(BrokenWith(Raw({0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 1})), close_code::kTooBig);
  EXPECT_EQ(BrokenWith(Raw({0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})),
            close_code::kTooBig);
  EXPECT_EQ(BrokenWith(ClientFrame(Opcode::kText, std::string(kMessageBytesMax, 'x'), Part::kMoreFollow) +
                       Raw({0x80, 0x81})),
            close_code::kTooBig);
}

TEST(WebSocketDecoder, EndlessFragmentsAre1009) {
  std::string input = ClientFrame(Opcode::kText, "", Part::kMoreFollow);
  for (size_t i = 1; i < kFragmentsMax; ++i) {
    input += ClientFrame(Opcode::kContinuation, "", Part::kMoreFollow);
  }
  EXPECT_THAT(Decode(input), IsEmpty());
  EXPECT_EQ(BrokenWith(input + ClientFrame(Opcode::kContinuation, "")), close_code::kTooBig);
}

TEST(WebSocketDecoder, CloseEndsTheStream) {
  EXPECT_THAT(Decode(ClientFrame(Opcode::kClose, "") + ClientText("after")),
              ElementsAre(Event{Outcome::kClose, "", close_code::kNone}));
  EXPECT_THAT(Decode(ClientFrame(Opcode::kClose, CloseCode(4001) + "bye") + Raw({0xff, 0xff})),
              ElementsAre(Event{Outcome::kClose, "bye", 4001}));
}

TEST(WebSocketDecoder, CloseCodesAreThoseAnEndpointMaySend) {
  for (const uint16_t code : {1000, 1001, 1002, 1003, 1007, 1008, 1011, 1014, 3000, 3999, 4000, 4999}) {
    EXPECT_THAT(Decode(ClientFrame(Opcode::kClose, CloseCode(code))),
                ElementsAre(Event{Outcome::kClose, "", code}));
  }
  for (const uint16_t code : {0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535}) {
    EXPECT_EQ(BrokenWith(ClientFrame(Opcode::kClose, CloseCode(code))), close_code::kProtocolError) << code;
  }
}

TEST(WebSocketDecoder, PiecesOfAnySizeGiveTheSame) {
  std::random_device device;
  const unsigned seed = device();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto pick = [&](size_t max) { return std::uniform_int_distribution<size_t>(0, max)(random); };
  std::string input;
  for (int message = 0; message < 60; ++message) {
    const size_t fragments = pick(4);
    for (size_t i = 0; i <= fragments; ++i) {
      if (pick(3) == 0)
        input += ClientFrame(pick(1) == 0 ? Opcode::kPing : Opcode::kPong, std::string(pick(125), 'c'));
      std::string text;
      for (size_t count = pick(i == 0 ? 300 : 20); count > 0; --count)
        text += pick(9) == 0 ? "\xe2\x82\xac" : "x";
      input += ClientFrame(i == 0 ? Opcode::kText : Opcode::kContinuation, text,
                           i == fragments ? Part::kFinal : Part::kMoreFollow);
    }
  }
  input += ClientFrame(Opcode::kClose, CloseCode(1000));
  const std::vector<Event> whole = Decode(input);
  EXPECT_GE(whole.size(), 61u);
  EXPECT_EQ(whole.back().outcome, Outcome::kClose);
  EXPECT_EQ(Decode(input, {1}), whole);
  for (int round = 0; round < 50; ++round) {
    std::vector<size_t> pieces;
    for (int i = 0; i < 1000; ++i) pieces.push_back(1 + pick(pick(1) == 0 ? 3 : 400));
    EXPECT_EQ(Decode(input, pieces), whole);
  }
}

TEST(EncodeFrame, LengthsTakeTheirShortestForm) {
  EXPECT_EQ(EncodeFrame(Opcode::kText, "Hello"), "\x81\x05Hello");
  EXPECT_EQ(EncodeFrame(Opcode::kText, std::string(126, 'x')),
            Raw({0x81, 126, 0, 126}, std::string(126, 'x')));
  EXPECT_EQ(EncodeFrame(Opcode::kText, std::string(65'535, 'x')),
            Raw({0x81, 126, 0xff, 0xff}, std::string(65'535, 'x')));
  EXPECT_EQ(EncodeFrame(Opcode::kText, std::string(65'536, 'x')),
            Raw({0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0}, std::string(65'536, 'x')));
}

TEST(EncodeFrame, TakesNoMoreMemoryThanItIsLong) {
  const std::string frame = EncodeFrame(Opcode::kText, std::string(1000, 'x'));
  EXPECT_EQ(frame.capacity(), frame.size());
}

TEST(EncodeClose, ReasonFitsIntoAControlFrame) {
  EXPECT_EQ(EncodeClose(1000, "bye"), Raw({0x88, 5}, CloseCode(1000) + "bye"));
  EXPECT_EQ(EncodeClose(close_code::kNone, "bye"), Raw({0x88, 0}));
  EXPECT_EQ(EncodeClose(1000, "\xff"), Raw({0x88, 2}, CloseCode(1000)));
  // 123 bytes would end inside the last character.
  EXPECT_EQ(EncodeClose(1000, std::string(122, 'x') + "\xc3\xbc"),
            Raw({0x88, 124}, CloseCode(1000) + std::string(122, 'x')));
}

}  // namespace
}  // namespace cairn::http
