// PlaceholderPrinter: the part of printing that conditions, updates and projections share. Used by print*.cc.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "expr/parse.h"
#include "expr/path.h"

namespace cairn::expr {

class PlaceholderPrinter {
 public:
  explicit PlaceholderPrinter(Placeholders& placeholders);

  // "#n0.#n1[2]"; a name gets one placeholder however often it appears.
  void AppendPath(std::string& out, const DocumentPath& path);
  void AppendName(std::string& out, const std::string& name);
  // ":v0"; every constant gets its own.
  void AppendValue(std::string& out, const item::AttributeValue& value);

 private:
  Placeholders& placeholders_;
  std::unordered_map<std::string, std::string> placeholder_of_name_;
};

}  // namespace cairn::expr
