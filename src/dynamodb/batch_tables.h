// RequestItems of BatchGetItem and BatchWriteItem: a map whose keys are tables, by name or by ARN.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {

// The table that a key of RequestItems names. A bad name is a finding.
std::string TableOfBatchKey(const RequestReader& request, std::string_view key);

// RequestItems was given, but has no entries.
Status CheckNotEmptyBatch(size_t tables, std::string_view operation);

}  // namespace cairn::dynamodb
