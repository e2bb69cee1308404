// Tables, indexes and backups as AWS describes them in answers.
#pragma once

#include <optional>
#include <string>

#include "dynamodb/arn.h"
#include "dynamodb/json_writer.h"
#include "store/backup_requests.h"
#include "store/table.h"

namespace cairn::dynamodb {

// The answer {"TableDescription":{...}}; `member` is "Table" for DescribeTable.
std::string TableAnswer(std::string_view member, const store::TableDescription& table, const ArnSpace& arns);

// One value each.
void WriteTableDescription(JsonWriter& json, const store::TableDescription& table, const ArnSpace& arns);
void WriteKeySchema(JsonWriter& json, const item::KeySchema& schema);
void WriteProjection(JsonWriter& json, const store::IndexDefinition& index);

// The member "OnDemandThroughput" where one was asked for, else nothing.
void WriteOnDemandThroughput(JsonWriter& json, const std::optional<store::OnDemandThroughput>& on_demand);
// The member "SSEDescription" when the table has a key, else nothing.
void WriteSseDescription(JsonWriter& json, const std::optional<std::string>& sse_key, const ArnSpace& arns);

}  // namespace cairn::dynamodb
