// Result<T>: a value or the Error why there is none. The expected-failure channel of the whole project.
//
//   Result<Number> Parse(std::string_view text);
//   ASSIGN_OR_RETURN(Number n, Parse(text));       // in a function that returns a Result
//   CO_ASSIGN_OR_RETURN(Number n, Parse(text));    // in a coroutine that returns a Task<Result<...>>
#pragma once

#include <expected>
#include <utility>

#include "base/error.h"

namespace cairn {

// std::expected of libstdc++ 12 is not [[nodiscard]]; ours is.
template <class T, class E = Error>
class [[nodiscard]] Result : public std::expected<T, E> {
 public:
  using std::expected<T, E>::expected;
};

using Status = Result<void>;

inline std::unexpected<Error> Fail(Error error) { return std::unexpected<Error>(std::move(error)); }
inline std::unexpected<Error> Fail(Code code, std::string message) {
  return Fail({code, std::move(message)});
}

#define CAIRN_CONCAT_(a, b) a##b
#define CAIRN_CONCAT(a, b) CAIRN_CONCAT_(a, b)
#define CAIRN_ASSIGN_OR(return_keyword, result, declaration, expression)  \
  auto result = (expression);                                             \
  if (!result) return_keyword std::unexpected(std::move(result).error()); \
  declaration = *std::move(result)
#define CAIRN_ERROR_OR(return_keyword, result, expression) \
  if (auto result = (expression); !result) return_keyword std::unexpected(std::move(result).error())

#define ASSIGN_OR_RETURN(declaration, expression) \
  CAIRN_ASSIGN_OR(return, CAIRN_CONCAT(result_, __LINE__), declaration, expression)
#define CO_ASSIGN_OR_RETURN(declaration, expression) \
  CAIRN_ASSIGN_OR(co_return, CAIRN_CONCAT(result_, __LINE__), declaration, expression)
#define RETURN_IF_ERROR(expression) CAIRN_ERROR_OR(return, CAIRN_CONCAT(result_, __LINE__), expression)
#define CO_RETURN_IF_ERROR(expression) CAIRN_ERROR_OR(co_return, CAIRN_CONCAT(result_, __LINE__), expression)

}  // namespace cairn
