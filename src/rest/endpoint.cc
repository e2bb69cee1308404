#include "rest/endpoint.h"

namespace cairn::rest {

http::Problem FaultsProblem(Faults faults) {
  http::Problem problem;
  if (!faults.path.empty()) {
    problem = http::ProblemOf({Code::kResourceNotFound, "Nothing can be at this address"});
    problem.errors = std::move(faults.path);
  } else if (!faults.query.empty()) {
    problem = http::ProblemOf({Code::kMalformed, "Some parameters of the address are wrong"});
    problem.errors = std::move(faults.query);
  } else {
    problem = http::ProblemOf({Code::kInvalidArgument, "Some fields of the body are wrong"});
    problem.errors = std::move(faults.body);
  }
  return problem;
}

}  // namespace cairn::rest
