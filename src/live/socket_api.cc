#include "live/socket_api.h"

#include <algorithm>

#include "base/check.h"
#include "base/log.h"
#include "http/cookies.h"
#include "http/problem.h"
#include "http/websocket_upgrade.h"
#include "rest/origin.h"

namespace cairn::live {
namespace {

http::Response Refused(const http::Request& request, std::string reason) {
  log::Info("a live connection was refused", {{"peer", request.peer}, {"reason", reason}});
  return http::ProblemResponse({Code::kAccessDenied, std::move(reason)});
}

}  // namespace

SocketApi::SocketApi(SocketApiOptions options, rest::Authenticator& authenticator, Hub& hub,
                     const Clock& clock, RoomRules rules)
    : options_(std::move(options)),
      context_{.authenticator = authenticator,
               .hub = hub,
               .clock = clock,
               .rules = std::move(rules),
               .limits = options_.limits} {
  for (const auto& [kind, rule] : context_.rules) CHECK(hub.HasKind(kind), "rooms have a feed");
}

std::vector<http::Route> SocketApi::Routes() {
  return {{"GET", "/ws",
           [this](const http::Request& request, const http::PathParameters&) { return Connect(request); }}};
}

// No page at all is welcome, too: programs send no Origin.
bool SocketApi::IsWelcomePage(const http::Request& request) const {
  const auto is_origin = [](const http::HeaderField& field) {
    return http::EqualsIgnoreCase(field.name, "Origin");
  };
  if (std::ranges::any_of(request.headers, is_origin) && !request.OnlyHeader("Origin")) return false;
  const std::optional<std::string_view> origin = request.OnlyHeader("Origin");
  if (origin && origin->empty()) return false;
  return rest::SenderOf(request, options_.public_origin) != rest::Sender::kOtherPage ||
         options_.other_pages.Allows(request);
}

bool SocketApi::MayUseCookie(const http::Request& request) const {
  return rest::SenderOf(request, options_.public_origin) == rest::Sender::kOwnPage ||
         (options_.other_pages.allow_credentials && options_.other_pages.Allows(request));
}

Task<http::Response> SocketApi::Connect(const http::Request& request) {
  if (request.target.find('?') != request.target.npos) {
    co_return Refused(request,
                      "The address takes no parameters. Send the token as the first message instead.");
  }
  if (!IsWelcomePage(request)) {
    co_return Refused(request, "Pages of this origin may not connect to this server.");
  }
  const auto upgrade = http::ParseUpgrade(request);
  if (!upgrade) co_return http::ToResponse(upgrade.error());

  const bool has_token = !request.Header("Authorization").empty();
  const bool has_cookie = !has_token && http::FindCookie(request, options_.cookie_name).has_value();
  if (has_cookie && !MayUseCookie(request)) {
    co_return Refused(request,
                      "The session cookie counts only on pages of this server. Send a token instead.");
  }
  std::shared_ptr<const rest::Identified> identified;
  if (has_token || has_cookie) {
    auto found = co_await context_.authenticator.Identify(request);
    if (!found) co_return http::ProblemResponse(found.error());
    identified = std::make_shared<const rest::Identified>(*std::move(found));
  }
  auto socket = std::make_shared<Socket>(context_, std::move(identified));
  co_return http::SwitchToWebSocket(*upgrade, std::move(socket), "");
}

}  // namespace cairn::live
