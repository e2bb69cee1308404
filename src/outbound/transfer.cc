#include "outbound/transfer.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/check.h"
#include "base/freed.h"

namespace cairn::outbound {
namespace {

using Url = std::unique_ptr<CURLU, Freed<curl_url_cleanup>>;
using Handle = std::unique_ptr<CURL, Freed<curl_easy_cleanup>>;
using List = std::unique_ptr<curl_slist, Freed<curl_slist_free_all>>;

// "" when the address has no such part.
std::string PartOf(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return "";
  std::string copy(text);
  curl_free(text);
  return copy;
}

struct Bounded {
  std::string text;
  size_t bytes_max;
};
size_t AppendBounded(char* bytes, size_t size, size_t count, void* target) {
  auto& answer = *static_cast<Bounded*>(target);
  if (answer.text.size() + size * count > answer.bytes_max) return 0;  // which ends the transfer
  answer.text.append(bytes, size * count);
  return size * count;
}

size_t ReadText(char* into, size_t size, size_t count, void* source) {
  auto& rest = *static_cast<std::string_view*>(source);
  const size_t bytes = std::min(size * count, rest.size());
  std::memcpy(into, rest.data(), bytes);
  rest.remove_prefix(bytes);
  return bytes;
}

struct Gate {
  Reach reach;
  bool was_refused = false;
};
curl_socket_t OpenSocket(void* gate, curlsocktype, curl_sockaddr* address) {
  auto& the_gate = *static_cast<Gate*>(gate);
  if (!MayReach(address->addr, the_gate.reach)) {
    the_gate.was_refused = true;
    return CURL_SOCKET_BAD;
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

List ListOf(const std::vector<std::string>& lines) {
  List list;
  for (const std::string& line : lines) {
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    CHECK(longer != nullptr, "there is memory for a line");
    [[maybe_unused]] const curl_slist* old = list.release();
    list.reset(longer);
  }
  return list;
}

// Called about once a second, and whenever something comes or goes. What was sent, be it in part, may have
// arrived: only its answer tells.
int IsGivenUp(void* give_up, curl_off_t, curl_off_t, curl_off_t, curl_off_t bytes_sent) {
  const bool is_asked = static_cast<const std::atomic<bool>*>(give_up)->load(std::memory_order_relaxed);
  return is_asked && bytes_sent == 0 ? 1 : 0;
}

void WatchFor(CURL* curl, const std::atomic<bool>* give_up) {
  if (give_up == nullptr) return;
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, IsGivenUp);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, give_up);
}

Handle NewHandle(const std::string& url, std::chrono::milliseconds timeout, Gate& gate) {
  // Once, before several threads transfer at the same time.
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  CHECK(ready == CURLE_OK, "libcurl is ready");
  Handle handle(curl_easy_init());
  CHECK(handle != nullptr, "there is memory for a transfer");
  CURL* curl = handle.get();
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(timeout.count()));
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, OpenSocket);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, &gate);
  return handle;
}

std::unexpected<Error> WhyNot(CURLcode done, const Gate& gate) {
  if (gate.was_refused) {
    return Fail(Code::kUnavailable,
                "its name leads to an address of this machine or its network, or to none of the internet");
  }
  return Fail(Code::kUnavailable, curl_easy_strerror(done));
}

}  // namespace

Result<UrlParts> SplitUrl(const std::string& url) {
  const Url parsed(curl_url());
  CHECK(parsed != nullptr, "there is memory for an address");
  if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
    return Fail(Invalid("it is no address"));
  UrlParts parts{.scheme = PartOf(parsed.get(), CURLUPART_SCHEME),
                 .host = PartOf(parsed.get(), CURLUPART_HOST),
                 .has_user = !PartOf(parsed.get(), CURLUPART_USER).empty() ||
                             !PartOf(parsed.get(), CURLUPART_PASSWORD).empty()};
  std::ranges::transform(parts.host, parts.host.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return parts;
}

bool IsThisMachine(const std::string& host) {
  in_addr four{};
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  return host == "localhost" || host == "[::1]";
}

Result<HttpAnswer> Exchange(const HttpRequest& request) {
  Gate gate{.reach = request.reach};
  const Handle handle = NewHandle(request.url, request.timeout, gate);
  CURL* curl = handle.get();
  WatchFor(curl, request.give_up);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  // The environment may name a proxy for the world outside. This machine needs none, and a proxy would
  // connect to addresses that nobody has looked at.
  if (request.reach != Reach::kAny || request.url.starts_with("http:"))
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
  Bounded answer{.text = {}, .bytes_max = request.answer_bytes_max};
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, AppendBounded);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
  const List headers = ListOf(request.headers);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  if (!request.body.empty()) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.c_str());
  }
  const CURLcode done = curl_easy_perform(curl);
  if (done == CURLE_WRITE_ERROR) return Fail(Code::kLimitExceeded, "it is too large");
  if (done != CURLE_OK) return WhyNot(done, gate);
  HttpAnswer result{.status = 0, .body = std::move(answer.text)};
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &result.status);
  return result;
}

Status SendMail(const MailTransfer& mail) {
  ASSIGN_OR_RETURN(const UrlParts server, SplitUrl(mail.server));
  Gate gate{.reach = Reach::kAny};
  const Handle handle = NewHandle(mail.server, mail.timeout, gate);
  CURL* curl = handle.get();
  WatchFor(curl, mail.give_up);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  if (server.scheme == "smtp" && !IsThisMachine(server.host))
    curl_easy_setopt(curl, CURLOPT_USE_SSL, static_cast<long>(CURLUSESSL_ALL));
  if (!mail.user.empty()) {
    curl_easy_setopt(curl, CURLOPT_USERNAME, mail.user.c_str());
    curl_easy_setopt(curl, CURLOPT_PASSWORD, mail.password.c_str());
  }
  const std::string from = "<" + mail.from + ">";
  curl_easy_setopt(curl, CURLOPT_MAIL_FROM, from.c_str());
  const List to = ListOf({"<" + mail.to + ">"});
  curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, to.get());
  std::string_view rest = mail.text;
  curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, ReadText);
  curl_easy_setopt(curl, CURLOPT_READDATA, &rest);
  Bounded answer{.text = {}, .bytes_max = 64 << 10};
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, AppendBounded);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
  const CURLcode done = curl_easy_perform(curl);
  if (done == CURLE_OK) return {};
  long reply = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply);
  std::string reason = curl_easy_strerror(done);
  if (reply != 0) reason += " (the mail server said " + std::to_string(reply) + ")";
  return Fail(Code::kUnavailable, std::move(reason));
}

}  // namespace cairn::outbound
