// QueryParameters: what follows the '?' of an address, decoded.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cairn::http {

inline constexpr size_t kQueryParametersMax = 100;

class QueryParameters {
 public:
  // "a=1&b=two+words". Fails with kMalformed for bad encoding, a parameter without a name, a name given twice
  // (two readers could disagree which one counts), and more than kQueryParametersMax of them.
  static Result<QueryParameters> Parse(std::string_view query);

  std::optional<std::string_view> Find(std::string_view name) const;
  const std::map<std::string, std::string, std::less<>>& all() const { return values_; }

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace cairn::http
