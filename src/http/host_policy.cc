#include "http/host_policy.h"

#include <algorithm>

#include "http/http.h"

namespace cairn::http {
namespace {

constexpr std::string_view kLocalhost = "localhost";

bool IsPort(std::string_view text) {
  return text.size() <= 5 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool IsName(std::string_view text) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  };
  return !text.empty() && text.size() <= 253 && std::ranges::all_of(text, is_allowed);
}

}  // namespace

std::string_view HostName(std::string_view host_field) {
  const bool is_ipv6 = host_field.starts_with('[');
  const size_t name_end = is_ipv6 ? host_field.find(']') : host_field.find(':');
  if (is_ipv6 && name_end == host_field.npos) return {};
  std::string_view name = host_field.substr(0, is_ipv6 ? name_end + 1 : name_end);
  const std::string_view rest = host_field.substr(name.size());
  if (!rest.empty() && (rest.front() != ':' || !IsPort(rest.substr(1)))) return {};
  if (name.size() > 1 && name.ends_with('.')) name.remove_suffix(1);
  return name;
}

bool IsLoopbackHost(std::string_view host_name) {
  if (host_name.size() >= kLocalhost.size()) {
    const size_t start = host_name.size() - kLocalhost.size();
    const bool ends_so = EqualsIgnoreCase(host_name.substr(start), kLocalhost);
    if (ends_so && (start == 0 || host_name[start - 1] == '.')) return true;
  }
  if (!host_name.starts_with("127.") && !host_name.starts_with('[')) return false;
  const auto address = IpAddress::Parse(host_name);
  return address && address->is_loopback();
}

Result<HostPolicy> HostPolicy::Make(const std::vector<std::string>& names, Missing missing) {
  HostPolicy policy;
  policy.is_on_ = true;
  policy.missing_ = missing;
  for (const std::string& name : names) {
    if (const auto address = IpAddress::Parse(name)) {
      policy.addresses_.push_back(*address);
    } else if (IsName(name)) {
      policy.names_.push_back(name.size() > 1 && name.ends_with('.') ? name.substr(0, name.size() - 1)
                                                                     : name);
    } else {
      return Fail(
          Invalid("\"" + name +
                  "\" is not the name or address of a host; write it without scheme and port, such as "
                  "cairn.example"));
    }
  }
  return policy;
}

bool HostPolicy::IsListed(std::string_view name) const {
  return std::ranges::any_of(names_, [&](const std::string& each) { return EqualsIgnoreCase(each, name); });
}

bool HostPolicy::IsListed(const IpAddress& address) const {
  return std::ranges::find(addresses_, address) != addresses_.end();
}

}  // namespace cairn::http
