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

constexpr size_t kLineBytesMax = 8192;

std::string SocketPath(const std::string& data_directory) { return data_directory + "/control.sock"; }

std::optional<sockaddr_un> Address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

std::string ReadLine(int socket) {
  std::string line;
  char c = 0;
  while (line.size() < kLineBytesMax && ::read(socket, &c, 1) == 1 && c != '\n') line += c;
  return line;
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

std::vector<std::string> WordsOf(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const size_t end = line.find('\0');
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end == line.npos ? line.size() : end + 1);
  }
  return words;
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
    const std::vector<std::string> words = WordsOf(ReadLine(client));
    const Result<std::string> answer =
        words.empty() ? Result<std::string>(Fail(Invalid("empty request"))) : handler_(words);
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
  std::string request;
  for (const std::string& word : words) request += word + '\0';
  WriteAll(socket, request + '\n');
  const std::string answer = ReadAll(socket);
  ::close(socket);
  if (answer.starts_with("ok\n")) return answer.substr(3);
  return Fail(Code::kInternal,
              answer.starts_with("error\n") ? answer.substr(6) : "the server gave no answer");
}

}  // namespace cairn::server
