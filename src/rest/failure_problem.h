// What a session's failure means to a client: the one table from failures to problem replies. Pure.
#pragma once

#include "http/problem.h"
#include "model/failure.h"

namespace cairn::rest {

// Where the values came from that broke a rule. It decides what a broken rule is called:
enum class FieldsFrom {
  kBody,   // 422: well formed, but against a rule
  kQuery,  // 400: this address asks for nothing
  kPath,   // 404: nothing can be there
};

// What is not the caller's and what the caller may not do is 404, never 403: whether it exists is not told.
http::Problem ProblemOf(const model::Failure& failure, FieldsFrom from);

}  // namespace cairn::rest
