#include <simdjson.h>

#include "dynamodb/sigv4.h"

namespace cairn::dynamodb {
namespace {

namespace dom = simdjson::dom;

std::unexpected<Error> Bad(std::string_view source, const std::string& what) {
  return Fail(Invalid("credentials file " + std::string(source) + ": " + what));
}

}  // namespace

Result<Credentials> LoadCredentials(std::string_view text, std::string_view source) {
  dom::parser parser;
  dom::element root;
  if (const auto error = parser.parse(text.data(), text.size()).get(root)) {
    return Bad(source, std::string("not JSON: ") + simdjson::error_message(error));
  }
  dom::array list;
  if (root["credentials"].get(list)) return Bad(source, "expected {\"credentials\": [...]}");
  Credentials credentials;
  size_t position = 0;
  for (const dom::element entry : list) {
    const std::string place = "credentials[" + std::to_string(position++) + "]";
    std::string_view key_id, secret;
    if (entry["accessKeyId"].get(key_id) || key_id.empty()) {
      return Bad(source, place + " needs a non-empty string accessKeyId");
    }
    if (entry["secretAccessKey"].get(secret) || secret.empty()) {
      return Bad(source, place + " needs a non-empty string secretAccessKey");
    }
    if (key_id.find_first_of("/,= ") != key_id.npos) {
      return Bad(source, place + ": an accessKeyId contains no slash, comma, equals sign or space");
    }
    if (!credentials.emplace(key_id, secret).second) {
      return Bad(source, place + ": accessKeyId " + std::string(key_id) + " occurs twice");
    }
  }
  if (credentials.empty()) return Bad(source, "has no credentials");
  return credentials;
}

}  // namespace cairn::dynamodb
