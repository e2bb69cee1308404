// Small documents from elsewhere: key sets of other issuers, from a file or over HTTP. Blocks; never call it
// on an event loop.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"

namespace cairn::outbound {

inline constexpr size_t kDocumentBytesMax = 256 << 10;

// Whether we would fetch from there: https, or http to this very machine (127.x.x.x, [::1], localhost),
// without a user name in the address. Fails with a sentence that says why not.
Status CheckDocumentUrl(const std::string& url);

// Fails beyond the timeout and kDocumentBytesMax, and for every answer but 200: redirects are not followed.
Result<std::string> FetchDocument(const std::string& url,
                                  std::chrono::milliseconds timeout = std::chrono::seconds(5));

// Fails when it cannot be read, or is larger than kDocumentBytesMax.
Result<std::string> ReadDocument(const std::string& path);

}  // namespace cairn::outbound
