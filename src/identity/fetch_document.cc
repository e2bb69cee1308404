#include "identity/fetch_document.h"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <fstream>
#include <memory>

#include "base/check.h"

namespace cairn::identity {
namespace {

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* thing) const {
    kFree(thing);
  }
};
using Url = std::unique_ptr<CURLU, Freed<curl_url_cleanup>>;
using Transfer = std::unique_ptr<CURL, Freed<curl_easy_cleanup>>;

// "" when the address has no such part.
std::string PartOf(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return "";
  std::string copy(text);
  curl_free(text);
  return copy;
}

bool IsThisMachine(const std::string& host) {
  in_addr four{};
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  return host == "localhost" || host == "[::1]";
}

size_t AppendBounded(char* bytes, size_t size, size_t count, void* target) {
  auto& document = *static_cast<std::string*>(target);
  if (document.size() + size * count > kDocumentBytesMax) return 0;  // which ends the transfer
  document.append(bytes, size * count);
  return size * count;
}

std::unexpected<Error> CannotFetch(const std::string& url, const std::string& why) {
  return Fail(Code::kUnavailable, "cannot fetch " + url + ": " + why);
}

}  // namespace

Status CheckDocumentUrl(const std::string& url) {
  const Url parsed(curl_url());
  CHECK(parsed != nullptr, "there is memory for an address");
  if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) {
    return Fail(Invalid(url + " is no address of a document"));
  }
  if (!PartOf(parsed.get(), CURLUPART_USER).empty() || !PartOf(parsed.get(), CURLUPART_PASSWORD).empty()) {
    return Fail(Invalid("the address of a key set must not have a user name"));
  }
  const std::string scheme = PartOf(parsed.get(), CURLUPART_SCHEME);
  if (scheme == "https") return {};
  if (scheme == "http" && IsThisMachine(PartOf(parsed.get(), CURLUPART_HOST))) return {};
  return Fail(Invalid(url + " must begin with https://; http:// is only for this machine"));
}

Result<std::string> FetchDocument(const std::string& url, std::chrono::milliseconds timeout) {
  RETURN_IF_ERROR(CheckDocumentUrl(url));
  const Transfer transfer(curl_easy_init());
  CHECK(transfer != nullptr, "there is memory for a transfer");
  CURL* curl = transfer.get();
  std::string document;
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(timeout.count()));
  // The environment may name a proxy for the world outside; this machine needs none.
  if (url.starts_with("http:")) curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, AppendBounded);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &document);
  const CURLcode done = curl_easy_perform(curl);
  if (done == CURLE_WRITE_ERROR) return CannotFetch(url, "it is too large");
  if (done != CURLE_OK) return CannotFetch(url, curl_easy_strerror(done));
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200) return CannotFetch(url, "the answer was " + std::to_string(status));
  return document;
}

Result<std::string> ReadDocument(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string document(kDocumentBytesMax + 1, '\0');
  file.read(document.data(), static_cast<std::streamsize>(document.size()));
  document.resize(static_cast<size_t>(file.gcount()));
  if (!file.eof() && !file.fail()) return Fail(Code::kUnavailable, path + " is too large");
  if (file.bad() || document.empty()) return Fail(Code::kUnavailable, "cannot read " + path);
  return document;
}

}  // namespace cairn::identity
