#include "http/query_parameters.h"

#include "http/percent.h"

namespace cairn::http {

Result<QueryParameters> QueryParameters::Parse(std::string_view query) {
  QueryParameters parameters;
  while (!query.empty()) {
    const size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(end == query.npos ? query.size() : end + 1);
    if (pair.empty()) continue;

    const size_t equals = pair.find('=');
    ASSIGN_OR_RETURN(std::string name, PercentDecode(pair.substr(0, equals), Plus::kIsSpace));
    if (name.empty()) return Fail(Code::kMalformed, "A query parameter has no name");
    const std::string_view raw_value = equals == pair.npos ? std::string_view() : pair.substr(equals + 1);
    ASSIGN_OR_RETURN(std::string value, PercentDecode(raw_value, Plus::kIsSpace));
    const auto [place, added] = parameters.values_.emplace(std::move(name), std::move(value));
    if (!added) return Fail(Code::kMalformed, "The query parameter '" + place->first + "' is given twice");
    if (parameters.values_.size() > kQueryParametersMax) {
      return Fail(Code::kMalformed, "The address has too many query parameters");
    }
  }
  return parameters;
}

std::optional<std::string_view> QueryParameters::Find(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

}  // namespace cairn::http
