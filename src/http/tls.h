// TLS for a listener: TlsServer holds certificate and key, TlsSession is one client's side of it.
//
// TLS 1.2 with forward secrecy and authenticated ciphers, and TLS 1.3; no renegotiation, no compression; ALPN
// says http/1.1. Sessions work on a socket that does not block and tell what to wait for. The one file that
// knows OpenSSL's TLS is tls.cc.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "base/result.h"

namespace cairn::http {

// Memory: what a handshake may take is bounded by OpenSSL (messages of 100 KB at most); buffers are given
// back while a client is silent.
class TlsSession {
 public:
  enum class Outcome { kDone, kWantsInput, kWantsRoom, kEnded, kFailed };
  struct Transfer {
    Outcome outcome;
    size_t bytes = 0;
  };

  virtual ~TlsSession() = default;
  virtual Outcome Handshake() = 0;
  virtual Transfer Read(std::span<char> room) = 0;
  // After kWantsInput or kWantsRoom the same bytes, or more, must be offered next.
  virtual Transfer Write(std::span<const char> bytes) = 0;
  // Bytes have been received that Read has not given out: the socket need not become readable for them.
  virtual bool has_unread() const = 0;
  // Tells the client that nothing follows, as far as that gets.
  virtual void SayGoodbye() = 0;
};

struct TlsFiles {
  std::string certificate;  // PEM: the server's certificate, then those that lead to a known authority
  std::string key;          // PEM, without a passphrase
};

class TlsServer {
 public:
  // Fails with kInvalidArgument and a sentence: a file that is missing, cannot be read or is not PEM, a key
  // that others than its owner and group may read, a key that does not belong to the certificate.
  static Result<std::unique_ptr<TlsServer>> Load(TlsFiles files);
  ~TlsServer();

  // Thread-safe. With the certificate of the moment.
  std::unique_ptr<TlsSession> NewSession(int socket) const;

  // Takes the files as they are now. Fails as Load does; then what was there stays. New clients get the new
  // certificate, others keep theirs.
  Status Reload();
  // Whether a file is another one, or another version, than at the last Load or Reload.
  bool FilesHaveChanged() const;

 private:
  struct Context;
  explicit TlsServer(TlsFiles files);
  std::string Versions() const;

  const TlsFiles files_;
  std::atomic<std::shared_ptr<const Context>> context_;
  mutable std::mutex mutex_;  // guards versions_
  std::string versions_;      // of both files when they were read last
};

}  // namespace cairn::http
