// ARNs: the names of tables, indexes, streams and backups on the wire. Built here and taken apart here only.
//
//   arn:aws:dynamodb:us-east-1:000000000000:table/Orders
//   arn:aws:dynamodb:us-east-1:000000000000:table/Orders/index/by-date
//   arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-11-15T19:42:30.123
//   arn:aws:dynamodb:us-east-1:000000000000:table/Orders/backup/01730000000000-1a2b3c4d
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/backup_requests.h"
#include "store/stream_requests.h"

namespace cairn::dynamodb {

// Region and account of the ARNs that a request's answer carries. There is one account; the region is the one
// the client signed for, so that a client sees the region it believes to talk to.
struct ArnSpace {
  std::string region = "us-east-1";
  std::string account = "000000000000";

  std::string Table(std::string_view table) const;
  std::string Index(std::string_view table, std::string_view index) const;
  std::string Stream(const store::StreamId& stream) const;
  std::string Backup(const store::BackupId& backup) const;
};

// Taking apart. Any region and account is accepted; nothing when the text is no such ARN.
bool LooksLikeArn(std::string_view text);
std::optional<std::string> TableOfArn(std::string_view arn);  // only .../table/NAME itself
std::optional<store::StreamId> StreamOfArn(std::string_view arn);
std::optional<store::BackupId> BackupOfArn(std::string_view arn);

}  // namespace cairn::dynamodb
