// HostPolicy: which names a request may call this server by.
//
// A page of any site can have its own name lead to this machine (DNS rebinding) and then send requests as if
// it were ours. Its browser still tells the name, in the Host field: names that are not ours are refused.
// Compares short texts; allocates nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/ip_address.h"

namespace cairn::http {

// "cairn.example" of "cairn.example:8000", "[::1]" of "[::1]:8000"; without the dot at the end of a full
// name. Empty when it is not a host, or what follows is not a port.
std::string_view HostName(std::string_view host_field);

// localhost, *.localhost, 127.0.0.0/8, [::1]. Nobody else's name can be any of these.
bool IsLoopbackHost(std::string_view host_name);

class HostPolicy {
 public:
  enum class Missing { kRefused, kAllowed };  // a request of HTTP/1.0 that names no host

  HostPolicy() = default;  // every name
  // Loopback names, and `names` (names or addresses, no ports). Fails with kInvalidArgument for one that is
  // neither.
  static Result<HostPolicy> Make(const std::vector<std::string>& names, Missing missing);

  bool is_on() const { return is_on_; }
  bool allows_missing() const { return missing_ == Missing::kAllowed; }
  // Whether a request with this Host field is for us. An address is ours, too, when the connection has
  // arrived there: that is asked of `local_address()`, only when needed.
  template <class LocalAddress>
  bool Allows(std::string_view host_field, LocalAddress local_address) const {
    const std::string_view name = HostName(host_field);
    if (name.empty()) return false;
    if (IsListed(name) || IsLoopbackHost(name)) return true;
    const auto address = IpAddress::Parse(name);
    return address && (IsListed(*address) || *address == local_address());
  }

 private:
  bool IsListed(std::string_view name) const;
  bool IsListed(const IpAddress& address) const;

  bool is_on_ = false;
  std::vector<std::string> names_;
  std::vector<IpAddress> addresses_;
  Missing missing_ = Missing::kAllowed;
};

}  // namespace cairn::http
