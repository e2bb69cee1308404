// Which addresses may be reached on behalf of users: those of the internet, not those of this machine and its
// network, where a request of ours would come from inside. Asked at the moment of connecting, for the address
// itself: whatever a name resolved to before does not count. Pure.
#pragma once

#include <string>

#include <sys/socket.h>

namespace cairn::outbound {

enum class Reach {
  kPublic,   // addresses of the internet only
  kPrivate,  // also of this machine and private networks; never link-local ones (metadata), never multicast
  kAny,      // what the operator has named
};

bool MayReach(const sockaddr& address, Reach reach);
// The same for a numeric address, "127.0.0.1" or "::1"; true for what is no such text, a name.
bool MayReachText(const std::string& host, Reach reach);

}  // namespace cairn::outbound
