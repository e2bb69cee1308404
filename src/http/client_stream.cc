#include "http/client_stream.h"

#include <algorithm>
#include <array>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <cstring>

namespace cairn::http {
namespace {

namespace asio = boost::asio;

constexpr size_t kTlsRecordBytes = 16 * 1024;  // at most

}  // namespace

IpAddress AddressOf(const asio::ip::address& address) {
  return address.is_v4() ? IpAddress::FromV4(address.to_v4().to_bytes())
                         : IpAddress::FromV6(address.to_v6().to_bytes());
}

IpAddress ClientStream::PeerAddress() const {
  ErrorCode error;
  const auto endpoint = socket_.remote_endpoint(error);
  return error ? IpAddress() : AddressOf(endpoint.address());
}

IpAddress ClientStream::LocalAddress() const {
  ErrorCode error;
  const auto endpoint = socket_.local_endpoint(error);
  return error ? IpAddress() : AddressOf(endpoint.address());
}

void ClientStream::Cancel() {
  ErrorCode ignored;
  socket_.cancel(ignored);
}

ClientStream::ErrorCode ClientStream::ShutdownSend() {
  if (tls_) tls_->SayGoodbye();
  ErrorCode error;
  socket_.shutdown(Socket::shutdown_send, error);
  return error;
}

void ClientStream::Close() {
  ErrorCode ignored;
  socket_.close(ignored);
}

void ClientStream::Reset() {
  ErrorCode ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  socket_.close(ignored);
}

// ---- TLS ----

ClientStream::ErrorCode ClientStream::ErrorOf(TlsSession::Outcome outcome) {
  switch (outcome) {
    case TlsSession::Outcome::kDone:
      return {};
    case TlsSession::Outcome::kWantsInput:
    case TlsSession::Outcome::kWantsRoom:
      return asio::error::would_block;
    case TlsSession::Outcome::kEnded:
      return asio::error::eof;
    case TlsSession::Outcome::kFailed:
      break;
  }
  return asio::error::connection_aborted;
}

void ClientStream::AsyncHandshake(WaitHandler handler) {
  // The client speaks first.
  socket_.async_wait(Socket::wait_read, [this, handler = std::move(handler)](ErrorCode failed) mutable {
    if (failed) return handler(failed);
    ContinueHandshake(std::move(handler));
  });
}

void ClientStream::ContinueHandshake(WaitHandler handler) {
  const TlsSession::Outcome outcome = tls_->Handshake();
  const ErrorCode error = ErrorOf(outcome);
  if (error != asio::error::would_block) return handler(error);
  const auto wanted = outcome == TlsSession::Outcome::kWantsRoom ? Socket::wait_write : Socket::wait_read;
  socket_.async_wait(wanted, [this, handler = std::move(handler)](ErrorCode failed) mutable {
    if (failed) return handler(failed);
    ContinueHandshake(std::move(handler));
  });
}

size_t ClientStream::ReadTls(std::span<char> room, ErrorCode& error) {
  const TlsSession::Transfer read = tls_->Read(room);
  read_wants_room_ = read.outcome == TlsSession::Outcome::kWantsRoom;
  error = ErrorOf(read.outcome);
  return read.bytes;
}

void ClientStream::AsyncReadTls(std::span<char> room, ReadHandler handler) {
  ErrorCode error;
  const size_t count = ReadTls(room, error);
  if (error != asio::error::would_block) {
    asio::post(socket_.get_executor(),
               [error, count, handler = std::move(handler)]() mutable { handler(error, count); });
    return;
  }
  AsyncWaitForTlsInput([this, room, handler = std::move(handler)](ErrorCode failed) mutable {
    if (failed) return handler(failed, 0);
    ErrorCode outcome;
    const size_t bytes = ReadTls(room, outcome);
    if (outcome == asio::error::would_block) return AsyncReadTls(room, std::move(handler));
    handler(outcome, bytes);
  });
}

void ClientStream::AsyncWaitForTlsInput(WaitHandler handler) {
  if (tls_->has_unread()) {
    asio::post(socket_.get_executor(), [handler = std::move(handler)]() mutable { handler({}); });
    return;
  }
  socket_.async_wait(read_wants_room_ ? Socket::wait_write : Socket::wait_read, std::move(handler));
}

// One record: a head and a small body leave together.
size_t ClientStream::WriteTls(Buffers buffers, ErrorCode& error) {
  std::array<char, kTlsRecordBytes> record;
  size_t size = 0;
  for (const asio::const_buffer& buffer : buffers) {
    const size_t count = std::min(buffer.size(), record.size() - size);
    if (count > 0) std::memcpy(record.data() + size, buffer.data(), count);
    size += count;
  }
  if (size == 0) return 0;
  const TlsSession::Transfer written = tls_->Write(std::span(record).first(size));
  write_wants_input_ = written.outcome == TlsSession::Outcome::kWantsInput;
  error = ErrorOf(written.outcome);
  return written.bytes;
}

}  // namespace cairn::http
