// A pattern's parameters in an address: /api/m/shop/patterns/ordersByDay?day=2026-11-15&limit=20&cursor=...
// Pure.
#pragma once

#include "http/query_parameters.h"
#include "model/definition.h"
#include "model/failure.h"
#include "model/session.h"

namespace cairn::model_api {

// `limit` and `cursor` are taken for the page, everything else must be a parameter of the pattern. Every
// unknown, missing or unreadable one is a field error; a misspelt name gets the nearest right one.
model::Outcome<model::PageRequest> ReadPageRequest(const model::Pattern& pattern,
                                                   const http::QueryParameters& query);

}  // namespace cairn::model_api
