// Fault: why the server refuses a request on its own, before any handler sees it.
#pragma once

#include <string_view>

namespace cairn::http {

struct Fault {
  int status = 400;
  std::string_view message;  // a literal
};

}  // namespace cairn::http
