#include "dynamodb/canonical_text.h"

#include <algorithm>
#include <cstdint>

namespace cairn::dynamodb {
namespace {

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

void AppendEncoded(std::string& out, std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  for (const char c : text) {
    if (IsUnreserved(c)) {
      out += c;
      continue;
    }
    out += '%';
    out += kDigits[static_cast<uint8_t>(c) >> 4];
    out += kDigits[static_cast<uint8_t>(c) & 15];
  }
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string Decode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 && HexDigit(text[i + 2]) >= 0) {
      decoded += static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

void AppendTrimmed(std::string& out, std::string_view value) {
  const size_t start = out.size();
  for (const char c : value) {
    const bool space = c == ' ' || c == '\t';
    if (space && (out.size() == start || out.back() == ' ')) continue;
    out += space ? ' ' : c;
  }
  if (out.size() > start && out.back() == ' ') out.pop_back();
}

}  // namespace

QueryParameters DecodeQuery(std::string_view query) {
  QueryParameters parameters;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view field = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (field.empty()) continue;
    const size_t equals = field.find('=');
    const std::string_view value = equals == field.npos ? std::string_view() : field.substr(equals + 1);
    parameters.emplace_back(Decode(field.substr(0, equals)), Decode(value));
  }
  return parameters;
}

const std::string* FindParameter(const QueryParameters& query, std::string_view name) {
  for (const auto& [key, value] : query) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::string CanonicalPath(std::string_view path) {
  if (path.empty() || path == "/") return "/";
  std::vector<std::string_view> segments;
  const bool directory = path.back() == '/' || path.ends_with("/.") || path.ends_with("/..");
  for (std::string_view rest = path; !rest.empty();) {
    const size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view segment = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (segment == "..") {
      if (!segments.empty()) segments.pop_back();
    } else if (!segment.empty() && segment != ".") {
      segments.push_back(segment);
    }
  }
  std::string canonical;
  for (const std::string_view segment : segments) AppendEncoded(canonical += '/', segment);
  if (directory || canonical.empty()) canonical += '/';
  return canonical;
}

std::string CanonicalQuery(std::string_view query) {
  if (query.empty()) return {};
  QueryParameters parameters = DecodeQuery(query);
  for (auto& [name, value] : parameters) {
    std::string encoded_name, encoded_value;
    AppendEncoded(encoded_name, name);
    AppendEncoded(encoded_value, value);
    name = std::move(encoded_name);
    value = std::move(encoded_value);
  }
  std::ranges::sort(parameters);
  std::string canonical;
  for (const auto& [name, value] : parameters) {
    if (!canonical.empty()) canonical += '&';
    canonical.append(name).append("=").append(value);
  }
  return canonical;
}

std::string CanonicalHeaderValue(const http::Request& request, std::string_view name) {
  std::string value;
  bool first = true;
  for (const http::HeaderField& field : request.headers) {
    if (!http::EqualsIgnoreCase(name, field.name)) continue;
    if (!first) value += ',';
    first = false;
    AppendTrimmed(value, field.value);
  }
  return value;
}

}  // namespace cairn::dynamodb
