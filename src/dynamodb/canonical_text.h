// The canonical forms of SigV4: paths, queries and header values spelled in the one way both sides agree on.
// Pure text; used by sigv4.cc only.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/http.h"

namespace cairn::dynamodb {

// Names and values of a query, decoded, in order.
using QueryParameters = std::vector<std::pair<std::string, std::string>>;
QueryParameters DecodeQuery(std::string_view query);
// Null when there is no such parameter.
const std::string* FindParameter(const QueryParameters& query, std::string_view name);

// Dot segments and doubled slashes resolved, every segment percent-encoded (again, if it was already).
std::string CanonicalPath(std::string_view path);
// Sorted by name, then by value, encoded anew.
std::string CanonicalQuery(std::string_view query);
// All values of that header joined with commas, each trimmed and with runs of spaces made one. `name` is
// lower case.
std::string CanonicalHeaderValue(const http::Request& request, std::string_view name);

}  // namespace cairn::dynamodb
