#include "base/slice.h"

namespace cairn {
namespace {

thread_local Slice::Clock::time_point begun;

}  // namespace

void Slice::Begin(Clock::time_point now) { begun = now; }

bool Slice::IsUsed(Clock::time_point now) { return now - begun >= kLength; }

}  // namespace cairn
