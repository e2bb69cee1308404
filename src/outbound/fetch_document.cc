#include "outbound/fetch_document.h"

#include <fstream>

#include "outbound/transfer.h"

namespace cairn::outbound {
namespace {

std::unexpected<Error> CannotFetch(const std::string& url, const std::string& why) {
  return Fail(Code::kUnavailable, "cannot fetch " + url + ": " + why);
}

}  // namespace

Status CheckDocumentUrl(const std::string& url) {
  const auto parts = SplitUrl(url);
  if (!parts) return Fail(Invalid(url + " is no address of a document"));
  if (parts->has_user) return Fail(Invalid("the address of a key set must not have a user name"));
  if (parts->scheme == "https") return {};
  if (parts->scheme == "http" && IsThisMachine(parts->host)) return {};
  return Fail(Invalid(url + " must begin with https://; http:// is only for this machine"));
}

Result<std::string> FetchDocument(const std::string& url, std::chrono::milliseconds timeout) {
  RETURN_IF_ERROR(CheckDocumentUrl(url));
  auto answer =
      Exchange({.url = url, .timeout = timeout, .answer_bytes_max = kDocumentBytesMax, .reach = Reach::kAny});
  if (!answer) return CannotFetch(url, answer.error().message);
  if (answer->status != 200) return CannotFetch(url, "the answer was " + std::to_string(answer->status));
  return std::move(answer->body);
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

}  // namespace cairn::outbound
