#include "dynamodb/arn.h"

#include <array>

#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {
namespace {

struct ArnParts {
  std::string_view table;
  std::string_view kind;  // "index", "stream", "backup" or empty
  std::string_view name;
};

// arn:PARTITION:dynamodb:REGION:ACCOUNT:table/TABLE[/KIND/NAME]
std::optional<ArnParts> Split(std::string_view arn) {
  std::array<std::string_view, 5> fields;
  for (std::string_view& field : fields) {
    const size_t colon = arn.find(':');
    if (colon == arn.npos) return std::nullopt;
    field = arn.substr(0, colon);
    if (field.empty()) return std::nullopt;
    arn.remove_prefix(colon + 1);
  }
  if (fields[0] != "arn" || fields[2] != "dynamodb" || !arn.starts_with("table/")) return std::nullopt;
  arn.remove_prefix(6);
  ArnParts parts;
  parts.table = arn.substr(0, arn.find('/'));
  if (parts.table.size() < 3 || parts.table.size() > 255 || !MatchesNamePattern(parts.table))
    return std::nullopt;
  if (parts.table.size() == arn.size()) return parts;
  arn.remove_prefix(parts.table.size() + 1);
  const size_t slash = arn.find('/');
  if (slash == arn.npos || slash + 1 == arn.size()) return std::nullopt;
  parts.kind = arn.substr(0, slash);
  parts.name = arn.substr(slash + 1);
  if (parts.name.find('/') != parts.name.npos) return std::nullopt;
  return parts;
}

}  // namespace

std::string ArnSpace::Table(std::string_view table) const {
  std::string arn = "arn:aws:dynamodb:";
  return arn.append(region).append(":").append(account).append(":table/").append(table);
}

std::string ArnSpace::Index(std::string_view table, std::string_view index) const {
  return Table(table).append("/index/").append(index);
}

std::string ArnSpace::Stream(const store::StreamId& stream) const {
  return Table(stream.table).append("/stream/").append(stream.label);
}

std::string ArnSpace::Backup(const store::BackupId& backup) const {
  return Table(backup.table).append("/backup/").append(backup.id);
}

bool LooksLikeArn(std::string_view text) { return text.starts_with("arn:"); }

std::optional<std::string> TableOfArn(std::string_view arn) {
  const auto parts = LooksLikeArn(arn) ? Split(arn) : std::nullopt;
  if (!parts || !parts->kind.empty()) return std::nullopt;
  return std::string(parts->table);
}

std::optional<store::StreamId> StreamOfArn(std::string_view arn) {
  const auto parts = Split(arn);
  if (!parts || parts->kind != "stream") return std::nullopt;
  return store::StreamId{std::string(parts->table), std::string(parts->name)};
}

std::optional<store::BackupId> BackupOfArn(std::string_view arn) {
  const auto parts = Split(arn);
  if (!parts || parts->kind != "backup") return std::nullopt;
  return store::BackupId{std::string(parts->table), std::string(parts->name)};
}

}  // namespace cairn::dynamodb
