#include "http/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <utility>

#include "base/check.h"
#include "http/gzip.h"
#include "http/websocket_connection.h"

namespace cairn::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr size_t kInputBytes = 8 * 1024;        // a usual request, head and body, fits
constexpr size_t kReadBytesMin = 1024;          // less room than this is not worth a system call
constexpr size_t kChunkWindowBytes = 4 * 1024;  // room behind the head through which chunks are read
constexpr size_t kGzipBytesMin = 1024;          // smaller bodies fit into one packet anyway
constexpr size_t kGzipHereBytesMax = 64 * 1024;  // larger bodies are compressed by a helper
constexpr std::chrono::milliseconds kLingerTimeout{2000};
constexpr int kDrainReadsMax = 16;
constexpr size_t kFieldsKept = 256;  // a request with more gives the memory back

constexpr Fault kTimedOut{408, "The request took too long to arrive."};
constexpr Fault kBodyTooLarge{413, "The request body is too large."};
constexpr Fault kNotGzip{400, "The request body is not valid gzip."};
constexpr Fault kOverloaded{503, "The server holds too many request bodies; try again."};
constexpr Fault kStopping{503, "The server is stopping; try again."};
constexpr Fault kTooManyWebSockets{503, "The server has too many WebSockets; try again."};
constexpr Fault kTooManyWebSocketsOfAddress{
    429, "Your address has too many WebSockets; close some and try again."};
constexpr Fault kNotForUs{
    421,
    "This server does not answer to the name in the Host field. If it is a name of this "
    "server, its operator can allow it with --allowed-host."};

}  // namespace

Connection::Connection(EventLoop& loop, ClientStream stream)
    : loop_(loop), stream_(std::move(stream)), input_(kInputBytes), body_(loop.context().body_memory) {}

void Connection::Start() {
  peer_ = client_ = stream_.PeerAddress();
  peer_is_proxy_ = options().proxies.Trust(peer_);
  client_text_ = client_.Text();
  request_.peer = client_text_;
  if (stream_.is_tls()) {
    Enter(State::kGreeting, options().header_timeout);
    return stream_.AsyncHandshake(
        [this](error_code error) { Drive(HandleHandshake(static_cast<bool>(error))); });
  }
  Enter(State::kIdle, options().idle_timeout);
  Drive(Next::kContinue);
}

Connection::Next Connection::HandleHandshake(bool failed) {
  if (failed || std::exchange(expired_, false)) return Next::kClose;
  Enter(State::kIdle, options().idle_timeout);
  return Next::kContinue;
}

void Connection::BeginDrain() {
  if (state_ == State::kGreeting || state_ == State::kIdle || state_ == State::kLingering) Expire();
}

void Connection::Expire() {
  expired_ = true;
  deadline_ = TimePoint::max();
  stream_.Cancel();
}

void Connection::Enter(State state, std::chrono::milliseconds timeout) {
  state_ = state;
  deadline_ = loop_.DeadlineAfter(timeout);
}

void Connection::Drive(Next next) {
  const LoopWatch::Turn turn(loop_.watch());
  while (next == Next::kContinue) next = Advance();
  if (next == Next::kClose) return loop_.Remove(*this);
  if (next == Next::kHandOver) HandOver();
}

Connection::Next Connection::Advance() {
  switch (state_) {
    case State::kGreeting:
      return Next::kWait;
    case State::kIdle:
    case State::kHead:
      return AdvanceHead();
    case State::kBody:
      return AdvanceBody();
    case State::kHandling:
      return has_response_ ? BeginResponse() : Next::kWait;
    case State::kWriting:
      return AdvanceWrite();
    case State::kLingering:
      return AdvanceLinger();
  }
  return Next::kClose;
}

// ---- reading ----

Connection::Next Connection::Read(std::span<char> room) {
  stream_.AsyncReadSome(
      room, [this](error_code error, size_t count) { Drive(HandleRead(static_cast<bool>(error), count)); });
  return Next::kWait;
}

Connection::Next Connection::HandleRead(bool failed, size_t count) {
  const bool expired = std::exchange(expired_, false);
  if (failed) {
    const bool is_late = expired && (state_ == State::kHead || state_ == State::kBody);
    return is_late ? Refuse(kTimedOut) : Next::kClose;
  }
  if (ReadsIntoBodyBuffer()) {
    body_.Commit(count);
  } else {
    input_.Commit(count);
  }
  if (state_ == State::kIdle) Enter(State::kHead, options().header_timeout);
  return Next::kContinue;
}

Connection::Next Connection::AdvanceHead() {
  if (scanner_.in_first_line()) {
    // Some clients end a body with a line break that belongs to nothing; the standard asks to skip it.
    while (input_.view().starts_with("\r\n")) {
      input_.Consume(2);
      scanner_ = HeadScanner();
      if (input_.empty()) Enter(State::kIdle, options().idle_timeout);
    }
  }
  const HeadScanner::Outcome outcome = scanner_.Scan(input_.view());
  if (outcome == HeadScanner::Outcome::kBroken) return Refuse({400, "The request head is not well formed."});
  const bool is_complete = outcome == HeadScanner::Outcome::kComplete;
  if ((is_complete ? scanner_.head_bytes() : input_.size() + 1) > options().header_bytes_max) {
    return scanner_.in_first_line() ? Refuse({414, "The request target is too long."})
                                    : Refuse({431, "The request head is too large."});
  }
  if (!is_complete) {
    if (input_.Room().size() < kReadBytesMin) input_.Grow(std::max(kInputBytes, 2 * input_.size()));
    return Read(input_.Room());
  }
  head_bytes_ = input_bytes_used_ = scanner_.head_bytes();
  input_.Grow(head_bytes_ + kChunkWindowBytes);  // from here on, views into the head must stay valid
  Result<Framing, Fault> framing = ParseHead(input_.view().substr(0, head_bytes_), request_);
  if (!framing) return Refuse(framing.error());
  framing_ = *framing;
  if (!IsForUs()) {
    loop_.context().hosts_refused.fetch_add(1, std::memory_order_relaxed);
    return Refuse(kNotForUs);
  }
  if (peer_is_proxy_) FindClient();
  return BeginBody();
}

bool Connection::IsForUs() const {
  const HostPolicy& hosts = options().hosts;
  if (!hosts.is_on()) return true;
  if (framing_.host.empty()) return hosts.allows_missing() && peer_.is_loopback();
  return hosts.Allows(framing_.host, [this] { return stream_.LocalAddress(); });
}

void Connection::FindClient() {
  const IpAddress client = ClientBehind(options().proxies, peer_, request_);
  if (client == client_) return;
  client_ = client;
  client_text_ = client.Text();
  request_.peer = client_text_;
}

Connection::Next Connection::BeginBody() {
  const std::string_view coding = framing_.content_encoding;
  const bool is_known =
      coding.empty() || EqualsIgnoreCase(coding, "gzip") || EqualsIgnoreCase(coding, "identity");
  if (!is_known) return Refuse({415, "The Content-Encoding is not supported."});
  if (framing_.content_length > options().body_bytes_max) return Refuse(kBodyTooLarge);
  Enter(State::kBody, options().body_timeout);
  chunks_ = ChunkedDecoder();
  const bool has_nothing_yet =
      input_.size() == head_bytes_ && (framing_.chunked || framing_.content_length > 0);
  if (framing_.expects_continue && has_nothing_yet && !SendContinue()) return Next::kClose;
  return Next::kContinue;
}

bool Connection::SendContinue() {
  static constexpr std::string_view kLine = "HTTP/1.1 100 Continue\r\n\r\n";
  const std::array<asio::const_buffer, 1> line = {asio::const_buffer(kLine.data(), kLine.size())};
  error_code error;
  // The client is waiting, so the send buffer is empty: a line that does not fit means a dead peer.
  return stream_.WriteSome(line, error) == kLine.size() && !error;
}

Connection::Next Connection::AdvanceBody() { return framing_.chunked ? ReadChunkedBody() : ReadSizedBody(); }

bool Connection::ReadsIntoBodyBuffer() const {
  const bool fits_input = head_bytes_ + framing_.content_length <= input_.span_bytes();
  return state_ == State::kBody && !framing_.chunked && !fits_input;
}

Connection::Next Connection::ReadSizedBody() {
  const size_t length = framing_.content_length;
  if (!ReadsIntoBodyBuffer()) {
    if (input_.size() < head_bytes_ + length) return Read(input_.Room());
    input_bytes_used_ = head_bytes_ + length;
    return Dispatch(input_.view().substr(head_bytes_, length));
  }
  if (const size_t arrived = input_.size() - input_bytes_used_; arrived > 0) {
    const bool has_memory = body_.MakeRoom(length) && body_.Append(input_.view().substr(input_bytes_used_));
    if (!has_memory) return Refuse(kOverloaded);
    input_bytes_used_ += arrived;
  }
  if (body_.size() == length) return Dispatch(body_.view());
  if (!body_.MakeRoom(length)) return Refuse(kOverloaded);
  const std::span<char> room = body_.Room();
  return Read(room.first(std::min(room.size(), length - body_.size())));
}

Connection::Next Connection::ReadChunkedBody() {
  std::string_view arrived = input_.view().substr(head_bytes_);
  const size_t arrived_bytes = arrived.size();
  for (;;) {
    const ChunkedDecoder::Step step = chunks_.Next(arrived);
    arrived.remove_prefix(step.consumed);
    if (step.outcome == ChunkedDecoder::Outcome::kBroken)
      return Refuse({400, "The chunked body is not well formed."});
    if (step.outcome != ChunkedDecoder::Outcome::kData) {
      input_.Erase(head_bytes_, arrived_bytes - arrived.size());
      return step.outcome == ChunkedDecoder::Outcome::kDone ? Dispatch(body_.view()) : Read(input_.Room());
    }
    if (step.data.size() > options().body_bytes_max - body_.size()) return Refuse(kBodyTooLarge);
    if (!body_.Append(step.data)) return Refuse(kOverloaded);
  }
}

// ---- handling ----

Connection::Next Connection::Dispatch(std::string_view wire_body) {
  if (wire_body.empty()) wire_body = input_.view().substr(head_bytes_, 0);  // a place with padding behind it
  input_.Pad();
  body_.Pad();
  request_.wire_body = wire_body;
  state_ = State::kHandling;
  deadline_ = TimePoint::max();
  has_response_ = false;
  loop_.watch().NoteRequest(request_.method, request_.target);
  return EqualsIgnoreCase(framing_.content_encoding, "gzip") ? DecodeBody() : StartHandler(wire_body);
}

// By a helper: a few bytes may become very many.
Connection::Next Connection::DecodeBody() {
  auto decoded = std::make_shared<Result<std::string>>();
  loop_.DoAside(
      [this, decoded] { *decoded = Gunzip(request_.wire_body, options().body_bytes_max); },
      [this, decoded] {
        if (!*decoded) {
          const bool is_too_large = decoded->error().code == Code::kTooLarge;
          return Drive(Refuse(is_too_large ? kBodyTooLarge : kNotGzip));
        }
        const size_t size = (*decoded)->size();
        if (!body_.Charge(size)) return Drive(Refuse(kOverloaded));
        decoded_body_ = **std::move(decoded);
        decoded_body_.append(kBodyPaddingBytes, '\0');
        Drive(StartHandler(std::string_view(decoded_body_).substr(0, size)));
      });
  return Next::kWait;
}

Connection::Next Connection::StartHandler(std::string_view body) {
  request_.body = body;
  starting_handler_ = true;
  Spawn(loop_.context().handler(request_), [this](Response response) { OnResponse(std::move(response)); });
  starting_handler_ = false;
  return Next::kContinue;
}

void Connection::OnResponse(Response response) {
  if (Executor::Current() !=
      &loop_) {  // finished on a thread of its own: only the loop may touch the connection
    loop_.Post([this, response = std::move(response)]() mutable { OnResponse(std::move(response)); });
    return;
  }
  response_ = std::move(response);
  has_response_ = true;
  if (!starting_handler_) Drive(Next::kContinue);
}

// ---- writing ----

Connection::Next Connection::BeginResponse() {
  if (response_.status == 101) return BeginUpgrade();
  close_after_response_ = close_after_response_ || !framing_.keep_alive || loop_.draining();
  const bool has_body = HasBody(response_.status);
  ResponseFraming framing;
  framing.date = loop_.date();
  if (!has_body) response_.body.clear();
  if (std::exchange(is_compressed_, false)) {
    framing.gzip = true;
  } else if (response_.body.size() > kGzipBytesMin && AcceptsGzip(framing_.accept_encoding) &&
             IsCompressible(response_.content_type) && !response_.HasHeader("Content-Encoding")) {
    if (response_.body.size() > kGzipHereBytesMax) return CompressBody();
    framing.gzip = true;
    response_.body = Gzip(response_.body);
  }
  if (response_.crc32_header && has_body) framing.crc32 = Crc32(response_.body);
  framing.content_length = response_.body.size();
  framing.persistence = close_after_response_ ? Persistence::kClose
                        : framing_.http_1_0   ? Persistence::kKeepAliveAnnounced
                                              : Persistence::kKeepAlive;
  return BeginWriting(framing);
}

Connection::Next Connection::CompressBody() {
  has_response_ = false;
  loop_.DoAside([this] { response_.body = Gzip(response_.body); },
                [this] {
                  is_compressed_ = true;
                  has_response_ = true;
                  Drive(Next::kContinue);
                });
  return Next::kWait;
}

Connection::Next Connection::BeginUpgrade() {
  CHECK(response_.websocket != nullptr, "only a WebSocket follows a 101");
  if (loop_.draining()) return Refuse(kStopping);
  if (const auto fault = TakeWebSocketPlaces()) return Refuse(*fault);
  response_.body.clear();
  ResponseFraming framing;
  framing.date = loop_.date();
  framing.persistence = Persistence::kUpgrade;
  return BeginWriting(framing);
}

std::optional<Fault> Connection::TakeWebSocketPlaces() {
  ServerContext& context = loop_.context();
  Place place = context.TakeWebSocketPlace();
  if (!place) {
    context.websockets_refused.fetch_add(1, std::memory_order_relaxed);
    return kTooManyWebSockets;
  }
  if (!context.IsUncounted(client_)) {
    auto address_place = context.websockets_by_address.Take(client_, context.websockets_per_address_max());
    if (!address_place) {
      context.websockets_of_address_refused.fetch_add(1, std::memory_order_relaxed);
      return kTooManyWebSocketsOfAddress;
    }
    websocket_address_place_ = *std::move(address_place);
  }
  websocket_place_ = std::move(place);
  return std::nullopt;
}

Connection::Next Connection::BeginWriting(ResponseFraming framing) {
  WriteResponseHead(response_, framing, response_head_);
  if (request_.method == "HEAD") response_.body.clear();
  response_bytes_sent_ = 0;
  Enter(State::kWriting, options().write_timeout);
  return Next::kContinue;
}

Connection::Next Connection::Refuse(Fault fault) {
  body_.Release();
  response_ = FaultResponse(fault);
  close_after_response_ = true;
  return BeginResponse();
}

Connection::Next Connection::AdvanceWrite() {
  const std::string_view head = response_head_;
  const std::string_view body = response_.body;
  while (response_bytes_sent_ < head.size() + body.size()) {
    const size_t head_sent = std::min(response_bytes_sent_, head.size());
    const size_t body_sent = response_bytes_sent_ - head_sent;
    const std::array<asio::const_buffer, 2> rest = {
        asio::const_buffer(head.data() + head_sent, head.size() - head_sent),
        asio::const_buffer(body.data() + body_sent, body.size() - body_sent)};
    error_code error;
    response_bytes_sent_ += stream_.WriteSome(rest, error);
    if (error == asio::error::would_block) {
      stream_.AsyncWaitForRoom([this](error_code failed) { Drive(failed ? Abort() : Next::kContinue); });
      return Next::kWait;
    }
    if (error) return Next::kClose;
  }
  return FinishResponse();
}

Connection::Next Connection::Abort() {
  stream_.Reset();
  return Next::kClose;
}

Connection::Next Connection::FinishResponse() {
  if (websocket_place_) return Next::kHandOver;
  response_.body = std::string();
  response_.headers.clear();
  response_.websocket = nullptr;
  body_.Release();
  decoded_body_ = std::string();
  if (close_after_response_ || loop_.draining()) return BeginLinger();
  input_.Consume(input_bytes_used_);
  input_.Shrink();
  scanner_ = HeadScanner();
  input_bytes_used_ = head_bytes_ = 0;
  framing_ = Framing();
  request_.method = {};
  if (request_.headers.capacity() > kFieldsKept) request_.headers = {};
  if (input_.empty()) {
    Enter(State::kIdle, options().idle_timeout);
    return Next::kContinue;
  }
  Enter(State::kHead, options().header_timeout);
  if (!Slice::IsUsed()) return Next::kContinue;
  ContinueLater();
  return Next::kWait;
}

// Many requests at once are no more important than those of other clients.
void Connection::ContinueLater() {
  loop_.Post([this] {
    const bool expired = std::exchange(expired_, false);
    Drive(expired ? Refuse(kTimedOut) : Next::kContinue);
  });
}

void Connection::HandOver() {
  WebSocketConnection::Handover handover;
  handover.listener = std::move(response_.websocket);
  handover.place = std::move(websocket_place_);
  handover.address_place = std::move(websocket_address_place_);
  handover.received = input_.view().substr(input_bytes_used_);
  auto next = std::make_unique<WebSocketConnection>(loop_, std::move(stream_), std::move(handover));
  WebSocketConnection& websocket = *next;
  loop_.Replace(*this, std::move(next));  // destroys this
  websocket.Start();
}

Connection::Next Connection::BeginLinger() {
  if (stream_.ShutdownSend()) return Next::kClose;
  Enter(State::kLingering, kLingerTimeout);
  return Next::kContinue;
}

Connection::Next Connection::AdvanceLinger() {
  input_.Clear();
  if (!loop_.draining()) return Read(input_.Room());
  // No time to wait: take what has arrived, so that closing does not reset; but not from a peer that never
  // ends.
  error_code error;
  for (int i = 0; i < kDrainReadsMax && !error; ++i) stream_.ReadSome(input_.Room(), error);
  return Next::kClose;
}

}  // namespace cairn::http
