// ClientStream: the bytes of one client, in both directions, plain or inside TLS, as the two kinds of
// connection use them.
//
// Non-blocking. At most one handshake, read or wait for input and one wait for room are outstanding;
// cancelling or destroying the stream ends them. Whoever is told would_block by WriteSome waits for room and
// then offers the same bytes again, or more, never fewer. Plain streams cost what the socket's own calls
// cost. Used by Connection and WebSocketConnection only.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "http/address_counts.h"
#include "http/ip_address.h"
#include "http/tls.h"

namespace cairn::http {

IpAddress AddressOf(const boost::asio::ip::address& address);

class ClientStream {
 public:
  using ErrorCode = boost::system::error_code;
  using Socket = boost::asio::ip::tcp::socket;
  using Buffers = std::span<const boost::asio::const_buffer>;

  // Precondition: the socket does not block. Without a session, plain. Its place among its address's
  // connections is kept as long as the stream.
  explicit ClientStream(Socket socket, std::unique_ptr<TlsSession> tls = nullptr,
                        AddressCounts::Place place = {})
      : socket_(std::move(socket)), tls_(std::move(tls)), place_(std::move(place)) {}
  ClientStream(ClientStream&&) = default;  // while nothing is outstanding

  bool is_tls() const { return tls_ != nullptr; }
  // Unspecified (::) when the peer is gone already.
  IpAddress PeerAddress() const;
  IpAddress LocalAddress() const;

  // Before anything else when is_tls(): `handler(ErrorCode)`, never before this returns.
  void AsyncHandshake(std::move_only_function<void(ErrorCode)> handler);

  // What has arrived, at most `room`. Fails with eof at the end, would_block when nothing is there.
  size_t ReadSome(std::span<char> room, ErrorCode& error) {
    if (tls_) [[unlikely]]
      return ReadTls(room, error);
    return socket_.read_some(boost::asio::buffer(room.data(), room.size()), error);
  }
  // The same, once something is there: `handler(ErrorCode, size_t)`, never before this returns.
  template <class Handler>
  void AsyncReadSome(std::span<char> room, Handler handler) {
    if (tls_) [[unlikely]]
      return AsyncReadTls(room, std::move(handler));
    socket_.async_read_some(boost::asio::buffer(room.data(), room.size()), std::move(handler));
  }
  // As much as the stream takes at once. Fails with would_block when that is nothing.
  template <class BufferSequence>
  size_t WriteSome(const BufferSequence& buffers, ErrorCode& error) {
    if (tls_) [[unlikely]]
      return WriteTls(buffers, error);
    return socket_.write_some(buffers, error);
  }

  // `handler(ErrorCode)` when reading (writing) makes sense again, never before this returns.
  template <class Handler>
  void AsyncWaitForInput(Handler handler) {
    if (tls_) [[unlikely]]
      return AsyncWaitForTlsInput(std::move(handler));
    socket_.async_wait(Socket::wait_read, std::move(handler));
  }
  template <class Handler>
  void AsyncWaitForRoom(Handler handler) {
    socket_.async_wait(write_wants_input_ ? Socket::wait_read : Socket::wait_write, std::move(handler));
  }
  void Cancel();

  // Nothing more is sent; reading goes on.
  ErrorCode ShutdownSend();
  void Close();
  // Closes with a reset: else the kernel would keep what is unsent for a peer that does not take it. By name,
  // because the socket's destructor turns that option off again.
  void Reset();

 private:
  using WaitHandler = std::move_only_function<void(ErrorCode)>;
  using ReadHandler = std::move_only_function<void(ErrorCode, size_t)>;

  size_t ReadTls(std::span<char> room, ErrorCode& error);
  size_t WriteTls(Buffers buffers, ErrorCode& error);
  void AsyncReadTls(std::span<char> room, ReadHandler handler);
  void AsyncWaitForTlsInput(WaitHandler handler);
  void ContinueHandshake(WaitHandler handler);
  // As an error of a socket. kDone: none.
  static ErrorCode ErrorOf(TlsSession::Outcome outcome);

  Socket socket_;
  std::unique_ptr<TlsSession> tls_;  // null: plain
  AddressCounts::Place place_;
  // TLS may have to write before it can read, and the other way round.
  bool read_wants_room_ = false;
  bool write_wants_input_ = false;
};

}  // namespace cairn::http
