// Fields: how a request or an answer looks, said once for each struct:
//
//   struct AddTodo {
//     std::string day, action_id;
//     std::optional<std::string> notes;
//   };
//   template <class Fields>
//   void Describe(Fields& fields, AddTodo& todo) {
//     fields.Path("day", todo.day, {.kind = model::Kind::kDate});
//     fields.Body("actionId", todo.action_id, {.kind = model::Kind::kId});
//     fields.Body("notes", todo.notes, {.max = 10'000});
//   }
//
// From it come the reading of a request with an error for every field that is wrong (read_fields.h), the JSON
// of an answer (write_fields.h) and the schemas of /openapi.json (schema.h). Members may be texts, whole
// numbers, truth values, enums of a model, optionals (may be absent), optionals of optionals (absent, null
// or a value: for PATCH), vectors, further described structs, and variants of described structs, told apart
// by their "op" (each has kOp). A struct that says fields.Name("Todo") is listed once, by that name, among
// the schemas.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "rest/rule.h"

namespace cairn::rest {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

// A client may leave such a field alone, clear it with null, or set it.
template <class T>
inline constexpr bool kIsChange = false;
template <class T>
inline constexpr bool kIsChange<std::optional<std::optional<T>>> = true;

template <class T>
inline constexpr bool kIsRendered = false;
template <class T>
inline constexpr bool kIsRendered<Rendered<T>> = true;

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;

template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;

// Enums of a model's generated header: TextsOf gives the texts in the order of the enumerators.
template <class T>
concept ModelEnum = std::is_enum_v<T> && requires(T value) {
  { TextsOf(value) } -> std::convertible_to<std::span<const std::string_view>>;
};

}  // namespace cairn::rest
