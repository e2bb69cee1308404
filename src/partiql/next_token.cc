#include "partiql/next_token.h"

#include "item/item_json.h"
#include "item/packed_item.h"

namespace cairn::partiql {
namespace {

// Version, fingerprint and number of the read, then the start key's packed bytes if there is one. A token
// lives as long as a client keeps paging, so a new version may refuse old ones.
constexpr char kVersion = 1;
constexpr size_t kHeaderBytes = 1 + 8 + 4;

void AppendInteger(std::string& out, uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i));
}

uint64_t ReadInteger(std::string_view bytes) {
  uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

}  // namespace

uint64_t Fingerprint(std::string_view statement, std::span<const item::AttributeValue> parameters) {
  std::string text(statement);
  text += '\0';
  for (const item::AttributeValue& parameter : parameters) item::AppendPackedValue(text, parameter);
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string EncodeNextToken(uint64_t fingerprint, const ReadPosition& position) {
  std::string bytes(1, kVersion);
  AppendInteger(bytes, fingerprint, 8);
  AppendInteger(bytes, position.read, 4);
  if (position.start_key) bytes += item::PackedItem::Pack(*position.start_key).bytes();
  std::string token;
  item::AppendBase64(token, bytes);
  return token;
}

Result<ReadPosition> DecodeNextToken(uint64_t fingerprint, std::string_view token) {
  Result<std::string> bytes = item::DecodeBase64(token);
  if (!bytes || bytes->size() < kHeaderBytes || bytes->front() != kVersion)
    return Fail(Invalid("Invalid NextToken"));
  const std::string_view view = *bytes;
  if (ReadInteger(view.substr(1, 8)) != fingerprint) return Fail(Invalid("NextToken does not match request"));
  ReadPosition position;
  position.read = ReadInteger(view.substr(9, 4));
  if (view.size() == kHeaderBytes) return position;
  Result<item::PackedItem> key = item::PackedItem::FromStored(std::string(view.substr(kHeaderBytes)));
  if (!key) return Fail(Invalid("Invalid NextToken"));
  position.start_key = key->Unpack();
  return position;
}

}  // namespace cairn::partiql
