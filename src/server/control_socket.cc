#include "server/control_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "base/log.h"

namespace cairn::server {
namespace {

// A request: how many words it has, then each with its length, so that a word may have any bytes:
// "3\n4\nuser3\nadd5\n...". A number is a line of its own.
constexpr size_t kWordsMax = 16;
constexpr size_t kWordBytesMax = 65'536;

std::string SocketPath(const std::string& data_directory) { return data_directory + "/control.sock"; }

std::optional<sockaddr_un> Address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

std::optional<size_t> ReadNumber(int socket, size_t max) {
  size_t number = 0;
  for (size_t digits = 0;; ++digits) {
    char c = 0;
    if (::read(socket, &c, 1) != 1) return std::nullopt;
    if (c == '\n' && digits > 0) return number;
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<size_t>(c - '0');
    if (number > max) return std::nullopt;
  }
}

std::optional<std::string> ReadBytes(int socket, size_t count) {
  std::string bytes(count, '\0');
  for (size_t have = 0; have < count;) {
    const ssize_t more = ::read(socket, bytes.data() + have, count - have);
    if (more <= 0) return std::nullopt;
    have += static_cast<size_t>(more);
  }
  return bytes;
}

// Nothing when it is cut off, too long, or of another kind.
std::optional<std::vector<std::string>> ReadWords(int socket) {
  const auto count = ReadNumber(socket, kWordsMax);
  if (!count || *count == 0) return std::nullopt;
  std::vector<std::string> words;
  for (size_t i = 0; i < *count; ++i) {
    const auto length = ReadNumber(socket, kWordBytesMax);
    auto word = length ? ReadBytes(socket, *length) : std::nullopt;
    if (!word) return std::nullopt;
    words.push_back(*std::move(word));
  }
  return words;
}

void WriteAll(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    text.remove_prefix(static_cast<size_t>(sent));
  }
}

std::string ReadAll(int socket) {
  std::string text;
  char bytes[4096];
  for (ssize_t count = 0; (count = ::read(socket, bytes, sizeof bytes)) > 0;)
    text.append(bytes, static_cast<size_t>(count));
  return text;
}

}  // namespace

ControlSocket::ControlSocket(const std::string& data_directory, Handler handler)
    : handler_(std::move(handler)), path_(SocketPath(data_directory)) {
  const auto address = Address(path_);
  listener_ = address ? ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
  ::unlink(path_.c_str());  // left by a server that was killed; the data directory's lock says it is ours
  const mode_t old_mask = ::umask(0077);
  const bool bound = listener_ >= 0 &&
                     ::bind(listener_, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) == 0 &&
                     ::listen(listener_, 4) == 0;
  ::umask(old_mask);
  if (!bound) {
    log::Warning("no control socket; cairn backup needs the server stopped",
                 {{"path", path_}, {"reason", address ? std::strerror(errno) : "the path is too long"}});
    if (listener_ >= 0) ::close(std::exchange(listener_, -1));
    return;
  }
  thread_ = std::thread([this] { Loop(); });
}

ControlSocket::~ControlSocket() {
  if (listener_ < 0) return;
  ::shutdown(listener_, SHUT_RDWR);  // wakes accept()
  thread_.join();
  ::close(listener_);
  ::unlink(path_.c_str());
}

void ControlSocket::Loop() {
  while (true) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return;
    }
    const timeval patience{.tv_sec = 5, .tv_usec = 0};
    ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const auto words = ReadWords(client);
    Result<std::string> answer =
        Fail(Invalid("the server does not understand the request: use its own version of cairn"));
    if (words) answer = handler_(*words);
    WriteAll(client, answer ? "ok\n" + *answer : "error\n" + answer.error().message);
    ::close(client);
  }
}

Result<std::string> AskServer(const std::string& data_directory, const std::vector<std::string>& words) {
  const auto address = Address(SocketPath(data_directory));
  const int socket = address ? ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
  if (socket < 0 || ::connect(socket, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
    if (socket >= 0) ::close(socket);
    return Fail(Code::kUnavailable, "no server answers in " + data_directory);
  }
  std::string request = std::to_string(words.size()) + "\n";
  for (const std::string& word : words) request += std::to_string(word.size()) + "\n" + word;
  WriteAll(socket, request);
  const std::string answer = ReadAll(socket);
  ::close(socket);
  if (answer.starts_with("ok\n")) return answer.substr(3);
  return Fail(Code::kInternal,
              answer.starts_with("error\n") ? answer.substr(6) : "the server gave no answer");
}

}  // namespace cairn::server
