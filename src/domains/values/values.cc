#include "domains/values/values.h"

#include "base/time_text.h"
#include "models/values.h"

namespace cairn::values {
namespace {

constexpr size_t kTreeBytesKept = 100'000'000;
constexpr size_t kPlanBytesKept = 25'000'000;

}  // namespace

Values::Values(model::Database& database, jobs::JobQueue& jobs, const Clock& clock, Random& random)
    : database_(database),
      jobs_(jobs),
      clock_(clock),
      ids_(clock, random),
      trees_(database, jobs, ids_, kTreeBytesKept),
      plans_(database, jobs, ids_, kPlanBytesKept) {}

std::string Values::NowText() const { return FormatIsoMilliseconds(clock_.Now()); }

}  // namespace cairn::values
