// Whose partition a key is, by the tenancy rule of the model. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/caller.h"
#include "model/definition.h"

namespace cairn::data_api {

// How all partitions of the caller begin in this table: "U#ada". Nothing when the table belongs to nobody, or
// the caller has no claim that could stand in a key.
std::optional<std::string> OwnPrefix(const model::Table& table, const model::Caller& caller);

// Exactly that, or that and a further part behind '#'.
bool IsOwn(const model::Table& table, const model::Caller& caller, std::string_view partition);

}  // namespace cairn::data_api
