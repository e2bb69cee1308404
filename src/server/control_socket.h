// ControlSocket: lets operators' commands (cairn backup, cairn user, cairn demo) reach a running server
// through a socket file in its data directory, which only the server's own user can open.
//
// One request per connection: words, each ended by a NUL, then a line feed. The answer is "ok" or "error", a
// line feed, and what the command prints or the sentence why not; then the connection ends.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"

namespace cairn::server {

class ControlSocket {
 public:
  // Does without when the socket cannot be made (a path too long for a socket, say); that is logged.
  using Handler = std::function<Result<std::string>(const std::vector<std::string>& words)>;
  ControlSocket(const std::string& data_directory, Handler handler);
  ~ControlSocket();

 private:
  void Loop();

  const Handler handler_;
  std::string path_;
  int listener_ = -1;
  std::thread thread_;
};

// Asks the server that holds `data_directory`. kUnavailable: no server listens there. Words have no NUL and
// no line feed.
Result<std::string> AskServer(const std::string& data_directory, const std::vector<std::string>& words);

}  // namespace cairn::server
