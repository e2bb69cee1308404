#include "http/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <charconv>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "http/websocket_connection.h"

namespace cairn::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr size_t kInputBytes = 8 * 1024;         // a usual request, head and body, fits
constexpr size_t kReadBytesMin = 1024;           // less room than this is not worth a system call
constexpr size_t kChunkWindowBytes = 4 * 1024;   // room behind the head through which chunks are read
constexpr size_t kGzipBytesMin = 1024;           // smaller bodies fit into one packet anyway
constexpr size_t kGzipHereBytesMax = 64 * 1024;  // larger bodies are compressed by a helper
constexpr std::chrono::milliseconds kLingerTimeout{2000};
constexpr int kDrainReadsMax = 16;
// What a client may still take its time for when the server stops.
constexpr std::chrono::milliseconds kDrainStallTimeout{2000};
constexpr std::chrono::milliseconds kDrainStreamTimeout{2000};
constexpr size_t kFieldsKept = 256;  // a request with more gives the memory back

constexpr Fault kTimedOut{408, "The request took too long to arrive."};
constexpr Fault kBodyTooLarge{413, "The request body is too large."};
constexpr Fault kNotGzip{400, "The request body is not valid gzip."};
constexpr Fault kTooManyUnread{503, "Too many answers to you are unread; read them and try again."};
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
    : loop_(loop),
      stream_(std::move(stream)),
      input_(kInputBytes),
      body_(loop.context().body_memory),
      unread_(loop.context().response_memory) {}

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
  if (state_ == State::kWriting) deadline_ = std::min(deadline_, loop_.DeadlineAfter(kDrainStallTimeout));
  stream_deadline_ = loop_.DeadlineAfter(kDrainStreamTimeout);
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
    case State::kAdmitting:
      return is_task_done_ ? FinishAdmission() : Next::kWait;
    case State::kBody:
      return AdvanceBody();
    case State::kHandling:
      return is_task_done_ ? BeginResponse() : Next::kWait;
    case State::kWriting:
      return AdvanceWrite();
    case State::kProducing:
      return is_task_done_ ? FinishProducing() : Next::kWait;
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
    if (expired && state_ == State::kHead) return Refuse(kTimedOut);
    if (expired && state_ == State::kBody) return RefuseBody(kTimedOut);
    return Next::kClose;
  }
  if (state_ == State::kBody) ExtendBodyDeadline(count);
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

bool Connection::IsForUs() {
  const HostPolicy& hosts = options().hosts;
  if (!hosts.is_on()) return true;
  if (framing_.host.empty()) return hosts.allows_missing() && peer_.is_loopback();
  if (framing_.host == host_) return true;  // clients rarely change it
  if (!hosts.Allows(framing_.host, [this] { return stream_.LocalAddress(); })) return false;
  host_ = framing_.host;
  return true;
}

void Connection::FindClient() {
  const IpAddress client = ClientBehind(options().proxies, peer_, request_);
  if (client == client_) return;
  client_ = client;
  client_text_ = client.Text();
  request_.peer = client_text_;
}

// ---- bodies ----

Account Connection::ClientAccount() const {
  return loop_.context().IsUncounted(client_) ? Account() : Account::OfAddress(client_);
}

Connection::Next Connection::BeginBody() {
  const std::string_view coding = framing_.content_encoding;
  const bool is_gzip = EqualsIgnoreCase(coding, "gzip");
  if (!is_gzip && !coding.empty() && !EqualsIgnoreCase(coding, "identity"))
    return Refuse({415, "The Content-Encoding is not supported."});
  admission_.reset();
  body_bytes_max_ = options().body_bytes_max;
  chunks_ = ChunkedDecoder();
  if (framing_.content_length > body_bytes_max_) return RefuseTooLarge();
  const bool is_large = framing_.content_length > kSmallBodyBytes;
  const bool has_body = framing_.content_length > 0 || framing_.chunked;
  // What gzip hides may be large.
  if (loop_.context().admit && (is_large || (is_gzip && has_body))) return BeginAdmission();
  return BeginReadingBody();
}

Connection::Next Connection::BeginAdmission() {
  state_ = State::kAdmitting;
  deadline_ = TimePoint::max();
  request_.body = request_.wire_body = {};
  Run(loop_.context().admit(request_), &Connection::TakeAdmission);
  return Next::kContinue;
}

Connection::Next Connection::FinishAdmission() {
  if (!admission_->admitted) return RefuseBody({});
  body_bytes_max_ = std::min(body_bytes_max_, admission_->body_bytes_max);
  if (std::max<uint64_t>(framing_.content_length, body_.size()) > body_bytes_max_) return RefuseTooLarge();
  body_.ChargeTo(admission_->account);
  return BeginReadingBody();
}

Connection::Next Connection::BeginReadingBody() {
  Enter(State::kBody, std::min(options().body_timeout, options().body_grace));
  const bool is_asked_midway = body_.size() > 0;
  if (!admission_ && (framing_.chunked || ReadsIntoBodyBuffer())) body_.ChargeTo(ClientAccount());
  body_begin_ = loop_.now();
  body_bytes_read_ = input_.size() - head_bytes_;
  if (body_bytes_read_ > 0 && (framing_.chunked || body_bytes_read_ < framing_.content_length))
    ExtendBodyDeadline(0);
  const bool has_nothing_yet =
      input_.size() == head_bytes_ && !is_asked_midway && (framing_.chunked || framing_.content_length > 0);
  if (framing_.expects_continue && has_nothing_yet && !SendContinue()) return Next::kClose;
  return Next::kContinue;
}

// What arrives at the least rate has body_timeout; what trickles has only the grace.
void Connection::ExtendBodyDeadline(size_t received) {
  body_bytes_read_ += received;
  const std::chrono::milliseconds earned(body_bytes_read_ * 1000 / options().body_bytes_per_second_min);
  const auto allowed = std::min(options().body_timeout, options().body_grace + earned);
  deadline_ = body_begin_ + (loop_.DeadlineAfter(allowed) - loop_.now());
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
    if (!has_memory) return RefuseBody(kOverloaded);
    input_bytes_used_ += arrived;
  }
  if (body_.size() == length) return Dispatch(body_.view());
  if (!body_.MakeRoom(length)) return RefuseBody(kOverloaded);
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
    if (step.data.size() > body_bytes_max_ - body_.size()) return RefuseTooLarge();
    if (!body_.Append(step.data)) return RefuseBody(kOverloaded);
    if (body_.size() > kSmallBodyBytes && !admission_ && loop_.context().admit) {
      input_.Erase(head_bytes_, arrived_bytes - arrived.size());
      return BeginAdmission();
    }
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
  loop_.watch().NoteRequest(request_.method, request_.target);
  return EqualsIgnoreCase(framing_.content_encoding, "gzip") ? DecodeBody() : StartHandler(wire_body);
}

// By a helper: a few bytes may become very many.
Connection::Next Connection::DecodeBody() {
  is_task_done_ = false;
  auto decoded = std::make_shared<Result<std::string>>();
  loop_.DoAside([this, decoded] { *decoded = Gunzip(request_.wire_body, body_bytes_max_); },
                [this, decoded] {
                  if (!*decoded) {
                    const bool is_too_large = decoded->error().code == Code::kTooLarge;
                    return Drive(is_too_large ? RefuseTooLarge() : RefuseBody(kNotGzip));
                  }
                  const size_t size = (*decoded)->size();
                  if (!body_.Charge(size)) return Drive(RefuseBody(kOverloaded));
                  decoded_body_ = **std::move(decoded);
                  decoded_body_.append(kBodyPaddingBytes, '\0');
                  Drive(StartHandler(std::string_view(decoded_body_).substr(0, size)));
                });
  return Next::kWait;
}

Connection::Next Connection::StartHandler(std::string_view body) {
  request_.body = body;
  Run(loop_.context().handler(request_), &Connection::TakeResponse);
  return Next::kContinue;
}

template <class T>
void Connection::Run(Task<T> task, void (Connection::*take)(T)) {
  is_task_done_ = false;
  starting_task_ = true;
  Spawn(std::move(task), [this, take](T value) { OnDone(take, std::move(value)); });
  starting_task_ = false;
}

template <class T>
void Connection::OnDone(void (Connection::*take)(T), T value) {
  if (Executor::Current() !=
      &loop_) {  // finished on a thread of its own: only the loop may touch the connection
    loop_.Post([this, take, value = std::move(value)]() mutable { OnDone(take, std::move(value)); });
    return;
  }
  (this->*take)(std::move(value));
  is_task_done_ = true;
  if (!starting_task_) Drive(Next::kContinue);
}

// ---- writing ----

Connection::Next Connection::BeginResponse() {
  if (response_.status == 101) return BeginUpgrade();
  if (response_.source) return BeginStream();
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

// Meanwhile it costs memory, as if the client did not take it.
Connection::Next Connection::CompressBody() {
  if (!ChargeUnread()) return Refuse(kTooManyUnread);
  is_task_done_ = false;
  loop_.DoAside([this] { response_.body = Gzip(response_.body); },
                [this] {
                  unread_.Release();
                  is_compressed_ = true;
                  is_task_done_ = true;
                  Drive(Next::kContinue);
                });
  return Next::kWait;
}

Connection::Next Connection::BeginStream() {
  is_last_part_ = false;
  if (loop_.draining()) stream_deadline_ = loop_.DeadlineAfter(kDrainStreamTimeout);
  close_after_response_ = close_after_response_ || !framing_.keep_alive || loop_.draining();
  ResponseFraming framing;
  framing.date = loop_.date();
  framing.chunked = !framing_.http_1_0;
  framing.until_close = framing_.http_1_0;
  framing.gzip = HasBody(response_.status) && AcceptsGzip(framing_.accept_encoding) &&
                 IsCompressible(response_.content_type) && !response_.HasHeader("Content-Encoding");
  if (framing.until_close) close_after_response_ = true;
  framing.persistence = close_after_response_ ? Persistence::kClose : Persistence::kKeepAlive;
  if (request_.method == "HEAD" || !HasBody(response_.status)) {
    response_.source = nullptr;
  } else {
    unread_.ChargeTo(response_.account == Account() ? ClientAccount() : response_.account);
    if (!unread_.TryTake(kStreamBytes + (framing.gzip ? GzipStream::kMemoryBytes : 0)))
      return Refuse(kTooManyUnread);
    if (framing.gzip) gzip_ = std::make_unique<GzipStream>();
  }
  response_.body.clear();
  return BeginWriting(framing);
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
  write_deadline_ = TimePoint();
  Enter(State::kWriting, options().write_timeout);
  return Next::kContinue;
}

Connection::Next Connection::Refuse(Fault fault) {
  body_.Release();
  response_ = FaultResponse(fault);
  close_after_response_ = true;
  return BeginResponse();
}

// What is not admitted is told by whoever decided that; `fault` is for the rest.
Connection::Next Connection::RefuseBody(Fault fault) {
  loop_.context().bodies_refused.fetch_add(1, std::memory_order_relaxed);
  if (!admission_ || admission_->admitted) return Refuse(fault);
  body_.Release();
  response_ = std::move(admission_->refusal);
  close_after_response_ = true;
  return BeginResponse();
}

Connection::Next Connection::RefuseTooLarge() {
  if (admission_) admission_->admitted = false;
  return RefuseBody(kBodyTooLarge);
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
    if (error == asio::error::would_block) return WaitForRoom();
    if (error) return Next::kClose;
  }
  if (response_.source) return ProduceNext();
  return FinishResponse();
}

// The client does not take the response as fast as it is made: from here on it costs memory and time.
Connection::Next Connection::WaitForRoom() {
  const bool is_first_time = write_deadline_ == TimePoint();
  if (is_first_time) {
    if (!ChargeUnread()) return AbortUnread();
    write_deadline_ = deadline_;
  }
  if (is_first_time || response_bytes_sent_ > stalled_at_bytes_) {
    const auto stall = loop_.draining() ? kDrainStallTimeout : options().write_stall_timeout;
    deadline_ = std::min(write_deadline_, loop_.DeadlineAfter(stall));
    stalled_at_bytes_ = response_bytes_sent_;
  }
  stream_.AsyncWaitForRoom([this](error_code failed) {
    Drive(!failed ? Next::kContinue : expired_ ? AbortUnread() : Abort());
  });
  return Next::kWait;
}

bool Connection::ChargeUnread() {
  if (response_.source) return true;  // charged as a whole
  unread_.ChargeTo(response_.account == Account() ? ClientAccount() : response_.account);
  return unread_.TryTake(response_head_.capacity() + response_.body.capacity());
}

Connection::Next Connection::AbortUnread() {
  loop_.context().responses_aborted.fetch_add(1, std::memory_order_relaxed);
  return Abort();
}

// ---- answers that are made while they are sent

Connection::Next Connection::ProduceNext() {
  response_head_.clear();
  response_.body = std::string();
  if (is_last_part_) {
    response_.source = nullptr;
    return FinishResponse();
  }
  if (loop_.now() >= stream_deadline_) return Abort();
  state_ = State::kProducing;
  deadline_ = TimePoint::max();
  is_task_done_ = false;
  // Others first: a client that reads fast must not have the loop to itself.
  loop_.Post([this] {
    Run(response_.source->Next(), &Connection::TakePart);
    Drive(Next::kContinue);
  });
  return Next::kWait;
}

Connection::Next Connection::FinishProducing() {
  if (!part_) {
    log::Failure("an answer was cut off", {{"target", request_.path()}, {"reason", part_.error().message}});
    return Abort();
  }
  is_last_part_ = part_->empty();
  if (!gzip_) return SendPart();
  if (part_->size() > kGzipHereBytesMax) {
    is_task_done_ = false;
    loop_.DoAside([this] { *part_ = gzip_->Add(*part_); }, [this] { Drive(SendPart()); });
    return Next::kWait;
  }
  *part_ = is_last_part_ ? gzip_->Finish() : gzip_->Add(*part_);
  return SendPart();
}

Connection::Next Connection::SendPart() {
  std::string data = std::exchange(*part_, std::string());
  if (framing_.http_1_0) {
    response_.body = std::move(data);
  } else {
    if (!data.empty()) {
      char size[20];
      response_head_.assign(size, std::to_chars(size, size + sizeof size, data.size(), 16).ptr);
      response_head_ += "\r\n";
      data += "\r\n";
    }
    if (is_last_part_) data += "0\r\n\r\n";
    response_.body = std::move(data);
  }
  response_bytes_sent_ = 0;
  write_deadline_ = TimePoint();
  Enter(State::kWriting, options().write_timeout);
  return Next::kContinue;
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
  response_.account = Account();
  unread_.Release();
  gzip_.reset();
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
