#include "http/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509err.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

namespace cairn::http {
namespace {

// Forward secrecy and authenticated encryption only; TLS 1.3 has nothing else.
constexpr const char* kCiphersOfTls12 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr std::string_view kHttp11 = "http/1.1";
constexpr unsigned char kSessionIdContext[] = "cairn";
constexpr long kSessionsKept = 1024;

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using ContextPtr = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using SslPtr = std::unique_ptr<SSL, Freed<SSL_free>>;

// What OpenSSL says about the last failure of this thread, and nothing that it said before.
std::string Reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* text = code == 0 ? nullptr : ERR_reason_error_string(code);
  std::string reason = text ? text : "unknown";
  ERR_clear_error();
  return reason;
}

// ---- the socket, as OpenSSL sees it ----

int Descriptor(BIO* bio) { return static_cast<int>(reinterpret_cast<intptr_t>(BIO_get_data(bio))); }

int Finish(BIO* bio, ssize_t count, int retry_flag) {
  BIO_clear_retry_flags(bio);
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
    BIO_set_flags(bio, retry_flag | BIO_FLAGS_SHOULD_RETRY);
  }
  return static_cast<int>(count);
}

int WriteSocket(BIO* bio, const char* bytes, int count) {
  // OpenSSL's own would raise SIGPIPE for a client that is gone.
  return Finish(bio, ::send(Descriptor(bio), bytes, static_cast<size_t>(count), MSG_NOSIGNAL),
                BIO_FLAGS_WRITE);
}

int ReadSocket(BIO* bio, char* room, int count) {
  const ssize_t received = ::recv(Descriptor(bio), room, static_cast<size_t>(count), 0);
  if (received == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  return Finish(bio, received, BIO_FLAGS_READ);
}

long ControlSocket(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_FLUSH) return 1;
  if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
  return 0;
}

BIO_METHOD* SocketMethod() {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "client socket");
    BIO_meth_set_write(made, WriteSocket);
    BIO_meth_set_read(made, ReadSocket);
    BIO_meth_set_ctrl(made, ControlSocket);
    return made;
  }();
  return method;
}

BIO* NewSocketBio(int socket) {
  BIO* bio = BIO_new(SocketMethod());
  BIO_set_data(bio, reinterpret_cast<void*>(static_cast<intptr_t>(socket)));
  BIO_set_init(bio, 1);
  return bio;
}

// ---- the files ----

Status CheckReadable(const std::string& path, std::string_view what) {
  if (std::ifstream(path, std::ios::binary)) return {};
  return Fail(Invalid("cannot read the " + std::string(what) + " " + path + ": " + std::strerror(errno)));
}

Status CheckKeyIsKept(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || (status.st_mode & S_IRWXO) == 0) return {};
  return Fail(
      Invalid("the TLS key " + path + " can be read by every user of this machine; chmod 600 " + path));
}

// A passphrase could only come from a terminal: nobody types one when a server is restarted.
int NoPassphrase(char*, int, int, void*) { return 0; }

int ChooseProtocol(SSL*, const unsigned char** chosen, unsigned char* chosen_size,
                   const unsigned char* offered, unsigned int offered_size, void*) {
  for (unsigned int at = 0; at < offered_size; at += 1u + offered[at]) {
    const std::string_view name(reinterpret_cast<const char*>(offered) + at + 1, offered[at]);
    if (name != kHttp11) continue;
    *chosen = offered + at + 1;
    *chosen_size = offered[at];
    return SSL_TLSEXT_ERR_OK;
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL;  // a client that insists on something else, such as HTTP/2 alone
}

Status Configure(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA |
                                   SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_id_context(context, kSessionIdContext, sizeof kSessionIdContext - 1);
  SSL_CTX_sess_set_cache_size(context, kSessionsKept);
  SSL_CTX_set_alpn_select_cb(context, ChooseProtocol, nullptr);
  SSL_CTX_set_default_passwd_cb(context, NoPassphrase);
  if (SSL_CTX_set_cipher_list(context, kCiphersOfTls12) != 1)
    return Fail(Code::kInternal, "cannot set up TLS: " + Reason());
  return {};
}

Result<ContextPtr> ReadContext(const TlsFiles& files) {
  RETURN_IF_ERROR(CheckReadable(files.certificate, "TLS certificate"));
  RETURN_IF_ERROR(CheckReadable(files.key, "TLS key"));
  RETURN_IF_ERROR(CheckKeyIsKept(files.key));
  ERR_clear_error();
  ContextPtr context(SSL_CTX_new(TLS_server_method()));
  if (!context) return Fail(Code::kInternal, "cannot set up TLS: " + Reason());
  RETURN_IF_ERROR(Configure(context.get()));
  if (SSL_CTX_use_certificate_chain_file(context.get(), files.certificate.c_str()) != 1)
    return Fail(Invalid("the TLS certificate " + files.certificate + " is not a certificate chain in PEM (" +
                        Reason() + ")"));
  if (SSL_CTX_use_PrivateKey_file(context.get(), files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    // OpenSSL compares it with the certificate while it reads it.
    const bool is_other = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH ||
                          ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_TYPE_MISMATCH;
    const std::string reason = Reason();
    if (!is_other)
      return Fail(
          Invalid("the TLS key " + files.key + " is not a key in PEM without a passphrase (" + reason + ")"));
    return Fail(
        Invalid("the TLS key " + files.key + " does not belong to the certificate " + files.certificate));
  }
  if (SSL_CTX_check_private_key(context.get()) != 1) {
    ERR_clear_error();
    return Fail(
        Invalid("the TLS key " + files.key + " does not belong to the certificate " + files.certificate));
  }
  return context;
}

std::string VersionOf(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "none;";
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino) + ":" +
         std::to_string(status.st_size) + ":" + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec) + ":" + std::to_string(status.st_mode) + ";";
}

// ---- a client ----

class OpenSslSession final : public TlsSession {
 public:
  OpenSslSession(SSL_CTX& context, int socket) : ssl_(SSL_new(&context)) {
    BIO* const bio = NewSocketBio(socket);
    SSL_set_bio(ssl_.get(), bio, bio);
    SSL_set_accept_state(ssl_.get());
  }

  Outcome Handshake() override {
    ERR_clear_error();
    return OutcomeOf(SSL_do_handshake(ssl_.get()));
  }

  Transfer Read(std::span<char> room) override {
    ERR_clear_error();
    size_t count = 0;
    const int done = SSL_read_ex(ssl_.get(), room.data(), room.size(), &count);
    return {OutcomeOf(done), count};
  }

  Transfer Write(std::span<const char> bytes) override {
    ERR_clear_error();
    size_t count = 0;
    const int done = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &count);
    return {OutcomeOf(done), count};
  }

  bool has_unread() const override { return SSL_pending(ssl_.get()) > 0; }

  void SayGoodbye() override {
    if (has_failed_ || !SSL_is_init_finished(ssl_.get())) return;
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
  }

 private:
  Outcome OutcomeOf(int result) {
    if (result == 1) return Outcome::kDone;
    switch (SSL_get_error(ssl_.get(), result)) {
      case SSL_ERROR_WANT_READ:
        return Outcome::kWantsInput;
      case SSL_ERROR_WANT_WRITE:
        return Outcome::kWantsRoom;
      case SSL_ERROR_ZERO_RETURN:
        return Outcome::kEnded;
      default:
        has_failed_ = true;
        ERR_clear_error();
        return Outcome::kFailed;
    }
  }

  SslPtr ssl_;
  bool has_failed_ = false;  // OpenSSL allows nothing more with it then
};

}  // namespace

struct TlsServer::Context {
  ContextPtr ssl;
};

TlsServer::TlsServer(TlsFiles files) : files_(std::move(files)) {}
TlsServer::~TlsServer() = default;

Result<std::unique_ptr<TlsServer>> TlsServer::Load(TlsFiles files) {
  std::unique_ptr<TlsServer> server(new TlsServer(std::move(files)));
  RETURN_IF_ERROR(server->Reload());
  return server;
}

Status TlsServer::Reload() {
  {
    // Before reading, so that a change in between is seen as one; also of files that turn out to be bad, so
    // that they are complained about once.
    std::string versions = Versions();
    const std::lock_guard lock(mutex_);
    versions_ = std::move(versions);
  }
  ASSIGN_OR_RETURN(ContextPtr read, ReadContext(files_));
  context_.store(std::make_shared<const Context>(std::move(read)));
  return {};
}

bool TlsServer::FilesHaveChanged() const {
  const std::string versions = Versions();
  const std::lock_guard lock(mutex_);
  return versions != versions_;
}

std::string TlsServer::Versions() const { return VersionOf(files_.certificate) + VersionOf(files_.key); }

std::unique_ptr<TlsSession> TlsServer::NewSession(int socket) const {
  const std::shared_ptr<const Context> context = context_.load();
  return std::make_unique<OpenSslSession>(*context->ssl, socket);  // keeps the context itself
}

}  // namespace cairn::http
