// co_await Aside(work): `work()` is done on one of the executor's helper threads, and the awaiting coroutine
// goes on with its value where it was. For pure computations of many milliseconds that cannot be cut into
// slices (base/slice.h): unpacking and reading large bodies, long filters. An executor without helpers, and a
// thread without an executor, does it on the spot.
//
//   auto work = [&] { return Read(text); };      // named first; must not touch what the loop's thread
//   changes auto calendar = co_await Aside(work);
#pragma once

#include <coroutine>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/executor.h"

namespace cairn {

enum class Length { kShort, kLong };

template <class Work>
class [[nodiscard]] Aside {
 public:
  using Value = std::invoke_result_t<Work&>;
  static_assert(!std::is_void_v<Value>, "return something, so that nobody forgets what was done");

  // `work` is borrowed until the value is there. Short work is done on the spot.
  explicit Aside(Work& work, Length length = Length::kLong) : work_(work), length_(length) {}

  bool await_ready() const noexcept { return false; }
  // False goes on at once. After a successful PostAside this may be gone already.
  bool await_suspend(std::coroutine_handle<> waiter) {
    Executor* home = Executor::Current();
    if (length_ == Length::kLong && home != nullptr && home->PostAside([this, home, waiter] {
          value_.emplace(work_());
          home->Post([waiter] { waiter.resume(); });
        })) {
      return true;
    }
    value_.emplace(work_());
    return false;
  }
  Value await_resume() { return *std::move(value_); }

 private:
  Work& work_;
  const Length length_;
  std::optional<Value> value_;
};

}  // namespace cairn
