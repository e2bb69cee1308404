// Transfers: one request to a server elsewhere, or one message to a mail server. The one file that knows
// libcurl. Blocks until it is done or the time is over; never call it on an event loop.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "outbound/address_rules.h"

namespace cairn::outbound {

struct UrlParts {
  std::string scheme, host;  // lower case; of IPv6 in brackets
  bool has_user = false;
};
// Fails with kInvalidArgument on what is no address.
Result<UrlParts> SplitUrl(const std::string& url);
// 127.x.x.x, [::1], localhost.
bool IsThisMachine(const std::string& host);

struct HttpRequest {
  std::string url;                        // http or https
  std::string body = {};                  // "": GET, else POST
  std::vector<std::string> headers = {};  // "Name: value"
  std::chrono::milliseconds timeout{10'000};
  size_t answer_bytes_max = 64 << 10;
  Reach reach = Reach::kPublic;
  // Once it is true, the request ends within a second unless its body is on the way: then the other side may
  // have it, and the answer is waited for.
  const std::atomic<bool>* give_up = nullptr;
};
struct HttpAnswer {
  long status = 0;
  std::string body;
};
// Redirects are not followed: they are an answer like any other. Fails with kUnavailable and a reason for
// people, kLimitExceeded when the answer is too large.
Result<HttpAnswer> Exchange(const HttpRequest& request);

struct MailTransfer {
  std::string server;          // smtp://host:port or smtps://host:port
  std::string user, password;  // "": without
  std::string from, to;        // addresses
  std::string text;            // headers and body, lines end with CRLF
  std::chrono::milliseconds timeout{10'000};
  const std::atomic<bool>* give_up = nullptr;  // as of HttpRequest
};
// smtp:// to another machine insists on STARTTLS. Fails with kUnavailable and a reason.
Status SendMail(const MailTransfer& mail);

}  // namespace cairn::outbound
