// ControlSocket: lets `cairn backup` reach a running server through a socket file in its data directory,
// which only the server's own user can open.
//
// One request per connection, one line: "checkpoint <absolute directory>". The answer is one line: "ok" or
// "error <sentence>".
#pragma once

#include <string>
#include <thread>

#include "base/result.h"
#include "engine/engine.h"

namespace cairn::server {

class ControlSocket {
 public:
  // Does without when the socket cannot be made (a path too long for a socket, say); that is logged.
  ControlSocket(const std::string& data_directory, engine::Engine& engine);
  ~ControlSocket();

 private:
  void Loop();
  std::string Execute(const std::string& line);

  engine::Engine& engine_;
  std::string path_;
  int listener_ = -1;
  std::thread thread_;
};

// Sends a line to the server that holds `data_directory`; the answer without its "ok".
// kUnavailable: no server listens there.
Status AskServer(const std::string& data_directory, const std::string& line);

}  // namespace cairn::server
