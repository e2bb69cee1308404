// Backups in requests and answers.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "dynamodb/arn.h"
#include "dynamodb/json_writer.h"
#include "dynamodb/request_reader.h"
#include "store/backup_requests.h"

namespace cairn::dynamodb {

inline constexpr StringRules kOptionalBackupArn = {.length_min = 37, .length_max = 1024};
inline constexpr StringRules kBackupArn = {
    .presence = Presence::kRequired, .length_min = 37, .length_max = 1024};

Result<store::BackupId> ReadBackupArn(std::string_view arn);

enum class BackupStatus { kAvailable, kDeleted };

// The value of "BackupDetails".
void WriteBackupDetails(JsonWriter& json, const store::BackupDescription& backup, BackupStatus status,
                        const ArnSpace& arns);
// The answer {"BackupDescription":{...}}: details and the table as it was.
std::string BackupAnswer(const store::BackupDescription& backup, BackupStatus status, const ArnSpace& arns);

}  // namespace cairn::dynamodb
