#include "domains/nexus/work.h"

namespace cairn::nexus {

Decision<void> Work::StageJob(const jobs::Job& job) {
  if (auto staged = nexus_.jobs().Schedule(platform_, job); !staged)
    return std::unexpected(Refusal(std::move(staged).error()));
  return {};
}

Task<Decision<void>> Work::Commit() {
  auto committed = co_await session_.CommitWith(platform_);
  if (!committed) co_return std::unexpected(Refusal(std::move(committed).error()));
  co_return Decision<void>();
}

}  // namespace cairn::nexus
