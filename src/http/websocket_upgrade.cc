#include "http/websocket_upgrade.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/base64url.h"
#include "base/check.h"
#include "http/sha1.h"

namespace cairn::http {
namespace {

constexpr std::string_view kVersion = "13";
constexpr std::string_view kAcceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // fixed by the standard
constexpr size_t kKeyBytes = 16;
constexpr std::string_view kKeyPadding = "==";  // of 16 bytes in base64

Problem NoUpgrade(std::string detail) {
  return {.status = 426,
          .code = "upgrade-required",
          .title = "This address takes WebSocket connections",
          .detail = std::move(detail),
          .errors = {},
          .headers = {{"Upgrade", "websocket"}, {"Sec-WebSocket-Version", std::string(kVersion)}}};
}

Problem Malformed(std::string detail) { return ProblemOf({Code::kMalformed, std::move(detail)}); }

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// The elements of a comma-separated list that may be spread over several fields. Empty ones do not count.
std::vector<std::string_view> List(const Request& request, std::string_view name) {
  std::vector<std::string_view> elements;
  for (const HeaderField& field : request.headers) {
    if (!EqualsIgnoreCase(field.name, name)) continue;
    std::string_view rest = field.value;
    while (!rest.empty()) {
      const size_t comma = rest.find(',');
      const std::string_view element = Trim(rest.substr(0, comma));
      if (!element.empty()) elements.push_back(element);
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
  }
  return elements;
}

bool Lists(const Request& request, std::string_view name, std::string_view wanted) {
  return std::ranges::any_of(List(request, name),
                             [&](std::string_view element) { return EqualsIgnoreCase(element, wanted); });
}

// Between base64 and base64url, in both directions.
std::string SwapAlphabet(std::string_view text, std::string_view from, std::string_view to) {
  std::string swapped(text);
  for (char& c : swapped) {
    if (const size_t at = from.find(c); at != std::string_view::npos) c = to[at];
  }
  return swapped;
}

bool IsKey(std::string_view key) {
  if (!key.ends_with(kKeyPadding) || key.find_first_of("-_") != std::string_view::npos) return false;
  key.remove_suffix(kKeyPadding.size());
  const std::optional<std::string> bytes = DecodeBase64Url(SwapAlphabet(key, "+/", "-_"));
  return bytes && bytes->size() == kKeyBytes;
}

std::string AcceptKey(std::string_view key) {
  const std::string digest = Sha1(std::string(key) + std::string(kAcceptSuffix));
  return SwapAlphabet(EncodeBase64Url(digest), "-_", "+/") + "=";  // 20 bytes leave room for one
}

bool AreSubprotocols(std::vector<std::string_view> offered) {
  if (!std::ranges::all_of(offered, IsToken)) return false;
  std::ranges::sort(offered);
  return std::ranges::adjacent_find(offered) == offered.end();
}

}  // namespace

bool WebSocketUpgrade::Offers(std::string_view subprotocol) const {
  return std::ranges::find(subprotocols, subprotocol) != subprotocols.end();
}

Result<WebSocketUpgrade, Problem> ParseUpgrade(const Request& request) {
  if (request.method != "GET") return std::unexpected(MethodNotAllowed("GET"));
  if (request.http_1_0) return std::unexpected(Malformed("A WebSocket needs HTTP/1.1."));
  if (!Lists(request, "Upgrade", "websocket") || !Lists(request, "Connection", "upgrade")) {
    return std::unexpected(NoUpgrade("Ask for it with \"Connection: Upgrade\" and \"Upgrade: websocket\"."));
  }
  if (request.OnlyHeader("Sec-WebSocket-Version") != kVersion) {
    return std::unexpected(NoUpgrade("Use version 13 of the protocol."));
  }
  if (!request.wire_body.empty()) {
    return std::unexpected(Malformed("A request for a WebSocket has no body."));
  }
  const std::optional<std::string_view> key = request.OnlyHeader("Sec-WebSocket-Key");
  if (!key || !IsKey(*key)) {
    return std::unexpected(Malformed("Sec-WebSocket-Key must be 16 bytes in base64, once."));
  }
  WebSocketUpgrade upgrade{AcceptKey(*key), List(request, "Sec-WebSocket-Protocol")};
  if (!AreSubprotocols(upgrade.subprotocols)) {
    return std::unexpected(Malformed("Sec-WebSocket-Protocol must list different names."));
  }
  return upgrade;
}

Response SwitchToWebSocket(const WebSocketUpgrade& upgrade, std::shared_ptr<WebSocketListener> listener,
                           std::string_view subprotocol) {
  CHECK(listener != nullptr, "somebody must hear the client");
  Response response;
  response.status = 101;
  response.headers = {{"Sec-WebSocket-Accept", upgrade.accept}};
  if (!subprotocol.empty()) {
    CHECK(upgrade.Offers(subprotocol), "a client must not get a subprotocol it did not offer");
    response.headers.emplace_back("Sec-WebSocket-Protocol", std::string(subprotocol));
  }
  response.websocket = std::move(listener);
  return response;
}

}  // namespace cairn::http
