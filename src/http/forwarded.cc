#include "http/forwarded.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace cairn::http {
namespace {

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Takes the last element off a list; a separator between quotes does not count.
std::string_view TakeLast(std::string_view& list, char separator) {
  bool is_quoted = false;
  for (size_t i = list.size(); i > 0; --i) {
    const char c = list[i - 1];
    if (c == '"') is_quoted = !is_quoted;
    if (c != separator || is_quoted) continue;
    const std::string_view last = list.substr(i);
    list = list.substr(0, i - 1);
    return Trim(last);
  }
  return Trim(std::exchange(list, {}));
}

bool IsPort(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// "192.0.2.7", "192.0.2.7:4711", "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:4711"
std::optional<IpAddress> ReadNode(std::string_view node) {
  if (node.starts_with('[')) {
    const size_t end = node.find(']');
    if (end == node.npos) return std::nullopt;
    const std::string_view rest = node.substr(end + 1);
    if (!rest.empty() && (rest.front() != ':' || !IsPort(rest.substr(1)))) return std::nullopt;
    return IpAddress::Parse(node.substr(0, end + 1));
  }
  if (std::ranges::count(node, ':') == 1) {
    const size_t colon = node.find(':');
    if (!IsPort(node.substr(colon + 1))) return std::nullopt;
    node = node.substr(0, colon);
  }
  return IpAddress::Parse(node);
}

// The `for` of an element such as: for="[2001:db8::1]:4711";proto=https;by=203.0.113.43
std::optional<IpAddress> ReadForwardedElement(std::string_view element) {
  std::optional<IpAddress> client;
  while (!element.empty()) {
    const std::string_view pair = TakeLast(element, ';');
    const size_t equals = pair.find('=');
    if (equals == pair.npos || !EqualsIgnoreCase(Trim(pair.substr(0, equals)), "for")) continue;
    std::string_view value = Trim(pair.substr(equals + 1));
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
      value = value.substr(1, value.size() - 2);
    if (client) return std::nullopt;  // twice
    client = ReadNode(value);
    if (!client) return std::nullopt;  // "unknown", "_hidden", or not well formed
  }
  return client;
}

}  // namespace

bool TrustedProxies::Trust(const IpAddress& address) const {
  return std::ranges::any_of(ranges, [&](const AddressRange& range) { return range.Contains(address); });
}

IpAddress ClientBehind(const TrustedProxies& proxies, const IpAddress& peer, const Request& request) {
  const bool is_standard = proxies.field == ForwardedField::kForwarded;
  const std::string_view name = is_standard ? "Forwarded" : "X-Forwarded-For";
  IpAddress client = peer;
  for (const HeaderField& field : std::views::reverse(request.headers)) {
    if (!EqualsIgnoreCase(field.name, name)) continue;
    for (std::string_view rest = field.value; !rest.empty();) {
      const std::string_view element = TakeLast(rest, ',');
      const auto address = is_standard ? ReadForwardedElement(element) : ReadNode(element);
      if (!address) return peer;
      client = *address;
      if (!proxies.Trust(client)) return client;
    }
  }
  return client;
}

}  // namespace cairn::http
