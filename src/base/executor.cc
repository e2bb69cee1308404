#include "base/executor.h"

namespace cairn {
namespace {
thread_local Executor* current_executor = nullptr;
}  // namespace

bool Executor::PostAside(std::move_only_function<void()>) { return false; }

Executor* Executor::Current() { return current_executor; }

Executor::Scope::Scope(Executor* executor) : previous_(current_executor) { current_executor = executor; }
Executor::Scope::~Scope() { current_executor = previous_; }

}  // namespace cairn
