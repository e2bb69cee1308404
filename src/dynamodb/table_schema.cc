#include "dynamodb/table_schema.h"

#include <wctype.h>

#include <algorithm>

namespace cairn::dynamodb {
namespace {

constexpr StringRules kAttributeName = {.presence = Presence::kRequired, .length_min = 1, .length_max = 255};

// The first character of well-formed UTF-8, which is taken off the text.
wint_t TakeCharacter(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  wint_t character = length == 1 ? lead : lead & (0x7fu >> length);
  for (const char next : text.substr(1, length - 1))
    character = (character << 6) | (static_cast<unsigned char>(next) & 0x3f);
  text.remove_prefix(std::min(length, text.size()));
  return character;
}

// Letters, numbers and spaces of any script, and a few signs.
bool IsTagText(std::string_view text) {
  static const locale_t kUnicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  static constexpr std::string_view kSigns = "_.:/=+-@";
  while (!text.empty()) {
    const wint_t character = TakeCharacter(text);
    if (character < 0x80 && kSigns.find(static_cast<char>(character)) != kSigns.npos) continue;
    if (!iswalnum_l(character, kUnicode) && !iswspace_l(character, kUnicode)) return false;
  }
  return true;
}

constexpr std::string_view kTagPattern = "^([\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*)$";
constexpr StringRules kTagKey = {.presence = Presence::kRequired,
                                 .length_min = 1,
                                 .length_max = 128,
                                 .pattern = kTagPattern,
                                 .matches = IsTagText};
constexpr StringRules kTagValue = {
    .presence = Presence::kRequired, .length_max = 256, .pattern = kTagPattern, .matches = IsTagText};

void ReadProjection(const RequestReader& index, IndexSchema& schema) {
  const auto projection = index.Object("Projection", "Projection", Presence::kRequired);
  if (!projection) return;
  schema.projection = projection->Enum("ProjectionType", kProjectionTypes);
  const auto names = projection->Strings("NonKeyAttributes", {.length_min = 1, .length_max = 20},
                                         {.length_min = 1, .length_max = 255});
  if (names) schema.non_key_attributes.emplace(names->begin(), names->end());
}

}  // namespace

std::vector<item::KeyElement> ReadAttributeDefinitions(const RequestReader& request, Presence presence) {
  std::vector<item::KeyElement> definitions;
  const auto list = request.Objects("AttributeDefinitions", "AttributeDefinition", {.presence = presence});
  if (!list) return definitions;
  for (const RequestReader& definition : *list) {
    const auto name = definition.String("AttributeName", kAttributeName);
    const auto type = definition.Enum("AttributeType", kKeyTypes, Presence::kRequired);
    if (name && type) definitions.push_back({std::string(*name), *type});
  }
  return definitions;
}

std::vector<KeySchemaElement> ReadKeySchema(const RequestReader& request, size_t elements_max) {
  std::vector<KeySchemaElement> keys;
  const auto list =
      request.Objects("KeySchema", "KeySchemaElement",
                      {.presence = Presence::kRequired, .length_min = 1, .length_max = elements_max});
  if (!list) return keys;
  for (const RequestReader& element : *list) {
    const auto name = element.String("AttributeName", kAttributeName);
    const auto role = element.Enum("KeyType", kKeyRoles, Presence::kRequired);
    if (name && role) keys.push_back({std::string(*name), *role});
  }
  return keys;
}

std::optional<store::Throughput> ReadThroughput(const RequestReader& request, std::string_view name,
                                                Presence presence) {
  const auto throughput = request.Object(name, "ProvisionedThroughput", presence);
  if (!throughput) return std::nullopt;
  constexpr IntegerRules kUnits = {.presence = Presence::kRequired, .min = 1, .width = NumberWidth::kLong};
  const auto write_units = throughput->Integer("WriteCapacityUnits", kUnits);
  const auto read_units = throughput->Integer("ReadCapacityUnits", kUnits);
  return store::Throughput{.read_units = read_units.value_or(0), .write_units = write_units.value_or(0)};
}

std::optional<store::OnDemandThroughput> ReadOnDemandThroughput(const RequestReader& request,
                                                                std::string_view name) {
  const auto ceilings = request.Object(name, "OnDemandThroughput");
  if (!ceilings) return std::nullopt;
  constexpr IntegerRules kUnits = {.width = NumberWidth::kLong};
  store::OnDemandThroughput on_demand;
  on_demand.max_read_units = ceilings->Integer("MaxReadRequestUnits", kUnits);
  on_demand.max_write_units = ceilings->Integer("MaxWriteRequestUnits", kUnits);
  return on_demand;
}

std::optional<store::Throughput> ReadWarmThroughput(const RequestReader& request) {
  const auto warm = request.Object("WarmThroughput", "WarmThroughput");
  if (!warm) return std::nullopt;
  constexpr IntegerRules kUnits = {.width = NumberWidth::kLong};
  const auto read_units = warm->Integer("ReadUnitsPerSecond", kUnits);
  const auto write_units = warm->Integer("WriteUnitsPerSecond", kUnits);
  return store::Throughput{.read_units = read_units.value_or(0), .write_units = write_units.value_or(0)};
}

IndexSchema ReadIndex(const RequestReader& index, store::IndexKind kind) {
  IndexSchema schema;
  schema.kind = kind;
  schema.name = index.String("IndexName", kRequiredName).value_or("");
  const bool global = kind == store::IndexKind::kGlobal;
  schema.keys = ReadKeySchema(index, global ? kGlobalKeyElementsMax : kTableKeyElementsMax);
  ReadProjection(index, schema);
  if (global) {
    schema.throughput = ReadThroughput(index, "ProvisionedThroughput");
    schema.on_demand = ReadOnDemandThroughput(index, "OnDemandThroughput");
    schema.warm = ReadWarmThroughput(index);
  }
  return schema;
}

std::optional<std::vector<IndexSchema>> ReadIndexes(const RequestReader& request, std::string_view name,
                                                    store::IndexKind kind) {
  const bool global = kind == store::IndexKind::kGlobal;
  const auto list = request.Objects(name, global ? "GlobalSecondaryIndex" : "LocalSecondaryIndex");
  if (!list) return std::nullopt;
  std::vector<IndexSchema> indexes;
  indexes.reserve(list->size());
  for (const RequestReader& index : *list) indexes.push_back(ReadIndex(index, kind));
  return indexes;
}

std::optional<StreamSpecification> ReadStreamSpecification(const RequestReader& request) {
  const auto specification = request.Object("StreamSpecification", "StreamSpecification");
  if (!specification) return std::nullopt;
  StreamSpecification stream;
  stream.enabled = specification->Boolean("StreamEnabled", Presence::kRequired).value_or(false);
  stream.view = specification->Enum("StreamViewType", kStreamViews);
  return stream;
}

std::optional<SseSpecification> ReadSseSpecification(const RequestReader& request, std::string_view name) {
  const auto specification = request.Object(name, "SSESpecification");
  if (!specification) return std::nullopt;
  SseSpecification sse;
  sse.enabled = specification->Boolean("Enabled").value_or(false);
  specification->Enum("SSEType", kSseTypes);
  sse.key = specification->String("KMSMasterKeyId").value_or("");
  return sse;
}

std::optional<std::string> ReadTableClass(const RequestReader& request) {
  const auto table_class = request.Enum("TableClass", kTableClasses);
  if (!table_class) return std::nullopt;
  return std::string(NameOf(kTableClasses, *table_class));
}

std::map<std::string, std::string> ReadTags(const RequestReader& request, Presence presence) {
  std::map<std::string, std::string> tags;
  const auto list = request.Objects("Tags", "Tag", {.presence = presence});
  if (!list) return tags;
  for (const RequestReader& tag : *list) {
    const auto key = tag.String("Key", kTagKey);
    const auto value = tag.String("Value", kTagValue);
    if (key && value) tags.insert_or_assign(std::string(*key), std::string(*value));
  }
  return tags;
}

}  // namespace cairn::dynamodb
